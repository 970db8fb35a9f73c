//! Values of positions and plays by an evaluator.

use serde::Serialize;
use tavli::cube::CubePosition;
use tavli::evaluation::{Evaluation, RolledError};
use tavli::evaluators::Probabilities;
use tavli::named::{self, Defaults};
use tavli::run::{Cancel, Workers};
use tavli::{NO_STOP, Position, Roll, RuleSet, Tier};
use tavli_web_module::{Failure, remark};

use crate::cube::{self, CubeJson};

/// The value of a position or a play, for the player on roll.
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

/// The value of a position, with its cube if that is asked for and the game is not over.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValuedJson {
    #[serde(flatten)]
    value: ValueJson,
    cube: Option<CubeJson>,
}

/// A play and its value for the player who makes it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValuedPlayJson {
    moves: String,
    /// The position after it, seen by the player next on roll.
    position_id: String,
    #[serde(flatten)]
    value: ValueJson,
    /// The equity with the cube, if that is asked for.
    cubeful: Option<f64>,
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
    let player = player.unwrap_or(Defaults::for_rules(rules).evaluator);
    let evaluator = named::evaluator(player, NO_STOP)?;
    if let Some(found) = named::remark_on_values(evaluator.name(), rules) {
        remark(found);
    }
    Ok(Evaluation::new(evaluator, rules))
}

/// The value of a position before a roll.
pub(crate) fn value(
    position: &Position,
    player: Option<&str>,
    rules: RuleSet,
    with_cube: bool,
) -> Result<ValuedJson, Failure> {
    RolledError::check(position)?;
    let (evaluation, cube) = (evaluation(player, rules)?, cube::known(position, with_cube, rules)?);
    let boards = [*position.board()];
    let values = evaluation.values(&boards, Tier::best(), &Workers::here(), &Cancel::new());
    let value = values.map_err(|(_, error)| error)?[0];
    let cube = cube.filter(|_| rules.outcome(&boards[0]).is_none());
    let cube = cube.map(|cube| CubePosition::before_roll(&cube, &boards[0], value.into(), 0).values_here());
    Ok(ValuedJson { value: ValueJson::new(&value), cube: cube.map(CubeJson::from) })
}

/// The plays of a roll, the best first.
pub(crate) fn plays(
    position: &Position,
    roll: Roll,
    player: Option<&str>,
    rules: RuleSet,
    with_cube: bool,
) -> Result<Vec<ValuedPlayJson>, Failure> {
    let (evaluation, cube) = (evaluation(player, rules)?, cube::known(position, with_cube, rules)?);
    let (board, cancel) = (position.board(), Cancel::new());
    let ranked = evaluation.ranked(board, roll, cube.as_ref(), Tier::best(), &Workers::here(), &cancel)?;
    let plays = ranked.plays.iter().map(|ranked| ValuedPlayJson {
        moves: ranked.play.moves.to_string(),
        position_id: ranked.play.board.position_id().to_string(),
        value: ValueJson::new(&ranked.play.value),
        cubeful: ranked.cubeful,
    });
    Ok(plays.collect())
}
