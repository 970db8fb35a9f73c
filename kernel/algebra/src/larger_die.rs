//! Steps of a double that bear off by a die larger than the rearmost point.

use tavli_simd::Vector;

use crate::planes::{self, CheckerPlanes, Steps};

/// The points that are not below the one that a die bears off from exactly.
#[inline(always)]
pub fn not_below<V: Vector>(die: V) -> V {
    die.splat(u32::MAX).shl(die)
}

/// Adds to `steps` the steps that bear off by a die larger than the rearmost point, of which `left` may remain.
/// They are played only after every other step, so they follow from the rest of the play.
#[inline(always)]
pub fn with_larger_die<V: Vector>(counts: &CheckerPlanes<V>, steps: Steps<V>, left: V, die: V) -> Steps<V> {
    if V::skips_on_one_lane(!left.lanes_zero()) {
        return steps;
    }
    let mut counts = *counts;
    let landings = planes::on_board(&planes::landings(&steps, die));
    planes::move_checkers(&mut counts, &steps, &landings);
    planes::join(&steps, &by_larger_die(&counts, left, die))
}

/// The steps that bear off by a die larger than the rearmost point, of which `left` may remain.
#[inline(always)]
pub fn by_larger_die<V: Vector>(counts: &CheckerPlanes<V>, left: V, die: V) -> Steps<V> {
    let mut at_least = planes::at_least(counts);
    let left = left.zero_unless((at_least[0] & not_below(die)).lanes_zero());
    let mut rearmost = [die.splat(0); 4];
    for (number, source) in rearmost.iter_mut().enumerate() {
        let goes = die.splat(number as u32).lanes_less(left);
        if V::skips_on_one_lane(goes) {
            break;
        }
        *source = at_least[0].highest_bit().zero_unless(goes);
        for this in 0..3 {
            at_least[this] = at_least[this] & (at_least[this + 1] | !*source);
        }
        at_least[3] = at_least[3] & !*source;
    }
    planes::four(rearmost)
}
