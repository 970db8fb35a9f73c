//! Products of matrices.

use tavli_backgammon::Stopped;
use tavli_run::Cancel;
use tavli_simd::Tier;
use tavli_simd::loops::{AddSparseProduct, LANES, Loops, ROWS, run_on};

/// About the number of multiplications between two checks of `cancel`: some hundredths of a second on any tier.
const MULTIPLICATIONS: usize = 1 << 26;

/// A matrix in memory, by rows or by columns.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub(super) values: &'a [f32],
    /// The distance from an element to the element below it.
    pub(super) down: usize,
    /// The distance from an element to the element on its right.
    pub(super) right: usize,
}

/// Adds the product of two matrices to a third: `sums[r][c] += left[r][k] * right[k][c]`, in the order of `k`.
pub(super) struct AddProduct<'a> {
    /// By rows of `columns`.
    pub(super) sums: &'a mut [f32],
    pub(super) left: Matrix<'a>,
    /// By rows of `columns`.
    pub(super) right: &'a [f32],
    /// Columns of `sums` and `right`, a multiple of [`LANES`].
    pub(super) columns: usize,
    /// Columns of `left`, rows of `right`.
    pub(super) inner: usize,
}

/// Adds a product, row by row of its sums, unless it is cancelled.
pub(super) fn add_product(tier: Tier, product: AddProduct<'_>, cancel: &Cancel) -> Result<(), Stopped> {
    let AddProduct { sums, left, right, columns, inner } = product;
    let rows = MULTIPLICATIONS / (columns * inner).max(1);
    // Whole tiles: the rows left over at the end of a block are computed one at a time.
    let rows = (rows / ROWS * ROWS).max(ROWS);
    for (block, sums) in sums.chunks_mut(rows * columns).enumerate() {
        if cancel.is_cancelled() {
            return Err(Stopped);
        }
        let values = &left.values[block * rows * left.down..];
        run_on(tier, AddProduct { sums, left: Matrix { values, ..left }, right, columns, inner });
    }
    Ok(())
}

/// Adds the product of a sparse matrix, row by row of its sums, unless it is cancelled.
pub(super) fn add_sparse_product(tier: Tier, product: AddSparseProduct<'_>, cancel: &Cancel) -> Result<(), Stopped> {
    let AddSparseProduct { mut sums, left, rows, right, columns } = product;
    let mut from = rows.start;
    while from < rows.end {
        if cancel.is_cancelled() {
            return Err(Stopped);
        }
        let (mut to, mut multiplications) = (from, 0);
        while to < rows.end && multiplications < MULTIPLICATIONS {
            multiplications += left.row(to).0.len() * columns;
            to += 1;
        }
        let (block, rest) = sums.split_at_mut((to - from) * columns);
        run_on(tier, AddSparseProduct { sums: block, left, rows: from..to, right, columns });
        (sums, from) = (rest, to);
    }
    Ok(())
}

impl Loops for AddProduct<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(mut self) {
        let rows = self.sums.len() / self.columns;
        let mut row = 0;
        while row + ROWS <= rows {
            self.rows::<ROWS, WIDE>(row);
            row += ROWS;
        }
        for row in row..rows {
            self.rows::<1, WIDE>(row);
        }
    }
}

impl AddProduct<'_> {
    #[inline(always)]
    fn rows<const HIGH: usize, const WIDE: usize>(&mut self, row: usize) {
        let mut column = 0;
        while column + WIDE <= self.columns {
            self.tile::<HIGH, WIDE>(row, column);
            column += WIDE;
        }
        while column < self.columns {
            self.tile::<HIGH, LANES>(row, column);
            column += LANES;
        }
    }

    #[inline(always)]
    fn tile<const HIGH: usize, const WIDE: usize>(&mut self, row: usize, column: usize) {
        let columns = self.columns;
        let mut tile = [[0.0_f32; WIDE]; HIGH];
        for (high, part) in tile.iter_mut().enumerate() {
            // A tile begins with the sums so far. If it began with 0, and the sums were added at the end, the order of
            // additions would depend on how the positions of a minibatch are divided among workers.
            part.copy_from_slice(&self.sums[(row + high) * columns + column..][..WIDE]);
        }
        for k in 0..self.inner {
            let right = &self.right[k * columns + column..][..WIDE];
            for (high, part) in tile.iter_mut().enumerate() {
                let left = self.left.values[(row + high) * self.left.down + k * self.left.right];
                for (sum, &value) in part.iter_mut().zip(right) {
                    *sum += left * value;
                }
            }
        }
        for (high, part) in tile.iter().enumerate() {
            self.sums[(row + high) * columns + column..][..WIDE].copy_from_slice(part);
        }
    }
}
