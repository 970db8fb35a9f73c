//! The plays of a roll, behind one interface: of two different dice, of a double, of a double that bears the last
//! checkers in.

use super::board_delta::BoardDelta;
use super::double_list::for_each_double;
use super::double_masks::double_masks;
use super::masks::Masks;
use super::non_doubles::NonDoublePlays;
use super::packed_side::{self, MovedSide};
use super::planes::CheckerPlanes;
use super::step_list::StepList;
use crate::board::{BAR_BIT, HOME, POINTS};
use crate::rules::Goal;
use tavli_algebra::{BearIn, DoublePlays};
use tavli_simd::{ScalarIsa, Vector, Word};

/// The plays of one roll in one position, in the order of their indices.
pub(crate) trait PlaySet<B: ScalarIsa> {
    /// The number of plays. A pass is one play.
    fn plays(&self) -> Word<B>;

    /// The play of an index below [`PlaySet::plays`].
    fn delta(&self, index: Word<B>) -> BoardDelta<Word<B>>;

    /// Calls `visit` with the mover's side after every play, in the order of the indices, and with its steps if
    /// `STEPS`. `mover` is the side before.
    fn for_each<const STEPS: bool>(&self, mover: B::U32x8, visit: impl FnMut(MovedSide<B>));
}

/// A callback that is compiled for each kind of play set.
pub(crate) trait Visit<B: ScalarIsa> {
    /// The visitor's result.
    type Output;

    fn visit(self, set: &impl PlaySet<B>, masks: &Masks<Word<B>>) -> Self::Output;
}

pub(crate) struct CountPlays;

impl<B: ScalarIsa> Visit<B> for CountPlays {
    type Output = usize;

    #[inline(always)]
    fn visit(self, set: &impl PlaySet<B>, _: &Masks<Word<B>>) -> usize {
        set.plays().get() as usize
    }
}

/// Counts the plays of `high` and `low` and passes their set to `visitor`.
#[inline(always)]
pub(crate) fn visit_plays<G: Goal, B: ScalarIsa, T: Visit<B>>(
    mover: &CheckerPlanes<Word<B>>,
    masks: &Masks<Word<B>>,
    high: Word<B>,
    low: Word<B>,
    visitor: T,
) -> T::Output {
    // Each test saves the work of the cases that it rules out.
    let entering = masks.occupied.test_any_bit(high.splat(BAR_BIT));
    if high.lanes_equal(low) {
        if G::BEAR_OFF && BearIn::applies(mover, high) {
            let set = BearInSet { plays: BearIn::new(mover, !masks.blocked & POINTS, high), die: high };
            visitor.visit(&set, masks)
        } else if entering {
            visitor.visit(&DoubleSet::<B, false>::new::<true>(mover, masks, high), masks)
        } else if G::BEAR_OFF && (masks.occupied & !HOME).lanes_zero() {
            visitor.visit(&DoubleSet::<B, true>::new::<false>(mover, masks, high), masks)
        } else {
            visitor.visit(&DoubleSet::<B, false>::new::<false>(mover, masks, high), masks)
        }
    } else if entering {
        visitor.visit(&NonDoubleSet::<B, true, false>::new(masks, high, low), masks)
    } else if G::BEAR_OFF && at_most_one_outside(masks.occupied, masks.made) {
        visitor.visit(&NonDoubleSet::<B, false, true>::new(masks, high, low), masks)
    } else {
        visitor.visit(&NonDoubleSet::<B, false, false>::new(masks, high, low), masks)
    }
}

/// Whether a non-double may bear a checker off: at most one checker is not home.
#[inline(always)]
pub(crate) fn at_most_one_outside<V: Vector>(occupied: V, made: V) -> V::Lanes {
    let outside = occupied & !HOME;
    let all_but_last = outside & outside.wrapping_sub(outside.splat(1));
    (all_but_last | (made & !HOME)).lanes_zero()
}

struct NonDoubleSet<B: ScalarIsa, const ENTERING: bool, const BEAR_OFF: bool> {
    plays: NonDoublePlays<Word<B>>,
    high: Word<B>,
    low: Word<B>,
}

impl<B: ScalarIsa, const ENTERING: bool, const BEAR_OFF: bool> NonDoubleSet<B, ENTERING, BEAR_OFF> {
    #[inline(always)]
    fn new(masks: &Masks<Word<B>>, high: Word<B>, low: Word<B>) -> Self {
        NonDoubleSet { plays: NonDoublePlays::new::<ENTERING, BEAR_OFF>(masks, high, low), high, low }
    }
}

impl<B: ScalarIsa, const ENTERING: bool, const BEAR_OFF: bool> PlaySet<B> for NonDoubleSet<B, ENTERING, BEAR_OFF> {
    #[inline(always)]
    fn plays(&self) -> Word<B> {
        self.plays.plays()
    }

    #[inline(always)]
    fn delta(&self, index: Word<B>) -> BoardDelta<Word<B>> {
        let (by_high, by_low) = self.plays.sources::<ENTERING, BEAR_OFF>(index);
        BoardDelta::from_pair::<BEAR_OFF>(by_high, by_low, self.high, self.low)
    }

    #[inline(always)]
    fn for_each<const STEPS: bool>(&self, mover: B::U32x8, visit: impl FnMut(MovedSide<B>)) {
        self.plays.for_each::<ENTERING, BEAR_OFF>(mover, visit);
    }
}

struct DoubleSet<B: ScalarIsa, const BEAR_OFF: bool> {
    plays: DoublePlays<Word<B>>,
    die: Word<B>,
}

impl<B: ScalarIsa, const BEAR_OFF: bool> DoubleSet<B, BEAR_OFF> {
    #[inline(always)]
    fn new<const ENTERING: bool>(mover: &CheckerPlanes<Word<B>>, masks: &Masks<Word<B>>, die: Word<B>) -> Self {
        DoubleSet { plays: double_masks::<_, ENTERING, BEAR_OFF>(mover, masks.blocked, die).count(), die }
    }
}

impl<B: ScalarIsa, const BEAR_OFF: bool> PlaySet<B> for DoubleSet<B, BEAR_OFF> {
    #[inline(always)]
    fn plays(&self) -> Word<B> {
        self.plays.plays()
    }

    #[inline(always)]
    fn delta(&self, index: Word<B>) -> BoardDelta<Word<B>> {
        let steps = self.plays.steps::<BEAR_OFF>(&self.plays.uses(index));
        BoardDelta::from_steps::<BEAR_OFF>(steps, self.die)
    }

    #[inline(always)]
    fn for_each<const STEPS: bool>(&self, mover: B::U32x8, visit: impl FnMut(MovedSide<B>)) {
        for_each_double::<_, BEAR_OFF, STEPS>(&self.plays, mover, visit);
    }
}

struct BearInSet<B: ScalarIsa> {
    plays: BearIn<Word<B>>,
    die: Word<B>,
}

impl<B: ScalarIsa> PlaySet<B> for BearInSet<B> {
    #[inline(always)]
    fn plays(&self) -> Word<B> {
        self.plays.plays()
    }

    #[inline(always)]
    fn delta(&self, index: Word<B>) -> BoardDelta<Word<B>> {
        BoardDelta::from_steps::<true>(self.plays.steps(index), self.die)
    }

    #[inline(always)]
    fn for_each<const STEPS: bool>(&self, mover: B::U32x8, mut visit: impl FnMut(MovedSide<B>)) {
        let mover = packed_side::counts(mover, self.die);
        for index in 0..self.plays().get() {
            let delta = self.delta(self.die.splat(index));
            let mut moved = delta.moved(&mover);
            if STEPS {
                moved.steps = StepList::NONE.and_all(delta.sources, self.die);
            }
            visit(moved);
        }
    }
}
