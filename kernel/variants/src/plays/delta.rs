//! The change of a play.

use tavli_algebra::OFF_BIT;
use tavli_algebra::planes::{self, CheckerPlanes, Steps};
use tavli_simd::Vector;

/// The change of the counts by a play: how many checkers each point gains, in two's complement, as bit planes.
#[derive(Clone, Copy)]
pub(crate) struct PlaneDelta<V>(pub(crate) CheckerPlanes<V>);

impl<V: Vector> PlaneDelta<V> {
    /// One checker by each of two dice, from single bits. The two highest planes are the same, since no point gains or
    /// loses more than two checkers.
    #[inline(always)]
    pub(crate) fn from_pair<const BEAR_OFF: bool>((by_high, by_low): (V, V), high: V, low: V) -> PlaneDelta<V> {
        let (mut to_high, mut to_low) = (by_high.shr(high), by_low.shr(low));
        if BEAR_OFF {
            (to_high, to_low) = (to_high & !OFF_BIT, to_low & !OFF_BIT);
        }
        // A point that one checker leaves and the other lands on keeps its count.
        let fewer = (by_high | by_low) & !(to_high | to_low);
        // In two's complement, one or two checkers less set all planes from the second on.
        PlaneDelta([by_high ^ by_low ^ to_high ^ to_low, fewer | (to_high & to_low), fewer, fewer])
    }

    /// Steps of one die, by the points they start from.
    #[inline(always)]
    pub(crate) fn from_steps(steps: &Steps<V>, die: V) -> PlaneDelta<V> {
        PlaneDelta(planes::difference(steps, &planes::on_board(&planes::landings(steps, die))))
    }

    /// Adds it to counts.
    #[inline(always)]
    pub(crate) fn make(&self, counts: &mut CheckerPlanes<V>) {
        planes::add_difference(counts, &self.0);
    }
}
