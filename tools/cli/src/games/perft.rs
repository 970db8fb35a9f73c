//! `tavli perft` of any game.

use std::io;

use clap::Args;
use serde::Serialize;
use tavli::Tier;
use tavli::game::NamedGame;

use super::arguments::{Game, position};
use crate::arguments::Format;
use crate::failure::Failure;
use crate::output;
use crate::perft::{Counted, DEEPEST};

/// Count the positions after each choice, ply by ply
///
/// Every ply has each roll, in a game with dice, with each of its plays; a play is a distinct result. The weighted count
/// counts rolls as often as they come up. A finished game has no further plays. Ctrl-C ends it with the depths that
/// are counted.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A position as the game writes it; start is the start of a game
    #[arg(value_name = "POSITION")]
    position: String,
    /// Plies, 1 to 12
    #[arg(value_name = "DEPTH", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=DEEPEST))]
    depth: u32,
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    format: Format,
}

/// The JSON of the command.
#[derive(Serialize)]
struct Document<'a> {
    position: String,
    game: &'static str,
    rules: &'a str,
    #[serde(flatten)]
    counted: Counted,
}

/// Runs the command.
pub(super) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let game: G = arguments.game.of_seed(Tier::best(), 0)?;
    let position = position(&game, Some(&arguments.position))?;
    let counted = Counted::of_depths(arguments.depth, arguments.format.json, {
        let game = arguments.game.of_seed::<G>(Tier::best(), 0)?;
        move |depth| game.perft(&position, depth)
    })?;
    if arguments.format.json {
        let document = Document {
            position: game.text(&position),
            game: G::NAME,
            rules: arguments.game.rules::<G>(),
            counted,
        };
        output::json(&mut io::stdout(), &document)?;
    }
    Ok(())
}
