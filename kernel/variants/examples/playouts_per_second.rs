//! Plays uniform games from the start of each game on a tier, and prints how many a second, the best of three runs:
//! `cargo run --release -p tavli-variants --example playouts_per_second -- avx2 400000`.

use std::error::Error;
use std::time::Instant;

use tavli_base::NO_STOP;

use tavli_game::{PlayableGame, PlayoutStart};
use tavli_simd::Tier;
use tavli_variants::{Fevga, Plakoto};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let tier = arguments.next().map_or(Ok(Tier::best()), |name| name.parse())?;
    let games = arguments.next().map_or(Ok(200_000), |number| number.parse())?;
    time::<Plakoto>(tier, games)?;
    time::<Fevga>(tier, games)
}

fn time<G: PlayableGame>(tier: Tier, games: u64) -> Result<(), Box<dyn Error>> {
    let game = G::by_rules(G::RULES[0], tier, 1)?;
    let mut best = f64::MAX;
    for _ in 0..3 {
        let begun = Instant::now();
        let tally = PlayoutStart::new(game.start()).run(&game, 0..games, NO_STOP)?;
        let seconds = begun.elapsed().as_secs_f64();
        if seconds < best {
            best = seconds;
            let plies = tally.plies as f64;
            println!(
                "{} on {tier}: {:.0} games/s, {:.1} ns a ply, {:.3} plies, {:+.4} points",
                G::NAME,
                games as f64 / seconds,
                seconds / plies * 1e9,
                plies / games as f64,
                tally.points().mean
            );
        }
    }
    Ok(())
}
