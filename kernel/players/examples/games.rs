//! Games of a built-in player against itself on a forced tier:
//!
//! ```console
//! $ cargo run --release --package tavli-players --example games portable fast 100
//! 100 games of 56.1 plies
//! ```

use std::env;
use std::error::Error;

use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
use tavli_players::named;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [tier, player, games] = &words[..] else {
        return Err("usage: TIER PLAYER GAMES".into());
    };
    let (tier, policy): (Tier, _) = (tier.parse()?, named::policy(player)?);
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
    let players = PolicyPair::alike(policy);
    let tally = players.run(&playouts, tier, 0..games.parse()?, NO_STOP)?.tally;
    let plies = tally.mean_plies().mean;
    println!("{} games of {plies:.1} plies", tally.games);
    Ok(())
}
