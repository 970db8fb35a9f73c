//! What positions and plays are worth by an evaluator.

use serde::Serialize;
use tavli::evaluation::Evaluation;
use tavli::evaluators::Probabilities;
use tavli::named::{self, Defaults};
use tavli::run::{Cancel, Workers};
use tavli::{Position, Roll, RuleSet, Tier};

use crate::failure::Failure;

/// What a position or a play is worth, for the player on roll.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValueJson {
    equity: f64,
    win: f64,
    win_gammon: f64,
    win_backgammon: f64,
    lose: f64,
    lose_gammon: f64,
    lose_backgammon: f64,
}

/// A play and what it is worth, for the player who makes it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValuedPlayJson {
    moves: String,
    /// The position after it, seen by the player next on roll.
    position_id: String,
    #[serde(flatten)]
    value: ValueJson,
}

impl ValueJson {
    fn new(value: &Probabilities) -> ValueJson {
        ValueJson {
            equity: value.equity(),
            win: value.at_least(1),
            win_gammon: value.at_least(2),
            win_backgammon: value.at_least(3),
            lose: value.at_least(-1),
            lose_gammon: value.at_least(-2),
            lose_backgammon: value.at_least(-3),
        }
    }
}

/// Values by a player, or by the default one under the rules.
fn evaluation(player: Option<&str>, rules: RuleSet) -> Result<Evaluation, Failure> {
    let player = player.unwrap_or(Defaults::under(rules).values);
    Ok(Evaluation::new(named::evaluator(player)?, rules))
}

/// The value of a position.
pub(crate) fn value(position: &Position, player: Option<&str>, rules: RuleSet) -> Result<ValueJson, Failure> {
    let evaluation = evaluation(player, rules)?;
    let boards = [*position.board()];
    let values = evaluation.values(&boards, Tier::best(), &Workers::here(), &Cancel::new());
    let values = values.map_err(|(_, error)| error)?;
    Ok(ValueJson::new(&values[0]))
}

/// The plays of a roll, the best first.
pub(crate) fn plays(
    position: &Position,
    roll: Roll,
    player: Option<&str>,
    rules: RuleSet,
) -> Result<Vec<ValuedPlayJson>, Failure> {
    let evaluation = evaluation(player, rules)?;
    let (board, cancel) = (position.board(), Cancel::new());
    let plays = evaluation.plays(board, roll, Tier::best(), &Workers::here(), &cancel)?;
    let plays = plays.plays.iter().map(|play| ValuedPlayJson {
        moves: play.moves.to_string(),
        position_id: play.board.position_id().to_string(),
        value: ValueJson::new(&play.value),
    });
    Ok(plays.collect())
}
