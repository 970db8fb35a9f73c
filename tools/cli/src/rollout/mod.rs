//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.

mod arguments;
mod csv_table;
mod one_position;
mod positions_file;
pub(crate) mod result;

pub(crate) use arguments::Arguments;

use crate::failure::Failure;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.positions {
        Some(path) => positions_file::run(arguments, path),
        None => one_position::run(arguments),
    }
}
