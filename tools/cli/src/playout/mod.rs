//! `tavli playout`: random games from a position, or from each position of a file.

mod arguments;
mod json;
mod one_position;
mod per_game;
mod positions_file;
mod text;

pub(crate) use arguments::Arguments;
pub(crate) use json::{RunJson, SpeedJson};
pub(crate) use one_position::play;
pub(crate) use text::{describe, print, print_speed, share_row};

use crate::failure::Failure;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.positions {
        Some(path) => positions_file::run(arguments, path),
        None => one_position::run(arguments),
    }
}
