//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.

use tavli_terminal::failure::Failure;

mod arguments;
mod csv_table;
pub(crate) mod game_decision;
mod line_requests;
mod one_position;
pub(crate) mod other_games;
mod positions_file;
mod remark;
mod resolved;
pub(crate) mod result;

pub(crate) use arguments::Arguments;
pub(crate) use resolved::BackgammonRollout;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let resolved = BackgammonRollout::of(arguments)?;
    match &arguments.positions {
        Some(path) => positions_file::run(&resolved, path),
        None => one_position::run(&resolved),
    }
}
