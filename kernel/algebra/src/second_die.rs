//! Plays of two different dice that bear a checker off with the second die.

use tavli_simd::Vector;

use crate::larger_die::not_below;
use crate::pair_table::PairPlace;
use crate::points::{HOME_AND_OFF, OFF_BIT};

/// The plays in which the straggler, the rearmost checker, moves by one die, and the other die can bear off only
/// then.
#[derive(Clone, Copy)]
pub struct SecondDieBearOff<V: Vector> {
    /// The point of the straggler.
    pub straggler: V,
    /// The straggler moves by the low die, and the high die bears off.
    pub low_first: SecondStep<V>,
    /// The straggler moves by the high die, and the low die bears off.
    pub high_first: SecondStep<V>,
}

/// The step of the die that bears off.
#[derive(Clone, Copy)]
pub struct SecondStep<V: Vector> {
    /// Lanes in which there is such a step.
    pub lanes: V::Lanes,
    /// The point from which a checker is borne off.
    pub source: V,
}

/// The points of the side that moves, without the place off the board.
#[derive(Clone, Copy)]
pub struct Checkers<V: Vector> {
    /// Points with checkers that may move.
    pub occupied: V,
    /// Points with two or more such checkers.
    pub made: V,
}

impl<V: Vector> SecondDieBearOff<V> {
    /// No such plays.
    #[inline(always)]
    pub fn none(zero: V) -> SecondDieBearOff<V> {
        let none = SecondStep { lanes: zero.lanes_of_bits(0), source: zero };
        SecondDieBearOff { straggler: zero, low_first: none, high_first: none }
    }

    /// The plays of two dice, which can move the checkers of `by_high` and `by_low` first. A straggler that runs hits
    /// the `blots`, which are 0 in games without hits. Checkers are borne off in all lanes.
    #[inline(always)]
    pub fn new(
        checkers: Checkers<V>,
        blots: V,
        straggler: V,
        (high, low): (V, V),
        (by_high, by_low): (V, V),
    ) -> SecondDieBearOff<V> {
        let outside = !(checkers.occupied & !HOME_AND_OFF).lanes_zero();
        let low_landing = straggler.shr(low);
        let high_landing = straggler.shr(high);
        let low_first = second_step(checkers, straggler, by_low, low_landing, high, outside);
        let high_first = second_step(checkers, straggler, by_high, high_landing, low, outside);
        // If both bear off the straggler, or the same other checker while the straggler ends on the same point without
        // a hit, they are one play.
        let difference = low_landing ^ high_landing ^ low_first.source ^ high_first.source;
        let hits = (low_landing | high_landing) & blots;
        let same = ((difference | hits) & !OFF_BIT).lanes_zero();
        SecondDieBearOff {
            straggler,
            low_first,
            high_first: SecondStep { lanes: high_first.lanes & !(low_first.lanes & same), ..high_first },
        }
    }

    /// These plays in some lanes only.
    #[inline(always)]
    pub fn in_lanes(self, lanes: V::Lanes) -> SecondDieBearOff<V> {
        let only = |step: SecondStep<V>| SecondStep { lanes: step.lanes & lanes, ..step };
        SecondDieBearOff { low_first: only(self.low_first), high_first: only(self.high_first), ..self }
    }

    /// Lanes with at least one of these plays.
    #[inline(always)]
    pub fn lanes(&self) -> V::Lanes {
        self.low_first.lanes | self.high_first.lanes
    }

    /// A number of plays with the number of these plays added.
    #[inline(always)]
    pub fn added_to(&self, plays: V) -> V {
        plays.add_one(self.low_first.lanes).add_one(self.high_first.lanes)
    }

    /// The place of the play of `index`, counted from 0, among these plays; `place` in lanes where `index` is none of
    /// them.
    #[inline(always)]
    pub fn place_or(&self, index: V, place: PairPlace<V>) -> PairPlace<V> {
        let SecondDieBearOff { straggler, low_first, high_first } = *self;
        let is_low_first = low_first.lanes & index.lanes_zero();
        let is_high_first = high_first.lanes & !is_low_first & (index & !1).lanes_zero();
        let picked = is_low_first | is_high_first;
        let row = low_first.source.blend(is_low_first, straggler);
        let column = straggler.blend(is_low_first, high_first.source);
        PairPlace {
            row_mask: row.blend(picked, place.row_mask),
            column_mask: column.blend(picked, place.column_mask),
            ranks: place.ranks.zero_unless(!picked),
            width: place.width,
            runs: place.runs.zero_unless(!picked),
        }
    }
}

/// The step of `die` that bears off after the other die has moved the straggler to `landing`. The other die can move
/// the checkers of `by_first` first. If the straggler was `outside` its home board, `die` bears off exactly, or the
/// rearmost checker from below. If it was not, an exact bear-off is a pair already.
#[inline(always)]
fn second_step<V: Vector>(
    checkers: Checkers<V>,
    straggler: V,
    by_first: V,
    landing: V,
    die: V,
    outside: V::Lanes,
) -> SecondStep<V> {
    let after = (checkers.occupied ^ straggler) | (landing & !OFF_BIT);
    let not_below = not_below(die);
    let above = after & not_below;
    let nearest = above & above.splat(0).wrapping_sub(above);
    let exact = die.splat(1).shl(die).zero_unless(outside);
    // Nothing else may remain. A straggler or another checker outside is greater, as a number, than any exact point.
    let stays = straggler & (checkers.made | !by_first);
    let left = stays | (after & !HOME_AND_OFF) | nearest;
    let bears_off = !exact.lanes_less(left) & !after.lanes_zero();
    SecondStep { lanes: bears_off, source: (after & !not_below.shl_by::<1>()).highest_bit() }
}
