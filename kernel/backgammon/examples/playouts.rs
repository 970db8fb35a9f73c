//! Playouts from the start on a forced tier, by this crate alone:
//!
//! ```console
//! $ cargo run --release --package tavli-backgammon --example playouts portable mcgammon 10000
//! 10000 games of 78.5 plies
//! ```

use std::env;
use std::error::Error;

use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [tier, rules, games] = &words[..] else {
        return Err("usage: TIER RULES GAMES".into());
    };
    let (tier, rules): (Tier, RuleSet) = (tier.parse()?, rules.parse()?);
    let playouts = Playouts::new(Board::START, rules, 1)?;
    let tally = playouts.run(tier, 0..games.parse()?, NO_STOP)?.tally;
    let plies = tally.mean_plies().mean;
    println!("{} games of {plies:.1} plies", tally.games);
    Ok(())
}
