//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.

use tavli_terminal::failure::Failure;

mod arguments;
mod backgammon_lines;
mod csv_table;
pub(crate) mod game;
pub(crate) mod game_decision;
mod game_lines;
pub(crate) mod game_result;
mod line_requests;
mod one_position;
mod positions_file;
mod remarks;
mod resolved;
pub(crate) mod result;

pub use arguments::RolloutArguments;
pub use resolved::ResolvedArguments;

use backgammon_lines::BackgammonLines;
use remarks::Remarks;

pub(crate) fn run(arguments: &RolloutArguments) -> Result<(), Failure> {
    let resolved = ResolvedArguments::of(arguments)?;
    match &arguments.positions {
        Some(path) => positions_file::run(arguments, path, || {
            let requests = resolved.requests_of_lines()?;
            Ok(BackgammonLines { resolved: &resolved, remarks: Remarks::on_each(&requests), requests })
        }),
        None => one_position::run(&resolved),
    }
}
