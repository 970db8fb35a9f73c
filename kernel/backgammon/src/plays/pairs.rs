//! Plays of two different dice: counted in closed form, and picked by index.
//!
//! A play moves one checker from `x` by the high die `a` and one from `y` by the low die `b`. It is
//! drawn from a table whose rows are the sources `x` and whose columns are the sources `y`. The proof
//! that every distinct result stands in it exactly once is in [`algebra`](super::algebra).

use super::flips::Flips;
use super::{Masks, Moved, not_below};
use crate::board::{BAR_BIT, HOME, POINTS};
use tavli_simd::{Bits, Vector, Word};

/// A width that no place reaches: with it, a place is a rank in the column mask.
const ALL_COLUMNS: u32 = 15;

/// The masks that the table of plays of two different dice is made of. They and the counts are apart so that a batch
/// can count for one block while it makes masks for another.
#[derive(Clone, Copy)]
pub(crate) struct PairMasks<V: Vector> {
    high: V,
    low: V,
    cells: Cells<V>,
    /// Rows with no, one and two columns missing.
    rows: [V; 3],
    columns: V,
    /// Sources of runs by the high die first that the table lacks. From the bar: sources by the high
    /// die while the bar checker enters by the low one.
    high_extra: V,
    /// Those of them that are runs.
    high_runs: V,
    /// Sources of runs by the low die first that the table lacks.
    low_runs: V,
    /// Lanes with a checker on the bar.
    entering: V::Lanes,
    /// The bar, if there is one checker on it.
    one_entering: V,
    /// Checkers that either die can move first.
    by_high: V,
    by_low: V,
    bear_off: BearOff<V>,
}

/// The table of plays of a roll of two different dice.
#[derive(Clone, Copy)]
pub(crate) struct Pairs<V: Vector> {
    masks: PairMasks<V>,
    /// As in the masks, but if only one die can be played: its sources, if it is the high one.
    high_extra: V,
    /// Sources of runs by the low die first. If only one die can be played: the sources of the low one, which count
    /// if the high one has none.
    low_extra: V,
    /// The checker that enters by the low die while one of `high_extra` moves.
    beside: V,
    /// Lanes in which only one die, or none, can be played.
    one_die: V::Lanes,
    columns_count: V,
    /// Index of the first slot behind the rows of each kind.
    ends: [V; 3],
    high_extra_count: V,
    low_extra_count: V,
    plays: V,
}

/// The plays in which the last checker outside takes one die to reach home and the other die bears off.
#[derive(Clone, Copy)]
struct BearOff<V: Vector> {
    straggler: V,
    /// Lanes in which the straggler moves by the low die, then `by_high` is borne off by the high one.
    low_first: V::Lanes,
    by_high: V,
    /// Lanes in which the straggler moves by the high die, then `by_low` is borne off by the low one.
    high_first: V::Lanes,
    by_low: V,
}

/// What the cells of a table stand for.
#[derive(Clone, Copy)]
pub(crate) struct Cells<V: Vector> {
    /// Points with exactly one own checker.
    single: V,
    /// Rows `x` whose column `x` is missing: a lone checker cannot be moved twice.
    lone: V,
    /// Rows `x` whose column `x - a` is missing: it would stand for a run that another pair stands for.
    twice: V,
}

/// Where a play stands in the table: a bit rank in a row mask and one in a column mask.
#[derive(Clone, Copy)]
pub(crate) struct Place<V: Vector> {
    row_mask: V,
    column_mask: V,
    /// The rank in the column mask, and that in the row mask `width` times.
    ranks: V,
    width: V,
    /// Rows that are runs by the high die first if there is a row, else columns that are runs by the low die first.
    runs: V,
}

/// A place, and what stands there.
#[derive(Clone, Copy)]
pub(crate) struct PairSlot<V: Vector> {
    pub(crate) cells: Cells<V>,
    pub(crate) place: Place<V>,
}

impl<V: Vector> PairMasks<V> {
    /// The masks of the plays of `high` and `low`, `high` being the larger. `ENTERING` must be set if there may
    /// be checkers on the bar, `BEAR_OFF` if all checkers may be home, or all but one.
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        masks: &Masks<V>,
        high: V,
        low: V,
    ) -> PairMasks<V> {
        let Masks {
            occupied,
            made,
            blocked,
            blots,
        } = *masks;
        let zero = occupied.fill(0);
        let one = occupied.fill(1);
        let single = occupied & !made;

        let mut open = !blocked & POINTS;
        let home = (occupied & !HOME).is_zero();
        if BEAR_OFF {
            open = open | one.keep(home);
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
        let bar = occupied.fill(BAR_BIT);
        let (mut entering, mut movable) = (zero.lanes(0), occupied);
        if ENTERING {
            entering = occupied.meets(bar);
            // As a number, the bar is more than all points together.
            movable = occupied.min(bar);
        }
        let by_high = movable & high_open;
        let by_low = movable & low_open;
        let high_hits = blots.shl(high);
        let low_hits = blots.shl(low);

        // From the bar: one checker enters by either die and any other moves by the rest; of two or
        // more checkers on the bar, two enter.
        let mut columns = by_low;
        let mut while_low_enters = zero;
        let mut one_entering = zero;
        if ENTERING {
            one_entering = single & bar;
            let others = occupied ^ one_entering;
            columns = (others.min(bar) | one_entering.shr(high)) & low_open;
            let low_enters = one_entering & low_open;
            // One checker that enters and goes on ends alike whichever die it enters by, unless it hits.
            let same_run = low_enters & high_open & !(high_hits | low_hits);
            let after_entry = others | low_enters.shr(low);
            while_low_enters = after_entry & high_open & !same_run.shr(low);
            while_low_enters = while_low_enters.keep(low_enters.meets(bar));
        }

        // Runs of one checker by both dice, by way of either; those from the bar stand in the table.
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
        // Both pairs that mean one run: one is missing.
        let twice = high_follows & low_follows;
        let rows = [by_high & !(lone | twice), lone ^ twice, lone & twice];
        let high_runs = high_lacks & !itself;
        let high_extra = high_runs | while_low_enters;

        let bear_off = if BEAR_OFF {
            BearOff::new(masks, rearmost, high, low, by_high, by_low)
        } else {
            let none = zero.lanes(0);
            BearOff {
                straggler: zero,
                low_first: none,
                by_high: zero,
                high_first: none,
                by_low: zero,
            }
        };

        PairMasks {
            high,
            low,
            cells: Cells {
                single,
                lone,
                twice,
            },
            rows,
            columns,
            high_extra,
            high_runs,
            low_runs,
            entering,
            one_entering,
            by_high,
            by_low,
            bear_off,
        }
    }

    /// What the cells of the table stand for.
    #[inline(always)]
    pub(crate) fn cells(&self) -> Cells<V> {
        self.cells
    }

    /// These [in step](Vector::in_step) with another vector.
    #[inline(always)]
    pub(crate) fn in_step(mut self, other: V) -> (PairMasks<V>, V) {
        let (rows, other) = self.rows[0].in_step(other);
        self.rows[0] = rows;
        (self, other)
    }

    /// Counts the plays; `BEAR_OFF` as in [`PairMasks::new`].
    #[inline(always)]
    pub(crate) fn count<const BEAR_OFF: bool>(self) -> Pairs<V> {
        let PairMasks {
            rows,
            columns,
            by_high,
            by_low,
            bear_off,
            ..
        } = self;
        let one = columns.fill(1);
        let columns_count = columns.count_ones();
        let end_0 = rows[0].count_ones().times(columns_count);
        let end_1 = end_0.plus(rows[1].count_ones().times(columns_count.minus(one)));
        let end_2 = end_1.plus(
            rows[2]
                .count_ones()
                .times(columns_count.minus(columns.fill(2))),
        );
        let (mut high_extra, mut low_extra) = (self.high_extra, self.low_runs);
        let mut high_extra_count = high_extra.count_ones();
        let low_extra_count = low_extra.count_ones();
        let mut plays = end_2.plus(high_extra_count.plus(low_extra_count));
        if BEAR_OFF {
            plays = plays
                .plus_one(bear_off.low_first)
                .plus_one(bear_off.high_first);
        }
        // Only one die can be played: the larger if it can be, else the smaller. If either can be, it is by the
        // same lone checker. The plays are counted beside the others, since what follows waits for the number.
        // A pass is one play: slot 0 is then empty and moves nothing.
        let one_die = plays.is_zero();
        if !V::may_skip(one_die) {
            let by_high_count = by_high.count_ones();
            let alone = by_high_count.max(by_low.count_ones()).max(one);
            plays = alone.or_else(one_die, plays);
            high_extra = by_high.or_else(one_die, high_extra);
            high_extra_count = by_high_count.or_else(one_die, high_extra_count);
            low_extra = by_low.or_else(one_die, low_extra);
        }
        Pairs {
            masks: self,
            high_extra,
            low_extra,
            // With more than one checker on the bar there are no other sources by the high die.
            beside: self.one_entering & !high_extra,
            one_die,
            columns_count,
            ends: [end_0, end_1, end_2],
            high_extra_count,
            low_extra_count,
            plays,
        }
    }
}

impl<V: Vector> Pairs<V> {
    /// Counts the plays of `high` and `low`; see [`PairMasks::new`].
    #[inline(always)]
    pub(crate) fn new<const ENTERING: bool, const BEAR_OFF: bool>(
        masks: &Masks<V>,
        high: V,
        low: V,
    ) -> Pairs<V> {
        PairMasks::new::<ENTERING, BEAR_OFF>(masks, high, low).count::<BEAR_OFF>()
    }

    /// The number of plays, a pass being one.
    #[inline(always)]
    pub(crate) fn plays(&self) -> V {
        self.plays
    }

    /// The checkers moved in the play of this index; see [`PairSlot::sources_of`].
    #[inline(always)]
    pub(crate) fn sources<const ENTERING: bool, const BEAR_OFF: bool>(&self, index: V) -> (V, V) {
        if ENTERING && V::may_skip(self.one_die) {
            // The bar checker enters by one die, and a checker of a mask moves by the other.
            let bar = index.fill(BAR_BIT);
            let high_enters = index.less(self.ends[2]);
            let mask = self.masks.columns.or_else(high_enters, self.high_extra);
            let rank = index.minus(self.ends[2].keep(!high_enters));
            let other = mask.nth_bit(rank);
            return (
                bar.or_else(high_enters, other),
                other.or_else(high_enters, bar),
            );
        }
        if V::may_skip(!index.less(self.ends[0])) {
            return self.in_whole_row(index);
        }
        if V::may_skip(!index.less(self.ends[2])) {
            return self.sources_at(self.in_table(index));
        }
        self.sources_at(self.place::<BEAR_OFF>(index))
    }

    #[inline(always)]
    fn sources_at(&self, place: Place<V>) -> (V, V) {
        let cells = self.masks.cells;
        let slot = PairSlot { cells, place };
        let [sources] = PairSlot::sources_of([&slot], [(self.masks.high, self.masks.low)]);
        sources
    }

    /// Where the play of this index stands; the index must be below [`Pairs::plays`].
    #[inline(always)]
    pub(crate) fn place<const BEAR_OFF: bool>(&self, index: V) -> Place<V> {
        let end_2 = self.ends[2];
        let in_table = index.less(end_2);
        let mut place = self.in_table(index);

        // Behind the table come the other sources by the high die, then those by the low die.
        let extra = index.minus(end_2);
        let low_rank = extra.minus(self.high_extra_count);
        let in_high_extra = extra.less(self.high_extra_count);
        let row_mask = self.high_extra.keep(in_high_extra);
        let column_mask = self.beside.or_else(in_high_extra, self.low_extra);
        let width = index
            .fill(1)
            .or_else(in_high_extra, index.fill(ALL_COLUMNS));
        place.row_mask = place.row_mask.or_else(in_table, row_mask);
        place.column_mask = place.column_mask.or_else(in_table, column_mask);
        // What an index falls short of by is a large number.
        place.ranks = place.ranks.min(extra).min(low_rank);
        place.width = place.width.or_else(in_table, width);
        let mut extra_runs = !in_table;
        if BEAR_OFF {
            let BearOff {
                straggler,
                low_first,
                by_high,
                high_first,
                by_low,
            } = self.masks.bear_off;
            // The last indices are theirs.
            let behind = low_rank.minus(self.low_extra_count);
            let is_low_first = low_first & behind.is_zero();
            let is_high_first = high_first & !is_low_first & (behind & !1).is_zero();
            let picked = is_low_first | is_high_first;
            let row = by_high.or_else(is_low_first, straggler);
            let column = straggler.or_else(is_low_first, by_low);
            place.row_mask = row.or_else(picked, place.row_mask);
            place.column_mask = column.or_else(picked, place.column_mask);
            place.ranks = place.ranks.keep(!picked);
            extra_runs = extra_runs & !picked;
        }
        // One word serves both: a list by the low die has no row, and beside one by the high die is only the bar,
        // from which no run of either begins.
        let runs = self
            .masks
            .high_runs
            .or_else(in_high_extra, self.masks.low_runs);
        place.runs = runs.keep(extra_runs);
        place
    }

    /// The checkers moved in the play of an index that falls on a row without missing columns.
    #[inline(always)]
    fn in_whole_row(&self, index: V) -> (V, V) {
        let row_rank = index.over_small(self.columns_count);
        let row = self.masks.rows[0].nth_bit(row_rank);
        let column_rank = index.minus(row_rank.times(self.columns_count));
        let column = self.masks.columns.nth_bit(column_rank);
        let itself = (row & self.masks.cells.single).equals(column);
        (row, row.shr(self.masks.high).or_else(itself, column))
    }

    /// Where the play of an index stands that falls on a row and a column.
    #[inline(always)]
    fn in_table(&self, index: V) -> Place<V> {
        let [end_0, end_1, _] = self.ends;
        let whole = index.less(end_0);
        let no_two_missing = index.less(end_1);
        let width = self
            .columns_count
            .minus(index.fill(2))
            .plus_one(whole)
            .plus_one(no_two_missing);
        let row_mask = self.masks.rows[0].or_else(whole, self.masks.rows[1]);
        Place {
            row_mask: row_mask.or_else(no_two_missing, self.masks.rows[2]),
            column_mask: self.masks.columns,
            // What an index falls short of by is a large number.
            ranks: index.min(index.minus(end_0)).min(index.minus(end_1)),
            width,
            runs: index.fill(0),
        }
    }
}

impl<B: Bits> Pairs<Word<B>> {
    /// Calls `visit` with the mover's side, which is given in words, after every play, in the order of the
    /// indices.
    #[inline(always)]
    pub(crate) fn for_each<const BEAR_OFF: bool>(
        &self,
        mover: B::Eight,
        mut visit: impl FnMut(Moved<B>),
    ) {
        let (high, low) = (self.masks.high, self.masks.low);
        let start = Flips::new(mover, high);
        if self.one_die {
            // If both masks are empty, the play is a pass.
            let by_low = self.high_extra.is_zero();
            let die = low.or_else(by_low, high);
            let mut sources = self.low_extra.or_else(by_low, self.high_extra);
            loop {
                let source = sources.take_lowest().unwrap_or(high.fill(0));
                visit(start.moved::<BEAR_OFF, _>(source, die));
                if sources.is_zero() {
                    return;
                }
            }
        }
        // The parts of the order, each by the points that the first checker moves from, in an order in which
        // the moves can be played. All go through one loop, so that `visit` is compiled once.
        let BearOff {
            straggler,
            low_first,
            by_high,
            high_first,
            by_low,
        } = self.masks.bear_off;
        let bar = high.fill(BAR_BIT).keep(!self.high_extra.is_zero());
        let parts = [
            self.masks.rows[0],
            self.masks.rows[1],
            self.masks.rows[2],
            bar.or_else(self.masks.entering, self.high_extra),
            self.low_extra,
            straggler.keep(BEAR_OFF && low_first),
            straggler.keep(BEAR_OFF && high_first),
        ];
        for (part, mut sources) in parts.into_iter().enumerate() {
            while let Some(source) = sources.take_lowest() {
                let to_high = source.shr(high);
                let (first_die, mut others) = match part {
                    0..=2 => {
                        let missing = (source & self.masks.cells.lone)
                            | (source & self.masks.cells.twice).shr(high);
                        (high, self.masks.columns & !missing)
                    }
                    3 if self.masks.entering => (low, self.high_extra),
                    3 => (high, to_high),
                    4 => (low, source.shr(low)),
                    5 => (low, by_high),
                    _ => (high, by_low),
                };
                let second_die = high ^ low ^ first_die;
                // What the plays of one first checker share is worked out once.
                let first = start.moved::<BEAR_OFF, _>(source, first_die);
                let flips = Flips::new(first.words, high);
                // A lone checker's pair with itself stands for its run.
                let itself = (source & self.masks.cells.single).keep(part < 3);
                while let Some(other) = others.take_lowest() {
                    let other = to_high.or_else(itself.equals(other), other);
                    let second = flips.moved::<BEAR_OFF, _>(other, second_die);
                    visit(Moved {
                        words: second.words,
                        landings: first.landings | second.landings,
                    });
                }
            }
        }
    }
}

impl<V: Vector> PairSlot<V> {
    /// The checkers moved in several plays, side by side, whose dice are given: one bit for the source by the
    /// high die and one for that by the low die, or 0 where a die is not played. A run's second source is its
    /// landing point under way.
    #[inline(always)]
    pub(crate) fn sources_of<const N: usize>(
        slots: [&PairSlot<V>; N],
        dice: [(V, V); N],
    ) -> [(V, V); N] {
        let zero = dice[0].0.fill(0);
        let (mut masks, mut ranks, mut column_ranks) = ([zero; N], [zero; N], [zero; N]);
        for this in 0..N {
            let place = slots[this].place;
            masks[this] = place.row_mask;
            ranks[this] = place.ranks.over_small(place.width);
            column_ranks[this] = place.ranks.minus(ranks[this].times(place.width));
        }
        let rows = V::nth_bits(masks, ranks);
        for this in 0..N {
            let PairSlot { cells, place } = slots[this];
            let (row, (high, _)) = (rows[this], dice[this]);
            let missing = (row & cells.lone) | (row & cells.twice).shr(high);
            masks[this] = place.column_mask & !missing;
        }
        let columns = V::nth_bits(masks, column_ranks);
        let mut sources = [(zero, zero); N];
        for this in 0..N {
            let PairSlot { cells, place } = slots[this];
            let (row, column, (high, low)) = (rows[this], columns[this], dice[this]);
            let high_run = row & ((column & cells.single) | place.runs);
            let low_run = column & place.runs;
            let by_low = (column & !high_run) | high_run.shr(high);
            let by_high = row | low_run.shr(low);
            sources[this] = (by_high, by_low);
        }
        sources
    }

    /// The slot of nothing.
    #[inline(always)]
    pub(crate) fn empty(zero: V) -> PairSlot<V> {
        PairSlot {
            cells: Cells {
                single: zero,
                lone: zero,
                twice: zero,
            },
            place: Place {
                row_mask: zero,
                column_mask: zero,
                ranks: zero,
                width: zero,
                runs: zero,
            },
        }
    }
}

impl<V: Vector> BearOff<V> {
    /// Those of `high` and `low`, which can move the checkers of `by_high` and `by_low`.
    #[inline(always)]
    fn new(masks: &Masks<V>, rearmost: V, high: V, low: V, by_high: V, by_low: V) -> BearOff<V> {
        let outside = !(masks.occupied & !HOME).is_zero();
        let low_landing = rearmost.shr(low);
        let high_landing = rearmost.shr(high);
        let low_second = second(masks, rearmost, by_high, high_landing, low, outside);
        let high_second = second(masks, rearmost, by_low, low_landing, high, outside);
        let ((low_first, by_high), (high_first, by_low)) = (high_second, low_second);
        // Both bear off the straggler, or run it off without a hit: one play.
        let difference = low_landing ^ high_landing ^ by_high ^ by_low;
        let hits = (low_landing | high_landing) & masks.blots;
        let same = ((difference | hits) & !1).is_zero();
        BearOff {
            straggler: rearmost,
            low_first,
            by_high,
            high_first: high_first & !(low_first & same),
            by_low,
        }
    }
}

/// Whether a die bears off after the other one, which can move the checkers of `by_first`, has moved the straggler
/// to `landing`: in which lanes, and from where. If the straggler was `outside` its home board the die bears off
/// exactly, or the rearmost from below; else exactly is a pair already.
#[inline(always)]
fn second<V: Vector>(
    masks: &Masks<V>,
    straggler: V,
    by_first: V,
    landing: V,
    die: V,
    outside: V::Lanes,
) -> (V::Lanes, V) {
    let after = (masks.occupied ^ straggler) | (landing & !1);
    let not_below = not_below(die);
    let above = after & not_below;
    let nearest = above & above.fill(0).minus(above);
    let exact = die.fill(1).shl(die).keep(outside);
    // Nothing else may be left, and a straggler outside, or what is left there, is more than any exact point.
    let stays = straggler & (masks.made | !by_first);
    let left = stays | (after & !HOME) | nearest;
    let bears_off = !exact.less(left) & !after.is_zero();
    let source = (after & !not_below.shl_by::<1>()).highest_bit();
    (bears_off, source)
}
