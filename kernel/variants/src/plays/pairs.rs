//! Plays of two different dice: counted in closed form, and picked by index.
//!
//! A play moves one checker from `x` by the high die and one from `y` by the low die. It is drawn from a table whose
//! rows are the sources `x` and whose columns are the sources `y`. What the table lacks stands in a list after it, and
//! behind that the plays that bear a checker off with the second die. `specification.rs` says in which order, and the
//! algebra at the head of [`plays`](super) why each play has exactly one index.

use tavli_simd::Vector;

use super::bear_off::BearOff;
use super::mover_masks::MoverMasks;
use tavli_algebra::not_below;

/// A width that no rank reaches. With it, a place is a rank in the column mask.
const ALL_COLUMNS: u32 = 15;

/// The masks that the plays of two different dice are counted from. They are apart from the counts so that a batch can
/// count for one block while it makes masks for another.
#[derive(Clone, Copy)]
pub(crate) struct PairMasks<V: Vector> {
    high: V,
    low: V,
    /// The checkers that each die can move first.
    by_high: V,
    by_low: V,
    /// Rows with no, one and two columns missing.
    rows: [V; 3],
    columns: V,
    cells: Cells<V>,
    /// Sources by the high die after the table.
    list: V,
    /// Those of them that run on by the low die.
    runs: V,
    /// The checker that moves by the low die while one of the others in the list moves: the runner, or none.
    beside: V,
    bear_off: BearOff<V>,
}

/// What the cells of the table stand for.
#[derive(Clone, Copy)]
struct Cells<V> {
    /// Points with exactly one free checker.
    single: V,
    /// Rows `x` whose column `x` is missing: a lone checker cannot be moved twice.
    lone: V,
    /// Rows `x` whose column `x - high` is missing: it would stand for a run that an earlier pair stands for.
    twice: V,
}

/// The plays of two different dice.
#[derive(Clone, Copy)]
pub(crate) struct PairPlays<V: Vector> {
    masks: PairMasks<V>,
    columns: V,
    /// The index after the last play in rows with no, one and two columns missing.
    cumulative: [V; 3],
    /// The sources after the table: those of [`PairMasks`], or those of the only die that can be played.
    list: V,
    listed: V,
    runs: V,
    beside: V,
    /// Lanes in which the sources of the list move by the low die.
    by_low: V::Lanes,
    plays: V,
}

/// Where a play stands: the rank of a bit in a row mask and of one in a column mask.
#[derive(Clone, Copy)]
struct Place<V> {
    row_mask: V,
    column_mask: V,
    /// The rank in the column mask, plus `width` times the rank in the row mask.
    ranks: V,
    width: V,
    /// Rows that are runs.
    runs: V,
}

/// A place, and what stands there: all that is needed to select the checkers of a play.
#[derive(Clone, Copy)]
pub(crate) struct PairSlot<V> {
    cells: Cells<V>,
    place: Place<V>,
}

impl<V: Vector> Cells<V> {
    /// The columns that are missing in a row, whose source moves by the `high` die.
    #[inline(always)]
    fn missing(&self, row: V, high: V) -> V {
        (row & self.lone) | (row & self.twice).shr(high)
    }
}

impl<V: Vector> PairMasks<V> {
    /// The masks of the plays of `high` and `low`, `high` being the larger. `HAS_RUNNER` must be set if the runner of
    /// some lane may not have passed, and `BEAR_OFF` if some lane [may bear off](MoverMasks::may_bear_off).
    #[inline(always)]
    pub(crate) fn new<const HAS_RUNNER: bool, const BEAR_OFF: bool>(
        turn: &MoverMasks<V>,
        high: V,
        low: V,
    ) -> PairMasks<V> {
        let MoverMasks {
            occupied, made, runner, ..
        } = *turn;
        let zero = high.splat(0);
        let single = occupied & !made;
        let mut open = turn.open;
        let mut rearmost = zero;
        if BEAR_OFF {
            open = open | high.splat(1).zero_unless(turn.bears_off());
            rearmost = occupied.highest_bit();
        }
        // Points from which a die, or both, end on an open point.
        let mut high_open = open.shl(high);
        let mut low_open = open.shl(low);
        let both_open = high_open.shl(low);
        if BEAR_OFF {
            // A die beyond the rearmost point, which is then a home point, bears off from it.
            let last = rearmost.zero_unless(turn.unpinned);
            high_open = high_open | (last & !not_below(high));
            low_open = low_open | (last & !not_below(low));
        }
        let by_high = occupied & high_open;
        let by_low = occupied & low_open;

        // The pair (x, x - high) with another checker on x - high is the run from x; so is (x + low, x).
        let run = (by_high | by_low) & both_open;
        let high_follows = by_high & run & occupied.shl(high);
        let low_follows = by_low & run & occupied.shl(low);
        let lacking = run & !(high_follows | low_follows);
        // A lone checker's pair with itself stands for its run, or is missing.
        let itself = by_high & by_low & single;
        let lone = itself & !lacking;
        // If both pairs stand for one run, one is missing.
        let twice = high_follows & low_follows;
        let bear_off = if BEAR_OFF {
            BearOff::new(turn, rearmost, (high, low), (by_high, by_low))
        } else {
            BearOff::none(zero)
        };
        let masks = PairMasks {
            high,
            low,
            by_high,
            by_low,
            rows: [by_high & !(lone | twice), lone ^ twice, lone & twice],
            columns: by_low,
            cells: Cells { single, lone, twice },
            list: lacking & !itself,
            runs: lacking & !itself,
            beside: zero,
            bear_off,
        };
        let starting = !runner.is_zero();
        if !HAS_RUNNER || V::may_skip(starting) {
            return masks;
        }

        // Until the runner has passed, it moves alone, or before the other checker.
        let runner_by_high = by_high & runner;
        let runner_by_low = by_low & runner;
        let passes_by_high = turn.has_passed(runner_by_high.shr(high));
        let passes_by_low = turn.has_passed(runner_by_low.shr(low));
        let run = run & runner;
        PairMasks {
            by_high: runner_by_high.blend(starting, by_high),
            by_low: runner_by_low.blend(starting, by_low),
            rows: [
                runner_by_high
                    .zero_unless(passes_by_high)
                    .blend(starting, masks.rows[0]),
                masks.rows[1].zero_unless(!starting),
                masks.rows[2].zero_unless(!starting),
            ],
            columns: by_low & !runner,
            cells: Cells {
                single,
                lone: lone.zero_unless(!starting),
                twice: twice.zero_unless(!starting),
            },
            list: (run | (by_high & !runner).zero_unless(passes_by_low)).blend(starting, masks.list),
            runs: run.blend(starting, masks.runs),
            beside: runner_by_low.zero_unless(passes_by_low),
            ..masks
        }
    }

    /// Counts the plays; `BEAR_OFF` as in [`PairMasks::new`].
    #[inline(always)]
    pub(crate) fn count<const BEAR_OFF: bool>(self) -> PairPlays<V> {
        let one = self.high.splat(1);
        let two = self.high.splat(2);
        let width = self.columns.count_ones();
        let end_0 = self.rows[0].count_ones().mul_lo16(width);
        let end_1 = end_0.wrapping_add(self.rows[1].count_ones().mul_lo16(width.wrapping_sub(one)));
        let end_2 = end_1.wrapping_add(self.rows[2].count_ones().mul_lo16(width.wrapping_sub(two)));
        let mut one_die = (end_2 | self.list).is_zero();
        if BEAR_OFF {
            one_die = one_die & !(self.bear_off.low_first.lanes | self.bear_off.high_first.lanes);
        }
        // Only one die can be played: the larger if it can be, else the smaller. A pass is one play: its slot is empty
        // and moves nothing.
        let by_low = one_die & self.by_high.is_zero();
        let (mut list, mut runs, mut beside) = (self.list, self.runs, self.beside);
        if !V::may_skip(one_die) {
            list = self.by_high.blend(one_die, list);
            list = self.by_low.blend(by_low, list);
            runs = runs.zero_unless(!one_die);
            beside = beside.zero_unless(!one_die);
        }
        let listed = list.count_ones();
        let mut plays = end_2.wrapping_add(listed);
        if BEAR_OFF {
            plays = plays
                .add_one(self.bear_off.low_first.lanes)
                .add_one(self.bear_off.high_first.lanes);
        }
        PairPlays {
            masks: self,
            columns: width,
            cumulative: [end_0, end_1, end_2],
            list,
            listed,
            runs,
            beside,
            by_low,
            plays: plays.max(one),
        }
    }
}

impl<V: Vector> PairPlays<V> {
    /// The number of plays. A pass is one play.
    #[inline(always)]
    pub(crate) fn plays(&self) -> V {
        self.plays
    }

    /// The checkers moved in the play of this index, which must be below [`PairPlays::plays`]; see
    /// [`PairSlot::sources_of`].
    #[inline(always)]
    pub(crate) fn sources<const BEAR_OFF: bool>(&self, index: V) -> (V, V) {
        if V::may_skip(!index.less(self.cumulative[0])) {
            return self.in_whole_row(index);
        }
        let [sources] = PairSlot::sources_of([&self.slot::<BEAR_OFF>(index)], [(self.masks.high, self.masks.low)]);
        sources
    }

    /// Where the play of this index stands, which must be below [`PairPlays::plays`].
    #[inline(always)]
    pub(crate) fn slot<const BEAR_OFF: bool>(&self, index: V) -> PairSlot<V> {
        PairSlot {
            cells: self.masks.cells,
            place: self.place::<BEAR_OFF>(index),
        }
    }

    /// The checkers moved in the play of an index that falls on a row without missing columns.
    #[inline(always)]
    fn in_whole_row(&self, index: V) -> (V, V) {
        let row_rank = index.div_small(self.columns);
        let row = self.masks.rows[0].nth_bit(row_rank);
        let column_rank = index.wrapping_sub(row_rank.mul_lo16(self.columns));
        let column = self.masks.columns.nth_bit(column_rank);
        let itself = (row & self.masks.cells.single).equals(column);
        (row, row.shr(self.masks.high).blend(itself, column))
    }

    #[inline(always)]
    fn place<const BEAR_OFF: bool>(&self, index: V) -> Place<V> {
        let [end_0, end_1, end_2] = self.cumulative;
        let two = index.splat(2);
        let whole = index.less(end_0);
        let no_two_missing = index.less(end_1);
        let in_table = index.less(end_2);
        let rows = self.masks.rows[0].blend(whole, self.masks.rows[1]);
        let rows = rows.blend(no_two_missing, self.masks.rows[2]);
        let width = self.columns.wrapping_sub(two).add_one(whole).add_one(no_two_missing);
        // A negative rank is a large number.
        let ranks = index.min(index.wrapping_sub(end_0)).min(index.wrapping_sub(end_1));

        let after_table = index.wrapping_sub(end_2);
        let row_mask = self.list.zero_unless(!self.by_low);
        let column_mask = self.list.blend(self.by_low, self.beside);
        let list_width = index.splat(ALL_COLUMNS).blend(self.by_low, index.splat(1));
        let mut place = Place {
            row_mask: rows.blend(in_table, row_mask),
            column_mask: self.masks.columns.blend(in_table, column_mask),
            ranks: ranks.min(after_table),
            width: width.blend(in_table, list_width),
            runs: self.runs.zero_unless(!in_table),
        };
        if BEAR_OFF {
            let BearOff {
                straggler,
                low_first,
                high_first,
            } = self.masks.bear_off;
            // These plays have the last indices.
            let after = after_table.wrapping_sub(self.listed);
            let is_low_first = low_first.lanes & after.is_zero();
            let is_high_first = high_first.lanes & !is_low_first & (after & !1).is_zero();
            let picked = is_low_first | is_high_first;
            let row = low_first.source.blend(is_low_first, straggler);
            let column = straggler.blend(is_low_first, high_first.source);
            place.row_mask = row.blend(picked, place.row_mask);
            place.column_mask = column.blend(picked, place.column_mask);
            place.ranks = place.ranks.zero_unless(!picked);
            place.runs = place.runs.zero_unless(!picked);
        }
        place
    }
}

impl<V: Vector> PairSlot<V> {
    /// The checkers moved in several plays with these dice, selected side by side. For each play there is one bit for
    /// the source by the high die and one for the source by the low die, or 0 where a die is not played. The second
    /// source of a run is the point that it passes.
    #[inline(always)]
    pub(crate) fn sources_of<const N: usize>(slots: [&PairSlot<V>; N], dice: [(V, V); N]) -> [(V, V); N] {
        let zero = dice[0].0.splat(0);
        let (mut masks, mut ranks, mut column_ranks) = ([zero; N], [zero; N], [zero; N]);
        for this in 0..N {
            let place = slots[this].place;
            masks[this] = place.row_mask;
            ranks[this] = place.ranks.div_small(place.width);
            column_ranks[this] = place.ranks.wrapping_sub(ranks[this].mul_lo16(place.width));
        }
        let rows = V::nth_bits(masks, ranks);
        for this in 0..N {
            let PairSlot { cells, place } = slots[this];
            masks[this] = place.column_mask & !cells.missing(rows[this], dice[this].0);
        }
        let columns = V::nth_bits(masks, column_ranks);
        let mut sources = [(zero, zero); N];
        for this in 0..N {
            let PairSlot { cells, place } = slots[this];
            let (row, column) = (rows[this], columns[this]);
            let run = row & ((column & cells.single) | place.runs);
            sources[this] = (row, (column & !run) | run.shr(dice[this].0));
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
