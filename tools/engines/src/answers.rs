//! The answers of an engine to a double and to a resignation.

use tavli::evaluation::PositionValue;
use tavli::{Position, Stakes};

/// Whether the player who is offered `points` (1, 2 or 3 times the cube) does no better by playing on. `decision`
/// belongs to the other player, who is on roll.
pub(super) fn accepts(decision: &PositionValue, points: u8) -> bool {
    let equity = decision.cube.map_or_else(|| decision.value.equity(), |cube| cube.best());
    -equity <= f64::from(points)
}

/// `take`, `drop` or `beaver`: what the player who was doubled does. The position and the decision belong to the
/// doubler.
pub(super) fn to_double(decision: &PositionValue, position: &Position) -> &'static str {
    let Some(cube) = decision.cube else {
        return "take";
    };
    let may_beaver = matches!(position.context().stakes, Stakes::Money { beavers: true, .. });
    match (cube.double_take <= cube.double_pass, cube.double_take < 0.0 && may_beaver) {
        (true, true) => "beaver",
        (true, false) => "take",
        (false, _) => "drop",
    }
}
