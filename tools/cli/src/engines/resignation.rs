//! Whether an engine accepts a resignation.

use tavli::engine::Decision;

/// Whether the player who is offered these points (1, 2 or 3 times the cube) does no better by playing on. `decision` is
/// that of the other player, who is on roll.
pub(super) fn accepts(decision: &Decision, points: u8) -> bool {
    let equity = decision
        .cube
        .map_or_else(|| decision.value.equity(), |cube| cube.best());
    -equity <= f64::from(points)
}
