//! Plays of a non-double that bear a checker off with the second die.

use crate::board::HOME;
use crate::plays::masks::Masks;
use tavli_algebra::not_below;
use tavli_simd::Vector;

/// The plays in which the straggler, the rearmost checker, moves by one die, and the other die can bear off only
/// then.
#[derive(Clone, Copy)]
pub(super) struct SecondDieBearOff<V: Vector> {
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

impl<V: Vector> SecondDieBearOff<V> {
    /// No such plays.
    #[inline(always)]
    pub(super) fn none(zero: V) -> SecondDieBearOff<V> {
        let none = SecondStep {
            lanes: zero.lanes(0),
            source: zero,
        };
        SecondDieBearOff {
            straggler: zero,
            low_first: none,
            high_first: none,
        }
    }

    /// The plays of `high` and `low`. These dice can move the checkers of `by_high` and `by_low` first.
    #[inline(always)]
    pub(super) fn new(masks: &Masks<V>, straggler: V, high: V, low: V, by_high: V, by_low: V) -> SecondDieBearOff<V> {
        let outside = !(masks.occupied & !HOME).is_zero();
        let low_landing = straggler.shr(low);
        let high_landing = straggler.shr(high);
        let low_first = second(masks, straggler, by_low, low_landing, high, outside);
        let high_first = second(masks, straggler, by_high, high_landing, low, outside);
        // If both bear off the straggler, or run it off without a hit, they are one play.
        let difference = low_landing ^ high_landing ^ low_first.source ^ high_first.source;
        let hits = (low_landing | high_landing) & masks.blots;
        let same = ((difference | hits) & !1).is_zero();
        SecondDieBearOff {
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
    masks: &Masks<V>,
    straggler: V,
    by_first: V,
    landing: V,
    die: V,
    outside: V::Lanes,
) -> SecondStep<V> {
    let after = (masks.occupied ^ straggler) | (landing & !1);
    let not_below = not_below(die);
    let above = after & not_below;
    let nearest = above & above.splat(0).wrapping_sub(above);
    let exact = die.splat(1).shl(die).zero_unless(outside);
    // Nothing else may remain. A straggler or another checker outside is greater, as a number, than any exact point.
    let stays = straggler & (masks.made | !by_first);
    let left = stays | (after & !HOME) | nearest;
    let bears_off = !exact.less(left) & !after.is_zero();
    SecondStep {
        lanes: bears_off,
        source: (after & !not_below.shl_by::<1>()).highest_bit(),
    }
}
