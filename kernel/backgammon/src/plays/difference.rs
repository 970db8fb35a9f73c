//! What a play changes in the counts of both sides.

use super::planes::{self, Counts, Steps, mirror};
use super::transfer::Transfer;
use tavli_simd::Vector;

/// What a play adds to the mover's counts, and where it may hit: all that is left to know of it when it is made.
#[derive(Clone, Copy)]
pub(crate) struct Difference<V> {
    /// The planes of how many checkers more each point has, in two's complement.
    pub(crate) more: Counts<V>,
    /// The points that checkers land on, also on their way.
    pub(crate) landings: V,
}

impl<V: Vector> Difference<V> {
    /// One checker by each of two dice, from single bits; without `BEAR_OFF` none leaves the board. The two highest
    /// planes are the same, since no point gains or loses more than two checkers.
    #[inline(always)]
    pub(crate) fn of_pair<const BEAR_OFF: bool>(by_high: V, by_low: V, high: V, low: V) -> Self {
        let (mut to_high, mut to_low) = (by_high.shr(high), by_low.shr(low));
        if BEAR_OFF {
            [to_high, to_low, _] = planes::on_board(&[to_high, to_low, to_low]);
        }
        let landings = to_high | to_low;
        // A point that one checker leaves and the other lands on keeps its number.
        let fewer = (by_high | by_low) & !landings;
        Difference {
            more: [
                by_high ^ by_low ^ to_high ^ to_low,
                fewer | (to_high & to_low),
                fewer,
                fewer,
            ],
            landings,
        }
    }

    /// Steps of one die; without `BEAR_OFF` none leaves the board.
    #[inline(always)]
    pub(crate) fn of_steps<const BEAR_OFF: bool>(steps: Steps<V>, die: V) -> Self {
        let transfer = Transfer::of_steps::<BEAR_OFF>(steps, die);
        Difference {
            more: planes::difference(&transfer.sources, &transfer.landings),
            landings: transfer.reached(),
        }
    }

    /// Makes the play on both sides' counts.
    #[inline(always)]
    pub(crate) fn make(&self, mover: &mut Counts<V>, other: &mut Counts<V>) {
        planes::add_difference(mover, &self.more);
        planes::send_to_bar(other, mirror(self.landings) & planes::blots(other));
    }
}
