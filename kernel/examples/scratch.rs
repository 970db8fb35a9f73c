use tavli::*;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    for rules in RuleSet::ALL {
        let p = Playouts::new(Board::START, rules, 1).unwrap();
        let mut best = f64::MAX; let mut r = Results::default();
        for _ in 0..5 { let t = std::time::Instant::now(); r = p.run(Tier::best(), 0..n); best = best.min(t.elapsed().as_secs_f64()); }
        let t = &r.tally;
        println!("{rules}: {:.4} M games/s {:.3} ns/ply plies {:.3} plays/ply {:.4} {:?} longest {}", n as f64/best/1e6, best*1e9/t.plies as f64, t.mean_plies().mean, t.plays as f64/t.plies as f64, t.outcomes.map(|x| x as f64/n as f64), t.longest);
    }
}
