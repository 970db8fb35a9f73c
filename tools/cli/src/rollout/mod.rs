//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.

mod arguments;
mod many;
mod one;
mod table;

pub(crate) use arguments::Arguments;

use crate::failure::Failure;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.positions {
        Some(path) => many::run(arguments, path),
        None => one::run(arguments),
    }
}
