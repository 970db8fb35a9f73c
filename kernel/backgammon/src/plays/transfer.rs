//! The checkers that a play moves.

use super::planes::{self, Counts, Steps, mirror};
use super::side::{self, Moved};
use super::step_list::StepList;
use tavli_simd::{Bits, Vector, Word};

/// The checkers that a play takes up and puts down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transfer<V> {
    pub(crate) sources: Steps<V>,
    pub(crate) landings: Steps<V>,
}

impl<V: Vector> Transfer<V> {
    /// One checker by each of two dice, from single bits; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn of_pair<const BEAR_OFF: bool>(
        by_high: V,
        by_low: V,
        high: V,
        low: V,
    ) -> Transfer<V> {
        let zero = high.splat(0);
        let (to_high, to_low) = (by_high.shr(high), by_low.shr(low));
        let landings = [to_high ^ to_low, to_high & to_low, zero];
        Transfer {
            sources: [by_high ^ by_low, by_high & by_low, zero],
            landings: if BEAR_OFF {
                planes::on_board(&landings)
            } else {
                landings
            },
        }
    }

    /// Steps of one die; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn of_steps<const BEAR_OFF: bool>(steps: Steps<V>, die: V) -> Transfer<V> {
        let landings = planes::landings(&steps, die);
        Transfer {
            sources: steps,
            landings: if BEAR_OFF {
                planes::on_board(&landings)
            } else {
                landings
            },
        }
    }

    /// Makes the play on both sides' counts.
    #[inline(always)]
    pub(crate) fn make(&self, mover: &mut Counts<V>, other: &mut Counts<V>, blots: V) {
        planes::move_checkers(mover, &self.sources, &self.landings);
        let hits = self.reached() & blots;
        if !V::may_skip(!hits.is_zero()) {
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

impl<B: Bits> Transfer<Word<B>> {
    /// The mover's side with the play made.
    #[inline(always)]
    pub(crate) fn moved(&self, mover: &Counts<Word<B>>) -> Moved<B> {
        let mut counts = *mover;
        planes::move_checkers(&mut counts, &self.sources, &self.landings);
        let [ones, twos, fours] = self.landings;
        Moved {
            words: side::of_counts(&counts),
            landings: ones | twos | fours,
            steps: StepList::NONE,
        }
    }
}
