//! The masks that the plays of a double are counted from: the runner goes first.

use tavli_algebra::{DoubleMasks, planes};
use tavli_simd::Vector;

use super::delta::PlaneDelta;
use super::mover_masks::MoverMasks;

/// The masks of the plays of four times `die`. `HAS_RUNNER` must be set if the runner of some lane may not have passed,
/// and `BEAR_OFF` if some lane bears off before the roll.
#[inline(always)]
pub(crate) fn double_masks<V: Vector, const HAS_RUNNER: bool, const BEAR_OFF: bool>(
    turn: &MoverMasks<V>,
    die: V,
) -> DoubleMasks<V> {
    let zero = die.splat(0);
    let mut bears_off = zero.lanes_of_bits(0);
    if BEAR_OFF {
        bears_off = turn.bears_off();
    }
    let masks = DoubleMasks::new(turn.counts, turn.open, die, die.splat(4), bears_off);
    let starting = !turn.runner.lanes_zero();
    if !HAS_RUNNER || V::skips_on_one_lane(starting) {
        return masks;
    }
    // The runner goes until it has passed, is blocked, or no step is left.
    let landing_open = turn.open.shl(die);
    let mut forced = [zero; 3];
    let mut at = turn.runner;
    let mut left = die.splat(4);
    for _ in 0..4 {
        let goes = at & landing_open & !turn.passed;
        forced = planes::join(&forced, &[goes, zero, zero]);
        at = goes.shr(die).blend(!goes.lanes_zero(), at);
        left = left.wrapping_sub(goes.count_ones());
    }
    let left = left.zero_unless(turn.has_passed(at) | !starting);
    let mut counts = turn.counts;
    PlaneDelta::from_steps(&forced, die).make(&mut counts);
    DoubleMasks::new(counts, turn.open, die, left, bears_off).after_forced(forced)
}
