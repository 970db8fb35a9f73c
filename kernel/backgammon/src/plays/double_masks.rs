//! The masks that the plays of a double are counted from: checkers on the bar enter first.

use tavli_algebra::{DoubleMasks, HOME_AND_OFF};
use tavli_simd::Vector;

use super::planes::{self, CheckerPlanes};
use crate::board::{BAR_BIT, POINTS};

/// The masks of the plays of four times `die`. `ENTERING` must be set if there may be checkers on the bar, `BEAR_OFF`
/// if all checkers may be home.
#[inline(always)]
pub(crate) fn double_masks<V: Vector, const ENTERING: bool, const BEAR_OFF: bool>(
    counts: &CheckerPlanes<V>,
    blocked: V,
    die: V,
) -> DoubleMasks<V> {
    let (occupied, _) = planes::occupied_and_made(counts);
    let open = !blocked & POINTS;
    let mut bears_off = die.lanes_of_bits(0);
    if BEAR_OFF {
        bears_off = (occupied & !HOME_AND_OFF).lanes_zero();
    }

    // All checkers on the bar enter first; if some stay there, nothing else moves.
    let mut counts = *counts;
    let mut entry = [die.splat(0); 3];
    let mut allowed = die.splat(4);
    if ENTERING {
        // Each of these is one bit, the bar's. Of four and more checkers four enter.
        let can_enter = open.shl(die) & BAR_BIT;
        let over_three = can_enter & (counts[2] | counts[3]);
        let few = can_enter & !over_three;
        let some_stay = (occupied & !can_enter & BAR_BIT) | (over_three & (counts[0] | counts[1] | counts[3]));
        entry = [counts[0] & few, counts[1] & few, over_three];
        let entered =
            entry[0].shr_by::<25>().wrapping_add(entry[1].shr_by::<24>()).wrapping_add(entry[2].shr_by::<23>());
        allowed = allowed.wrapping_sub(entered).zero_unless(some_stay.lanes_zero());
        planes::add(&mut counts, &planes::landings(&entry, die));
    }
    DoubleMasks::new(counts, open, die, allowed, bears_off).after_forced(entry)
}
