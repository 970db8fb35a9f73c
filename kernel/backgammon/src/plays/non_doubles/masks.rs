//! The masks that the plays of a non-double are counted from.
//!
//! Tested by `tests/suite/plays.rs`, `specification.rs` and `tiers.rs`.

use crate::board::{BAR_BIT, HOME, POINTS};
use crate::plays::masks::Masks;
use tavli_algebra::{Checkers, PairCells, PairTable, SecondDieBearOff, not_below};
use tavli_simd::Vector;

/// The masks that the plays of a non-double are counted from. They are apart from the counts so that a batch can count
/// for one block while it makes masks for another.
#[derive(Clone, Copy)]
pub(crate) struct NonDoubleMasks<V: Vector> {
    pub(super) dice: ByDie<V>,
    /// The checkers that each die can move first.
    pub(super) sources: ByDie<V>,
    pub(super) table: PairTable<V>,
    /// Sources of runs that the table lacks, by the die that is played first.
    pub(super) runs: ByDie<V>,
    pub(super) entry: Entry<V>,
    pub(super) bear_off: SecondDieBearOff<V>,
}

/// One value for each die of a roll.
#[derive(Clone, Copy)]
pub(crate) struct ByDie<T> {
    pub(crate) high: T,
    pub(crate) low: T,
}

/// The entry of checkers from the bar.
#[derive(Clone, Copy)]
pub(super) struct Entry<V: Vector> {
    /// The bar, if there is exactly one checker on it.
    pub(super) one: V,
    /// Sources by the high die while that checker enters by the low die.
    pub(super) while_low_enters: V,
}

impl<V: Vector> NonDoubleMasks<V> {
    /// The masks of the plays of `high` and `low`, `high` being the larger. `ENTERING` must be set if there may
    /// be checkers on the bar, `BEAR_OFF` if all checkers may be home, or all but one.
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        masks: &Masks<V>,
        high: V,
        low: V,
    ) -> NonDoubleMasks<V> {
        let Masks { occupied, made, blocked, blots } = *masks;
        let zero = occupied.splat(0);
        let one = occupied.splat(1);
        let single = occupied & !made;

        let mut open = !blocked & POINTS;
        let home = (occupied & !HOME).lanes_zero();
        if BEAR_OFF {
            open = open | one.zero_unless(home);
        }
        // Points from which a die, or both, end on an open point.
        let mut high_open = open.shl(high);
        let mut low_open = open.shl(low);
        let both_open = high_open.shl(low);
        let mut rearmost = zero;
        if BEAR_OFF {
            // A die beyond the rearmost point, which is then a home point, bears off from it.
            rearmost = occupied.highest_bit();
            high_open = high_open | (rearmost & !not_below(high));
            low_open = low_open | (rearmost & !not_below(low));
        }

        // Checkers on the bar move first.
        let bar = occupied.splat(BAR_BIT);
        let mut movable = occupied;
        if ENTERING {
            // As a number, the bar is greater than all points together.
            movable = occupied.min(bar);
        }
        let by_high = movable & high_open;
        let by_low = movable & low_open;
        let high_hits = blots.shl(high);
        let low_hits = blots.shl(low);

        // From the bar: one checker enters by either die, and any other moves by the other die. Of two or more
        // checkers on the bar, two enter.
        let mut columns = by_low;
        let mut while_low_enters = zero;
        let mut one_entering = zero;
        if ENTERING {
            one_entering = single & bar;
            let others = occupied ^ one_entering;
            columns = (others.min(bar) | one_entering.shr(high)) & low_open;
            let low_enters = one_entering & low_open;
            // A checker that enters and goes on ends on the same point whichever die it enters by. The two plays are
            // one unless it hits on the way.
            let same_run = low_enters & high_open & !(high_hits | low_hits);
            let after_entry = others | low_enters.shr(low);
            while_low_enters = after_entry & high_open & !same_run.shr(low);
            while_low_enters = while_low_enters.zero_unless(low_enters.test_any_bit(bar));
        }

        // Runs of one checker by both dice, either die first. Those from the bar are in the table.
        let runs_open = both_open & !bar;
        let run_high = by_high & runs_open;
        let run_low = by_low & runs_open;
        // The pair (x, x - a) with another checker on x - a is the run from x; so is (x, x + b).
        let high_follows = run_high & occupied.shl(high);
        let low_follows = run_low & occupied.shl(low);
        let high_lacks = run_high & (high_hits | !(high_follows | low_follows));
        let low_runs = run_low & (low_hits | !(low_follows | (run_high & !high_hits)));

        // A lone checker's pair with itself stands for its run by the high die, or is missing.
        let itself = by_high & columns & single;
        let lone = itself & !high_lacks;
        // If both pairs stand for one run, one is missing.
        let twice = high_follows & low_follows;
        let rows = [by_high & !(lone | twice), lone ^ twice, lone & twice];
        let high_runs = high_lacks & !itself;

        let bear_off = if BEAR_OFF {
            SecondDieBearOff::new(Checkers { occupied, made }, blots, rearmost, (high, low), (by_high, by_low))
        } else {
            SecondDieBearOff::none(zero)
        };

        NonDoubleMasks {
            dice: ByDie { high, low },
            sources: ByDie { high: by_high, low: by_low },
            table: PairTable { rows, columns, cells: PairCells { single, lone, twice } },
            runs: ByDie { high: high_runs, low: low_runs },
            entry: Entry { one: one_entering, while_low_enters },
            bear_off,
        }
    }

    /// The meaning of the table's cells.
    #[inline(always)]
    pub(crate) fn cells(&self) -> PairCells<V> {
        self.table.cells
    }

    /// These and another vector, [both kept live](Vector::keep_both_live).
    #[inline(always)]
    pub(crate) fn keep_both_live(mut self, other: V) -> (NonDoubleMasks<V>, V) {
        let (rows, other) = self.table.rows[0].keep_both_live(other);
        self.table.rows[0] = rows;
        (self, other)
    }
}
