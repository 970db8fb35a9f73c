//! Remarks on standard error, about positions that are read and players that value.

use tavli::games::{self, PlayableGame, START};
use tavli::text::{Quoted, bare};
use tavli::{Position, PositionError, Reading, RuleSet, named};

use crate::output;

/// Reads a position, or [`START`] under the rules; a remark on the position goes to standard error.
pub fn position(text: &str, rules: RuleSet) -> Result<Position, PositionError> {
    reading(text, rules).map(|reading| reading.position)
}

/// Reads a position, or [`START`] under the rules, and whether its text names the cube and the score; a remark on the
/// position goes to standard error.
pub fn reading(text: &str, rules: RuleSet) -> Result<Reading, PositionError> {
    let reading = reading_without_remark(text, rules)?;
    if let Some(remark) = reading.remark {
        output::remark(format_args!("remark: '{}': {remark}", Quoted::new(text.trim())));
    }
    Ok(reading)
}

/// Reads a position as [`reading`] does, for clients that have no use for a remark.
pub fn reading_without_remark(text: &str, rules: RuleSet) -> Result<Reading, PositionError> {
    let start = (bare(text) == START).then(|| rules.start().position_id().to_string());
    Position::read(start.as_deref().unwrap_or(text))
}

/// Remarks on standard error if the evaluator `name` has not learned `rules`, by which it values.
pub fn remark_on_values(name: &str, rules: RuleSet) {
    print(named::remark_on_values(name, rules));
}

/// Remarks on standard error if the net `name` has not learned `rules`, of a game other than backgammon.
pub fn remark_on_net<G: PlayableGame>(game: &G, name: &str, rules: &str) {
    print(games::remark_on_values(game, name, rules));
}

/// Prints a remark, if there is one, on standard error.
pub fn print(remark: Option<String>) {
    if let Some(remark) = remark {
        output::remark(format_args!("remark: {remark}"));
    }
}
