//! Plays of two different dice: counted in closed form, and picked by index.
//!
//! A play moves one checker from `x` by the high die and one from `y` by the low die. It is drawn from a table whose
//! rows are the sources `x` and whose columns are the sources `y`. What the table lacks stands in a list after it, and
//! behind that the plays that bear a checker off with the second die. `specification.rs` says in which order, and the
//! algebra at the head of [`plays`](super) why each play has exactly one index.
//!
//! Tested by `tests/suite/plays.rs` and `playouts.rs`.

use tavli_simd::Vector;

use super::mover_masks::MoverMasks;
use tavli_algebra::{Checkers, PairCells, PairSlot, PairTable, PairTableSize, SecondDieBearOff, not_below};

/// More than any rank. With this width an index is a rank in the column mask.
const ALL_COLUMNS: u32 = 15;

/// The masks that the plays of two different dice are counted from.
#[derive(Clone, Copy)]
pub(crate) struct NonDoubleMasks<V: Vector> {
    high: V,
    low: V,
    /// The checkers that each die can move first.
    by_high: V,
    by_low: V,
    table: PairTable<V>,
    /// Sources by the high die after the table.
    list: V,
    /// The sources of the list that run on by the low die.
    runs: V,
    /// The checker that moves by the low die while a source of the list moves by the high die: the runner, or none.
    beside: V,
    bear_off: SecondDieBearOff<V>,
}

/// The plays of two different dice.
#[derive(Clone, Copy)]
pub(crate) struct PairPlays<V: Vector> {
    masks: NonDoubleMasks<V>,
    size: PairTableSize<V>,
    /// The sources after the table: the list of [`NonDoubleMasks`], or the sources of the only die that can be played.
    list: V,
    listed: V,
    runs: V,
    beside: V,
    /// Lanes in which the sources of the list move by the low die.
    by_low: V::Lanes,
    plays: V,
}

impl<V: Vector> NonDoubleMasks<V> {
    /// The masks of the plays of `high` and `low`, `high` being the larger. `HAS_RUNNER` must be set if the runner of
    /// some lane may not have passed, and `BEAR_OFF` if some lane [may bear off](MoverMasks::may_bear_off).
    #[inline(always)]
    pub(crate) fn new<const HAS_RUNNER: bool, const BEAR_OFF: bool>(
        turn: &MoverMasks<V>,
        high: V,
        low: V,
    ) -> NonDoubleMasks<V> {
        let MoverMasks { occupied, made, runner, .. } = *turn;
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
            let checkers = Checkers { occupied, made };
            SecondDieBearOff::new(checkers, zero, rearmost, (high, low), (by_high, by_low)).in_lanes(turn.unpinned)
        } else {
            SecondDieBearOff::none(zero)
        };
        let masks = NonDoubleMasks {
            high,
            low,
            by_high,
            by_low,
            table: PairTable {
                rows: [by_high & !(lone | twice), lone ^ twice, lone & twice],
                columns: by_low,
                cells: PairCells { single, lone, twice },
            },
            list: lacking & !itself,
            runs: lacking & !itself,
            beside: zero,
            bear_off,
        };
        let starting = !runner.lanes_zero();
        if !HAS_RUNNER || V::skips_on_one_lane(starting) {
            return masks;
        }

        // Until the runner has passed, it moves alone, or before the other checker.
        let runner_by_high = by_high & runner;
        let runner_by_low = by_low & runner;
        let passes_by_high = turn.has_passed(runner_by_high.shr(high));
        let passes_by_low = turn.has_passed(runner_by_low.shr(low));
        let run = run & runner;
        let rows = masks.table.rows;
        NonDoubleMasks {
            by_high: runner_by_high.blend(starting, by_high),
            by_low: runner_by_low.blend(starting, by_low),
            table: PairTable {
                rows: [
                    runner_by_high.zero_unless(passes_by_high).blend(starting, rows[0]),
                    rows[1].zero_unless(!starting),
                    rows[2].zero_unless(!starting),
                ],
                columns: by_low & !runner,
                cells: PairCells { single, lone: lone.zero_unless(!starting), twice: twice.zero_unless(!starting) },
            },
            list: (run | (by_high & !runner).zero_unless(passes_by_low)).blend(starting, masks.list),
            runs: run.blend(starting, masks.runs),
            beside: runner_by_low.zero_unless(passes_by_low),
            ..masks
        }
    }

    /// Counts the plays; `BEAR_OFF` as in [`NonDoubleMasks::new`].
    #[inline(always)]
    pub(crate) fn count<const BEAR_OFF: bool>(self) -> PairPlays<V> {
        let one = self.high.splat(1);
        let size = self.table.size();
        let end_2 = size.ends[2];
        let mut one_die = (end_2 | self.list).lanes_zero();
        if BEAR_OFF {
            one_die = one_die & !self.bear_off.lanes();
        }
        // Only one die can be played: the larger if it can be, else the smaller. A pass is one play: its slot is empty
        // and moves nothing.
        let by_low = one_die & self.by_high.lanes_zero();
        let (mut list, mut runs, mut beside) = (self.list, self.runs, self.beside);
        if !V::skips_on_one_lane(one_die) {
            list = self.by_high.blend(one_die, list);
            list = self.by_low.blend(by_low, list);
            runs = runs.zero_unless(!one_die);
            beside = beside.zero_unless(!one_die);
        }
        let listed = list.count_ones();
        let mut plays = end_2.wrapping_add(listed);
        if BEAR_OFF {
            plays = self.bear_off.added_to(plays);
        }
        PairPlays { masks: self, size, list, listed, runs, beside, by_low, plays: plays.max(one) }
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
        let NonDoubleMasks { high, low, table, .. } = self.masks;
        if V::skips_on_one_lane(!index.lanes_less(self.size.ends[0])) {
            return table.sources_in_whole_row(&self.size, index, high);
        }
        let [sources] = sources_of([&self.slot::<BEAR_OFF>(index)], [(high, low)]);
        sources
    }

    /// Where the play of this index stands, which must be below [`PairPlays::plays`].
    #[inline(always)]
    pub(crate) fn slot<const BEAR_OFF: bool>(&self, index: V) -> PairSlot<V> {
        let NonDoubleMasks { table, bear_off, .. } = self.masks;
        let end_2 = self.size.ends[2];
        let in_table = index.lanes_less(end_2);
        let mut place = table.place(&self.size, index);

        let after_table = index.wrapping_sub(end_2);
        let row_mask = self.list.zero_unless(!self.by_low);
        let column_mask = self.list.blend(self.by_low, self.beside);
        let list_width = index.splat(ALL_COLUMNS).blend(self.by_low, index.splat(1));
        place.row_mask = place.row_mask.blend(in_table, row_mask);
        place.column_mask = place.column_mask.blend(in_table, column_mask);
        // A negative rank is a large number.
        place.ranks = place.ranks.min(after_table);
        place.width = place.width.blend(in_table, list_width);
        place.runs = self.runs.zero_unless(!in_table);
        if BEAR_OFF {
            // These plays have the last indices.
            place = bear_off.place_or(after_table.wrapping_sub(self.listed), place);
        }
        PairSlot { cells: table.cells, place }
    }
}

/// The checkers moved in several plays with these dice; see [`PairSlot::sources_of`]. A run ends on the same position
/// whichever die comes first, since nothing is hit.
#[inline(always)]
pub(crate) fn sources_of<V: Vector, const N: usize>(slots: [&PairSlot<V>; N], dice: [(V, V); N]) -> [(V, V); N] {
    PairSlot::sources_of::<N, false>(slots, dice)
}
