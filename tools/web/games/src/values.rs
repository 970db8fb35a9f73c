//! Values of positions and plays.

use serde::Serialize;
use tavli::NO_STOP;
use tavli::games::{AnyPosition, RankedChoice};
use tavli_web_module::Failure;

use crate::nets::Player;
use crate::positions;
use crate::positions::PlayJson;

/// The value of a position, for the player on roll or to move.
#[derive(Debug, Serialize)]
pub(crate) struct ValueJson {
    equity: f64,
    /// The plies of look-ahead.
    plies: u32,
}

/// A play with its value for the player who makes it.
#[derive(Debug, Serialize)]
pub(crate) struct ValuedPlayJson {
    #[serde(flatten)]
    play: PlayJson,
    equity: f64,
    behind: f64,
    plies: u32,
}

pub(crate) fn value(position: &AnyPosition, player: Option<&str>) -> Result<ValueJson, Failure> {
    let player = Player::read(position, player)?;
    let value = position.value(player.evaluator(), NO_STOP);
    Ok(ValueJson { equity: value.map_err(|error| player.explain(position, error.into()))?, plies: player.plies() })
}

/// The plays of a roll with their values by a player, the best first.
pub(crate) fn plays(
    position: &AnyPosition,
    roll: Option<&str>,
    player: Option<&str>,
) -> Result<Vec<ValuedPlayJson>, Failure> {
    let player = Player::read(position, player)?;
    let ranked = position.ranked(roll, player.evaluator(), NO_STOP);
    let ranked = ranked.map_err(|error| player.explain(position, error.into()))?;
    let mut plays: Vec<Option<PlayJson>> = positions::plays(position, roll)?.into_iter().map(Some).collect();
    let best = ranked.first().map_or(0.0, |best| best.value);
    let valued = ranked.into_iter().map(|RankedChoice { choice, value, plies }| ValuedPlayJson {
        play: plays[choice].take().expect("each choice is ranked once"),
        equity: value,
        behind: best - value,
        plies,
    });
    Ok(valued.collect())
}
