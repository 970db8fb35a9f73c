//! Plays between their choice and the next ply.

use crate::plays::Difference;
use tavli_simd::Vector;

/// What the plays of two different dice change that are chosen for the games of a block.
#[derive(Clone, Copy)]
pub(super) struct Choice<V: Vector> {
    /// The planes of a [`Difference`], of which the last is the highest, too.
    more: [V; 3],
    landings: V,
}

impl<V: Vector> Choice<V> {
    /// No play, of a vector of zeros.
    #[inline(always)]
    pub(super) fn nothing(zero: V) -> Choice<V> {
        Choice {
            more: [zero; 3],
            landings: zero,
        }
    }

    /// Two checkers that move by these dice.
    #[inline(always)]
    pub(super) fn new<const BEAR_OFF: bool>(
        (by_high, by_low): (V, V),
        (high, low): (V, V),
    ) -> Choice<V> {
        let Difference { more, landings } =
            Difference::of_pair::<BEAR_OFF>(by_high, by_low, high, low);
        let [ones, twos, fours, _] = more;
        Choice {
            more: [ones, twos, fours],
            landings,
        }
    }

    /// What they change.
    #[inline(always)]
    pub(super) fn difference(&self) -> Difference<V> {
        let [ones, twos, fours] = self.more;
        Difference {
            more: [ones, twos, fours, fours],
            landings: self.landings,
        }
    }
}
