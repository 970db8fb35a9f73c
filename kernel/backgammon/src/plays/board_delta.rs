//! The change of a play as the checkers that it takes up and puts down.

use super::packed_side::{self, MovedSide};
use super::planes::{self, CheckerPlanes, Steps, mirror};
use super::step_list::StepList;
use tavli_simd::{ScalarIsa, Vector, Word};

/// The checkers that a play takes up and puts down, as bit planes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BoardDelta<V> {
    pub(crate) sources: Steps<V>,
    pub(crate) landings: Steps<V>,
}

impl<V: Vector> BoardDelta<V> {
    /// One checker by each of two dice, from single bits; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn from_pair<const BEAR_OFF: bool>(by_high: V, by_low: V, high: V, low: V) -> BoardDelta<V> {
        let zero = high.splat(0);
        let (to_high, to_low) = (by_high.shr(high), by_low.shr(low));
        let landings = [to_high ^ to_low, to_high & to_low, zero];
        BoardDelta {
            sources: [by_high ^ by_low, by_high & by_low, zero],
            landings: if BEAR_OFF { planes::on_board(&landings) } else { landings },
        }
    }

    /// Steps of one die; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn from_steps<const BEAR_OFF: bool>(steps: Steps<V>, die: V) -> BoardDelta<V> {
        let landings = planes::landings(&steps, die);
        BoardDelta { sources: steps, landings: if BEAR_OFF { planes::on_board(&landings) } else { landings } }
    }

    /// Makes the play on both sides' counts.
    #[inline(always)]
    pub(crate) fn make(&self, mover: &mut CheckerPlanes<V>, other: &mut CheckerPlanes<V>, blots: V) {
        planes::move_checkers(mover, &self.sources, &self.landings);
        let hits = self.reached() & blots;
        if !V::skips_on_one_lane(!hits.lanes_zero()) {
            planes::send_to_bar(other, mirror(hits));
        }
    }

    /// The points that checkers land on.
    #[inline(always)]
    pub(super) fn reached(&self) -> V {
        let [ones, twos, fours] = self.landings;
        ones | twos | fours
    }
}

impl<B: ScalarIsa> BoardDelta<Word<B>> {
    /// The mover's side with the play made.
    #[inline(always)]
    pub(crate) fn moved(&self, mover: &CheckerPlanes<Word<B>>) -> MovedSide<B> {
        let mut counts = *mover;
        planes::move_checkers(&mut counts, &self.sources, &self.landings);
        let [ones, twos, fours] = self.landings;
        MovedSide { words: packed_side::from_counts(&counts), landings: ones | twos | fours, steps: StepList::NONE }
    }
}
