//! Arithmetic on counts in bit planes that only backgammon has: blots, the other side's frame, the bar.

pub(crate) use tavli_algebra::planes::{
    CheckerPlanes, Steps, add, add_difference, difference, four, landings, move_checkers, occupied_and_made, on_board,
};
use tavli_simd::Vector;

use crate::board::{BAR, BAR_BIT, OFF};

/// The bits of a plane, of which the bar's is the highest.
const PLANE: u32 = (BAR_BIT << 1) - 1;

/// The bits of the points and the bar.
pub(crate) const POINTS_AND_BAR: u32 = PLANE & !(1 << OFF);

/// Points of a side with one checker.
#[inline(always)]
pub(crate) fn blots<V: Vector>(counts: &CheckerPlanes<V>) -> V {
    let (_, made) = occupied_and_made(counts);
    counts[0] & !made
}

/// Points in the other side's frame, where point `p` is `25 - p`.
#[inline(always)]
pub(crate) fn mirror<V: Vector>(points: V) -> V {
    points.reverse::<26>()
}

/// Sends blots that were hit to their owner's bar. `hits` is a mask in the owner's frame.
#[inline(always)]
pub(crate) fn send_to_bar<V: Vector>(counts: &mut CheckerPlanes<V>, hits: V) {
    let hit = hits.count_ones().shl_by::<{ BAR as u32 }>();
    // The carry beyond the bar of a plane: each unit there is one of the bar in the next plane.
    let ones = (counts[0] & !hits).wrapping_add(hit);
    let twos = counts[1].add_half(ones & !PLANE);
    let fours = counts[2].add_half(twos & !PLANE);
    counts[0] = ones & PLANE;
    counts[1] = twos & PLANE;
    counts[2] = fours & PLANE;
    counts[3] = counts[3].add_half(fours & !PLANE);
}
