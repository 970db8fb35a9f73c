//! Where a play of a non-double stands, and the checkers it moves.

use tavli_simd::Vector;

/// What the cells of a table stand for.
#[derive(Clone, Copy)]
pub(crate) struct Cells<V: Vector> {
    /// Points with exactly one own checker.
    pub(super) single: V,
    /// Rows `x` whose column `x` is missing: a lone checker cannot be moved twice.
    pub(super) lone: V,
    /// Rows `x` whose column `x - a` is missing: it would stand for a run that another pair stands for.
    pub(super) twice: V,
}

impl<V: Vector> Cells<V> {
    /// The columns that are missing in a row, whose source moves by the `high` die.
    #[inline(always)]
    pub(super) fn missing(&self, row: V, high: V) -> V {
        (row & self.lone) | (row & self.twice).shr(high)
    }
}

/// Where a play stands in the table: the rank of a bit in a row mask and of one in a column mask.
#[derive(Clone, Copy)]
pub(crate) struct Place<V: Vector> {
    pub(super) row_mask: V,
    pub(super) column_mask: V,
    /// The rank in the column mask, plus `width` times the rank in the row mask.
    pub(super) ranks: V,
    pub(super) width: V,
    /// Rows that are runs with the high die first if there is a row, else columns that are runs with the low die first.
    pub(super) runs: V,
}

/// A place, and what stands there.
#[derive(Clone, Copy)]
pub(crate) struct NonDoubleSlot<V: Vector> {
    pub(crate) cells: Cells<V>,
    pub(crate) place: Place<V>,
}

impl<V: Vector> NonDoubleSlot<V> {
    /// The checkers moved in several plays with these dice, selected side by side. For each play there is one bit for
    /// the source by the high die and one for the source by the low die, or 0 where a die is not played. The second
    /// source of a run is the point that it passes.
    #[inline(always)]
    pub(crate) fn sources_of<const N: usize>(slots: [&NonDoubleSlot<V>; N], dice: [(V, V); N]) -> [(V, V); N] {
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
            let NonDoubleSlot { cells, place } = slots[this];
            let (row, (high, _)) = (rows[this], dice[this]);
            masks[this] = place.column_mask & !cells.missing(row, high);
        }
        let columns = V::nth_bits(masks, column_ranks);
        let mut sources = [(zero, zero); N];
        for this in 0..N {
            let NonDoubleSlot { cells, place } = slots[this];
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
    pub(crate) fn empty(zero: V) -> NonDoubleSlot<V> {
        NonDoubleSlot {
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
