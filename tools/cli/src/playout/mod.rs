//! `tavli playout`: random games from a position, or from each position of a file.

mod arguments;
mod json;
mod one_position;
pub(crate) mod other_games;
mod per_game;
mod positions_file;
mod text;

pub(crate) use arguments::Arguments;
pub(crate) use json::RunJson;
pub(crate) use one_position::play;
pub(crate) use other_games::outcomes;
pub(crate) use text::{describe, print};

use crate::failure::Failure;

/// Runs the command for backgammon.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.playouts(None)?; // before the positions of a file, of which each would report wrong rules
    match &arguments.positions {
        Some(path) => positions_file::run(arguments, path),
        None => one_position::run(arguments),
    }
}
