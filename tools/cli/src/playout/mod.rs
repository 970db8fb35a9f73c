//! `tavli playout`: random games from a position, or from each position of a file.

mod arguments;
mod json;
mod many;
mod one;
mod text;

pub(crate) use arguments::Arguments;
pub(crate) use json::RunJson;
pub(crate) use one::play;
pub(crate) use text::{describe, print};

use crate::failure::Failure;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.positions {
        Some(path) => many::run(arguments, path),
        None => one::run(arguments),
    }
}
