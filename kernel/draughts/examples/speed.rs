use std::time::Instant;
use tavli_draughts::*;
use tavli_game::{Game, playouts};
use tavli_simd::Tier;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let games: u64 = args.get(2).map_or(1_000_000, |a| a.parse().unwrap());
    match args[1].as_str() {
        "perft" => {
            let game = Draughts::new(Rules::ENGLISH, Tier::Portable, 1);
            let t = Instant::now();
            let n = game.perft(&Position::START, games as u32).nodes;
            let s = t.elapsed().as_secs_f64();
            println!("perft {games}: {n} in {s:.3} s: {:.1} M/s", n as f64 / s / 1e6);
        }
        name => {
            let tier: Tier = name.parse().unwrap();
            let rules = Rules::named(args.get(3).map_or("english", |x| x)).unwrap();
            let game = Draughts::new(rules, tier, 1);
            let t = Instant::now();
            let tally = playouts(&game, &Position::START, None, 0..games, &|| false).unwrap();
            let s = t.elapsed().as_secs_f64();
            println!("{tier}: {games} games, {:.3} s: {:.3} M games/s, {:.1} M plies/s; plies {:.3}, longest {} {:?}", s, games as f64 / s / 1e6, tally.plies as f64 / s / 1e6, tally.mean_plies().mean, tally.longest, [1, 0, -1].map(|p| tally.count(p)));
        }
    }
}
