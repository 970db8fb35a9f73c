//! The table of the plays of two different dice.
//!
//! A play moves one checker from `x` by the high die and one from `y` by the low die. Rows are the sources `x`, columns
//! the sources `y`, and a row has at most two columns missing. Plays that are no pair stand after the table, in a list
//! of each game.
//!
//! Tested by the games that use it: `tests/suite/plays.rs` of `kernel/backgammon` and of `kernel/variants`.

use tavli_simd::Vector;

/// The pairs of a source by the high die and one by the low die.
///
/// ```
/// use tavli_algebra::{PairCells, PairSlot, PairTable};
/// use tavli_simd::{Isa, Scalar};
/// // Checkers on points 8 and 6, by a 3 and a 1; nothing is missing.
/// let word = |bits: u32| Scalar.splat(bits);
/// let (both, zero) = (word(1 << 8 | 1 << 6), word(0));
/// let cells = PairCells { single: both, lone: zero, twice: zero };
/// let table = PairTable { rows: [both, zero, zero], columns: both, cells };
/// let size = table.size();
/// assert_eq!(size.ends[2].get(), 4);
/// // The second play: from 6 by the 3, and from 8 by the 1.
/// let slot = PairSlot { cells, place: table.place(&size, word(1)) };
/// let [(by_high, by_low)] = PairSlot::sources_of::<1, false>([&slot], [(word(3), word(1))]);
/// assert_eq!((by_high.get(), by_low.get()), (1 << 6, 1 << 8));
/// ```
#[derive(Clone, Copy)]
pub struct PairTable<V: Vector> {
    /// Sources by the high die: rows with no, one and two columns missing.
    pub rows: [V; 3],
    /// Sources by the low die.
    pub columns: V,
    /// Which rows lack which columns, and which pairs are runs.
    pub cells: PairCells<V>,
}

/// Which rows of a table lack which columns, and which pairs of a row and a column are the run of one checker.
#[derive(Clone, Copy)]
pub struct PairCells<V: Vector> {
    /// Points with exactly one checker that may move.
    pub single: V,
    /// Rows `x` whose column `x` is missing: a lone checker cannot be moved twice.
    pub lone: V,
    /// Rows `x` whose column `x - high` is missing: it would stand for a run that another pair stands for.
    pub twice: V,
}

/// The size of a table.
#[derive(Clone, Copy)]
pub struct PairTableSize<V: Vector> {
    /// The number of columns.
    pub columns: V,
    /// The index after the last play in rows with no, one and two columns missing.
    pub ends: [V; 3],
}

/// Where a play stands: the rank of a bit in a row mask and of one in a column mask.
#[derive(Clone, Copy)]
pub struct PairPlace<V: Vector> {
    /// The bits of which one is the source by the high die; none if that die is not played.
    pub row_mask: V,
    /// The bits of which one is the source by the low die; none if that die is not played.
    pub column_mask: V,
    /// The rank in the column mask, plus `width` times the rank in the row mask.
    pub ranks: V,
    /// At most 15. A width that no rank reaches leaves a rank in the column mask alone.
    pub width: V,
    /// Rows that are runs with the high die first if there is a row, else columns that are runs with the low die first.
    pub runs: V,
}

/// A place, and what stands there: all that is needed to select the checkers of a play.
#[derive(Clone, Copy)]
pub struct PairSlot<V: Vector> {
    /// Which rows lack which columns, and which pairs are runs.
    pub cells: PairCells<V>,
    /// Where the play stands.
    pub place: PairPlace<V>,
}

impl<V: Vector> PairCells<V> {
    /// The columns that are missing in a row, whose source moves by the `high` die.
    #[inline(always)]
    pub fn missing(&self, row: V, high: V) -> V {
        (row & self.lone) | (row & self.twice).shr(high)
    }
}

impl<V: Vector> PairTable<V> {
    /// The size of the table.
    #[inline(always)]
    pub fn size(&self) -> PairTableSize<V> {
        let rows = self.rows;
        let one = self.columns.splat(1);
        let two = self.columns.splat(2);
        let columns = self.columns.count_ones();
        let end_0 = rows[0].count_ones().mul_lo16(columns);
        let end_1 = end_0.wrapping_add(rows[1].count_ones().mul_lo16(columns.wrapping_sub(one)));
        let end_2 = end_1.wrapping_add(rows[2].count_ones().mul_lo16(columns.wrapping_sub(two)));
        PairTableSize { columns, ends: [end_0, end_1, end_2] }
    }

    /// The place of the play of an index below the last end.
    #[inline(always)]
    pub fn place(&self, size: &PairTableSize<V>, index: V) -> PairPlace<V> {
        let [end_0, end_1, _] = size.ends;
        let whole = index.lanes_less(end_0);
        let no_two_missing = index.lanes_less(end_1);
        let width = size.columns.wrapping_sub(index.splat(2)).add_one(whole).add_one(no_two_missing);
        let row_mask = self.rows[0].blend(whole, self.rows[1]);
        PairPlace {
            row_mask: row_mask.blend(no_two_missing, self.rows[2]),
            column_mask: self.columns,
            // A negative rank is a large number.
            ranks: index.min(index.wrapping_sub(end_0)).min(index.wrapping_sub(end_1)),
            width,
            runs: index.splat(0),
        }
    }

    /// The checkers moved in the play of an index below the first end, as by [`PairSlot::sources_of`].
    #[inline(always)]
    pub fn sources_in_whole_row(&self, size: &PairTableSize<V>, index: V, high: V) -> (V, V) {
        let row_rank = index.div_small(size.columns);
        let row = self.rows[0].nth_bit(row_rank);
        let column_rank = index.wrapping_sub(row_rank.mul_lo16(size.columns));
        let column = self.columns.nth_bit(column_rank);
        let itself = (row & self.cells.single).lanes_equal(column);
        (row, row.shr(high).blend(itself, column))
    }
}

impl<V: Vector> PairSlot<V> {
    /// The checkers moved in several plays with these dice, the high one first, selected side by side. For each play
    /// there is one bit for the source by the high die and one for the source by the low die, or 0 where a die is not
    /// played. The second source of a run is the point that it passes. `LOW_FIRST` must be set if some runs may have
    /// the low die first.
    #[inline(always)]
    pub fn sources_of<const N: usize, const LOW_FIRST: bool>(
        slots: [&PairSlot<V>; N],
        dice: [(V, V); N],
    ) -> [(V, V); N] {
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
            let (row, (high, _)) = (rows[this], dice[this]);
            masks[this] = place.column_mask & !cells.missing(row, high);
        }
        let columns = V::nth_bits(masks, column_ranks);
        let mut sources = [(zero, zero); N];
        for this in 0..N {
            let PairSlot { cells, place } = slots[this];
            let (row, column, (high, low)) = (rows[this], columns[this], dice[this]);
            let high_run = row & ((column & cells.single) | place.runs);
            let by_low = (column & !high_run) | high_run.shr(high);
            let low_run = if LOW_FIRST { column & place.runs } else { zero };
            sources[this] = (row | low_run.shr(low), by_low);
        }
        sources
    }

    /// The slot of nothing.
    #[inline(always)]
    pub fn empty(zero: V) -> PairSlot<V> {
        PairSlot {
            cells: PairCells { single: zero, lone: zero, twice: zero },
            place: PairPlace { row_mask: zero, column_mask: zero, ranks: zero, width: zero, runs: zero },
        }
    }
}
