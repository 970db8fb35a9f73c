//! Playouts on a forced tier: the mean plies of games from the start, and the signature of all that playouts promise.
//!
//! ```console
//! $ cargo run --release --package tavli-backgammon --example playouts
//! $ cargo run --release --package tavli-backgammon --example playouts portable
//! $ cargo run --release --package tavli-backgammon --example playouts portable mcgammon 10000
//! ```

use std::env;
use std::error::Error;

use tavli_backgammon::playout::signature;
use tavli_backgammon::{Board, Playouts, RuleSet, Tier};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            for tier in Tier::available() {
                println!("{tier}");
            }
        }
        [tier] => println!("{:016x}", signature(tier.parse()?)),
        [tier, rules, games] => {
            let tier: Tier = tier.parse()?;
            let rules: RuleSet = rules.parse()?;
            let tally = Playouts::new(Board::START, rules, 1)?
                .run(tier, 0..games.parse()?)
                .tally;
            println!("{} games, {} plies", tally.games, tally.plies);
        }
        _ => return Err("give a tier, and rules and games or neither".into()),
    }
    Ok(())
}
