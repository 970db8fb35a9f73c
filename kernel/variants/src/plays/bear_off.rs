//! Plays of two different dice that bear a checker off with the second die.

use tavli_simd::Vector;

use super::mover_masks::MoverMasks;
use crate::position::{HOME_BITS, OFF_BIT};
use tavli_algebra::not_below;

/// The plays in which the straggler, the rearmost checker, moves by one die, and the other die can bear off only
/// then.
#[derive(Clone, Copy)]
pub(super) struct BearOff<V: Vector> {
    pub(super) straggler: V,
    /// The straggler moves by the low die, and the high die bears off.
    pub(super) low_first: SecondStep<V>,
    /// The straggler moves by the high die, and the low die bears off.
    pub(super) high_first: SecondStep<V>,
}

/// The step of the die that bears off.
#[derive(Clone, Copy)]
pub(super) struct SecondStep<V: Vector> {
    /// Lanes in which there is one.
    pub(super) lanes: V::Lanes,
    pub(super) source: V,
}

impl<V: Vector> BearOff<V> {
    /// No such plays.
    #[inline(always)]
    pub(super) fn none(zero: V) -> BearOff<V> {
        let none = SecondStep {
            lanes: zero.lanes(0),
            source: zero,
        };
        BearOff {
            straggler: zero,
            low_first: none,
            high_first: none,
        }
    }

    /// The plays of `high` and `low`. These dice can move the checkers of `by_high` and `by_low` first.
    #[inline(always)]
    pub(super) fn new(
        turn: &MoverMasks<V>,
        straggler: V,
        (high, low): (V, V),
        (by_high, by_low): (V, V),
    ) -> BearOff<V> {
        let outside = !(turn.occupied & !HOME_BITS).is_zero();
        let low_landing = straggler.shr(low);
        let high_landing = straggler.shr(high);
        let low_first = second(turn, straggler, by_low, low_landing, high, outside);
        let high_first = second(turn, straggler, by_high, high_landing, low, outside);
        // Both bear off the straggler, or the same other checker while the straggler ends on the same point.
        let difference = low_landing ^ high_landing ^ low_first.source ^ high_first.source;
        let same = (difference & !OFF_BIT).is_zero();
        BearOff {
            straggler,
            low_first,
            high_first: SecondStep {
                lanes: high_first.lanes & !(low_first.lanes & same),
                ..high_first
            },
        }
    }
}

/// The step of `die` that bears off after the other die has moved the straggler to `landing`. The other die can move
/// the checkers of `by_first` first. If the straggler was `outside` its home board, `die` bears off exactly, or the
/// rearmost checker from below. If it was not, an exact bear-off is a pair already.
#[inline(always)]
fn second<V: Vector>(
    turn: &MoverMasks<V>,
    straggler: V,
    by_first: V,
    landing: V,
    die: V,
    outside: V::Lanes,
) -> SecondStep<V> {
    let after = (turn.occupied ^ straggler) | (landing & !OFF_BIT);
    let not_below = not_below(die);
    let above = after & not_below;
    let nearest = above & above.splat(0).wrapping_sub(above);
    let exact = die.splat(1).shl(die).zero_unless(outside);
    // Nothing else may remain. A straggler or another checker outside is greater, as a number, than any exact point.
    let stays = straggler & (turn.made | !by_first);
    let left = stays | (after & !HOME_BITS) | nearest;
    let bears_off = !exact.less(left) & !after.is_zero() & turn.unpinned;
    SecondStep {
        lanes: bears_off,
        source: (after & !not_below.shl_by::<1>()).highest_bit(),
    }
}
