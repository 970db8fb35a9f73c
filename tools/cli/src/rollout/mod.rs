//! `tavli rollout`: games from a position or its candidate plays, with statistics, or from each position of a file.

mod arguments;
mod csv_table;
mod one_position;
pub(crate) mod other_games;
mod positions_file;
mod resolved;
pub(crate) mod result;

pub(crate) use arguments::Arguments;
pub(crate) use resolved::BackgammonRollout;

use std::sync::Arc;

use tavli::evaluators::Evaluator;
use tavli::rollout::Settings;

use crate::failure::Failure;
use crate::output;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let resolved = BackgammonRollout::of(arguments)?;
    match &arguments.positions {
        Some(path) => positions_file::run(&resolved, path),
        None => one_position::run(&resolved),
    }
}

/// Says on standard error where the evaluator of games that are cut off has not learned the rules.
fn remark_on(settings: &Settings, evaluator: Option<&Arc<dyn Evaluator>>) {
    if let Some(remark) = settings.remark_on(evaluator.map(|evaluator| &**evaluator)) {
        output::write_message(format_args!("remark: {remark}"));
    }
}
