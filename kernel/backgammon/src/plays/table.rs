//! The plays of any roll in any position, behind one interface.

use super::bear_in::BearIn;
use super::doubles::DoublePlays;
use super::masks::Masks;
use super::non_doubles::NonDoublePlays;
use super::planes::Counts;
use super::side::{self, Moved};
use super::step_list::StepList;
use super::transfer::Transfer;
use crate::board::{BAR_BIT, HOME};
use crate::rules::Goal;
use tavli_simd::{Bits, Vector, Word};

/// The plays of one roll in one position, in the order of their indices.
pub(crate) trait Table<B: Bits> {
    /// The number of plays. A pass is one play.
    fn plays(&self) -> Word<B>;

    /// The play of an index below [`Table::plays`].
    fn transfer(&self, index: Word<B>) -> Transfer<Word<B>>;

    /// Calls `visit` with the mover's side after every play, in the order of the indices, and with its steps if `STEPS`.
    /// `mover` is the side before.
    fn for_each<const STEPS: bool>(&self, mover: B::Eight, visit: impl FnMut(Moved<B>));
}

/// What to do with a table of any kind of roll.
pub(crate) trait Visit<B: Bits> {
    /// What the visit returns.
    type Output;

    fn visit(self, table: &impl Table<B>, masks: &Masks<Word<B>>) -> Self::Output;
}

/// Counts the plays of `high` and `low` and hands their table to `visitor`.
#[inline(always)]
pub(crate) fn visit_table<G: Goal, B: Bits, T: Visit<B>>(
    mover: &Counts<Word<B>>,
    masks: &Masks<Word<B>>,
    high: Word<B>,
    low: Word<B>,
    visitor: T,
) -> T::Output {
    // Each test saves the work for what it rules out.
    let entering = masks.occupied.meets(high.splat(BAR_BIT));
    if high.equals(low) {
        if G::BEAR_OFF && BearIn::applies(mover, high) {
            let table = BearInTable {
                table: BearIn::new(mover, masks.blocked, high),
                die: high,
            };
            visitor.visit(&table, masks)
        } else if entering {
            visitor.visit(
                &DoubleTable::<B, false>::new::<true>(mover, masks, high),
                masks,
            )
        } else if G::BEAR_OFF && (masks.occupied & !HOME).is_zero() {
            visitor.visit(
                &DoubleTable::<B, true>::new::<false>(mover, masks, high),
                masks,
            )
        } else {
            visitor.visit(
                &DoubleTable::<B, false>::new::<false>(mover, masks, high),
                masks,
            )
        }
    } else if entering {
        visitor.visit(
            &NonDoubleTable::<B, true, false>::new(masks, high, low),
            masks,
        )
    } else if G::BEAR_OFF && at_most_one_outside(masks.occupied, masks.made) {
        visitor.visit(
            &NonDoubleTable::<B, false, true>::new(masks, high, low),
            masks,
        )
    } else {
        visitor.visit(
            &NonDoubleTable::<B, false, false>::new(masks, high, low),
            masks,
        )
    }
}

/// Whether a non-double may bear a checker off: at most one checker is not home.
#[inline(always)]
pub(crate) fn at_most_one_outside<V: Vector>(occupied: V, made: V) -> V::Lanes {
    let outside = occupied & !HOME;
    let all_but_last = outside & outside.minus(outside.splat(1));
    (all_but_last | (made & !HOME)).is_zero()
}

struct NonDoubleTable<B: Bits, const ENTERING: bool, const BEAR_OFF: bool> {
    table: NonDoublePlays<Word<B>>,
    high: Word<B>,
    low: Word<B>,
}

impl<B: Bits, const ENTERING: bool, const BEAR_OFF: bool> NonDoubleTable<B, ENTERING, BEAR_OFF> {
    #[inline(always)]
    fn new(masks: &Masks<Word<B>>, high: Word<B>, low: Word<B>) -> Self {
        NonDoubleTable {
            table: NonDoublePlays::new::<ENTERING, BEAR_OFF>(masks, high, low),
            high,
            low,
        }
    }
}

impl<B: Bits, const ENTERING: bool, const BEAR_OFF: bool> Table<B>
    for NonDoubleTable<B, ENTERING, BEAR_OFF>
{
    #[inline(always)]
    fn plays(&self) -> Word<B> {
        self.table.plays()
    }

    #[inline(always)]
    fn transfer(&self, index: Word<B>) -> Transfer<Word<B>> {
        let (by_high, by_low) = self.table.sources::<ENTERING, BEAR_OFF>(index);
        Transfer::of_pair::<BEAR_OFF>(by_high, by_low, self.high, self.low)
    }

    #[inline(always)]
    fn for_each<const STEPS: bool>(&self, mover: B::Eight, visit: impl FnMut(Moved<B>)) {
        self.table.for_each::<ENTERING, BEAR_OFF>(mover, visit);
    }
}

struct DoubleTable<B: Bits, const BEAR_OFF: bool> {
    table: DoublePlays<Word<B>>,
    die: Word<B>,
}

impl<B: Bits, const BEAR_OFF: bool> DoubleTable<B, BEAR_OFF> {
    #[inline(always)]
    fn new<const ENTERING: bool>(
        mover: &Counts<Word<B>>,
        masks: &Masks<Word<B>>,
        die: Word<B>,
    ) -> Self {
        DoubleTable {
            table: DoublePlays::new::<ENTERING, BEAR_OFF>(mover, masks.blocked, die, die.splat(4)),
            die,
        }
    }
}

impl<B: Bits, const BEAR_OFF: bool> Table<B> for DoubleTable<B, BEAR_OFF> {
    #[inline(always)]
    fn plays(&self) -> Word<B> {
        self.table.plays()
    }

    #[inline(always)]
    fn transfer(&self, index: Word<B>) -> Transfer<Word<B>> {
        let steps = self.table.steps::<BEAR_OFF>(&self.table.uses(index));
        Transfer::of_steps::<BEAR_OFF>(steps, self.die)
    }

    #[inline(always)]
    fn for_each<const STEPS: bool>(&self, mover: B::Eight, visit: impl FnMut(Moved<B>)) {
        self.table.for_each::<BEAR_OFF, STEPS>(mover, visit);
    }
}

struct BearInTable<B: Bits> {
    table: BearIn<Word<B>>,
    die: Word<B>,
}

impl<B: Bits> Table<B> for BearInTable<B> {
    #[inline(always)]
    fn plays(&self) -> Word<B> {
        self.table.plays()
    }

    #[inline(always)]
    fn transfer(&self, index: Word<B>) -> Transfer<Word<B>> {
        Transfer::of_steps::<true>(self.table.steps(index), self.die)
    }

    #[inline(always)]
    fn for_each<const STEPS: bool>(&self, mover: B::Eight, mut visit: impl FnMut(Moved<B>)) {
        let mover = side::counts(mover, self.die);
        for index in 0..self.plays().get() {
            let transfer = self.transfer(self.die.splat(index));
            let mut moved = transfer.moved(&mover);
            if STEPS {
                moved.steps = StepList::NONE.and_all(transfer.sources, self.die);
            }
            visit(moved);
        }
    }
}
