//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.

mod arguments;
mod asked;
mod csv_table;
mod one_position;
mod positions_file;
pub(crate) mod result;

pub(crate) use arguments::Arguments;
pub(crate) use asked::Asked;

use crate::failure::Failure;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let asked = Asked::of(arguments)?;
    match &arguments.positions {
        Some(path) => positions_file::run(&asked, path),
        None => one_position::run(&asked),
    }
}
