//! The change of a play as a difference of bit planes.

use super::board_delta::BoardDelta;
use super::planes::{self, CheckerPlanes, Steps, mirror};
use tavli_simd::Vector;

/// The change of the mover's counts by a play, and where it may hit: enough to make it.
#[derive(Clone, Copy)]
pub(crate) struct PlaneDelta<V> {
    /// How many checkers each point gains, in two's complement, as bit planes.
    pub(crate) gain: CheckerPlanes<V>,
    /// The points that checkers land on, also on their way.
    pub(crate) landings: V,
}

impl<V: Vector> PlaneDelta<V> {
    /// One checker by each of two dice, from single bits; without `BEAR_OFF` none leaves the board. The two highest
    /// planes are the same, since no point gains or loses more than two checkers.
    #[inline(always)]
    pub(crate) fn from_pair<const BEAR_OFF: bool>(by_high: V, by_low: V, high: V, low: V) -> Self {
        let (mut to_high, mut to_low) = (by_high.shr(high), by_low.shr(low));
        if BEAR_OFF {
            [to_high, to_low, _] = planes::on_board(&[to_high, to_low, to_low]);
        }
        let landings = to_high | to_low;
        // A point that one checker leaves and the other lands on keeps its count.
        let fewer = (by_high | by_low) & !landings;
        PlaneDelta { gain: [by_high ^ by_low ^ to_high ^ to_low, fewer | (to_high & to_low), fewer, fewer], landings }
    }

    /// Steps of one die; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn from_steps<const BEAR_OFF: bool>(steps: Steps<V>, die: V) -> Self {
        let delta = BoardDelta::from_steps::<BEAR_OFF>(steps, die);
        PlaneDelta { gain: planes::difference(&delta.sources, &delta.landings), landings: delta.reached() }
    }

    /// The planes of the gain, the lowest first, then the landings.
    #[inline(always)]
    pub(crate) fn words(self) -> [V; 5] {
        let [ones, twos, fours, eights] = self.gain;
        [ones, twos, fours, eights, self.landings]
    }

    /// The change that has these [`words`](PlaneDelta::words).
    #[inline(always)]
    pub(crate) fn from_words([ones, twos, fours, eights, landings]: [V; 5]) -> Self {
        PlaneDelta { gain: [ones, twos, fours, eights], landings }
    }

    /// Makes the play on both sides' counts.
    #[inline(always)]
    pub(crate) fn make(&self, mover: &mut CheckerPlanes<V>, other: &mut CheckerPlanes<V>) {
        planes::add_difference(mover, &self.gain);
        // Blots are found again. Kept from the choice of the play, with the lanes of doubles, they took two lines of
        // memory more for each block (profiles/LOG.md, 2026-11-22).
        planes::send_to_bar(other, mirror(self.landings) & planes::blots(other));
    }
}
