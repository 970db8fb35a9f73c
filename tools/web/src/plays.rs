//! The plays of a roll.

use serde::Serialize;
use tavli::plays::Plays;
use tavli::{PlayoutError, Position, Roll, RuleSet};
use tavli_web_module::{Failure, Kind};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayJson {
    moves: String,
    /// The position after it, seen by the player next on roll.
    position_id: String,
    points: Vec<i8>,
    hits: usize,
}

/// The roll that is given, or else the dice of the position.
pub(crate) fn roll(position: &Position, given: Option<&str>) -> Result<Roll, Failure> {
    let given = given.map(str::parse).transpose()?;
    position.roll_or(given)?.ok_or_else(|| {
        let message = "the position has no dice: name the roll, such as \"31\"";
        Failure::new(Kind::Roll, message)
    })
}

/// The plays of a roll, in the library's order.
pub(crate) fn plays(position: &Position, roll: Roll, rules: RuleSet) -> Result<Vec<PlayJson>, Failure> {
    PlayoutError::check(position.board(), rules)?;
    let of_roll = Plays::new(position.board(), roll, rules);
    let plays = of_roll.to_vec();
    let plays = plays.iter().map(|play| PlayJson {
        moves: of_roll.moves(play).to_string(),
        position_id: play.board().position_id().to_string(),
        points: play.board().points().to_vec(),
        hits: play.hits().len(),
    });
    Ok(plays.collect())
}
