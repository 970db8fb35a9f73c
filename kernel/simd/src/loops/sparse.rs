//! Sparse matrices, and their products with dense ones.

use core::ops::Range;

use super::work::{LANES, Loops};

/// A sparse matrix: the elements that are not 0, row after row.
#[derive(Clone, PartialEq, Debug)]
pub struct Sparse {
    /// Where each row begins in `columns` and `values`, and where the last one ends.
    ends: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl Default for Sparse {
    fn default() -> Sparse {
        Sparse::new()
    }
}

impl Sparse {
    /// A matrix without rows.
    #[must_use]
    pub fn new() -> Sparse {
        Sparse { ends: vec![0], columns: Vec::new(), values: Vec::new() }
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.ends.truncate(1);
        self.columns.clear();
        self.values.clear();
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.ends.len() - 1
    }

    /// Adds elements, by column and value, to the row that is being written.
    #[inline(always)]
    pub fn extend(&mut self, elements: &[(u32, f32)]) {
        self.columns.extend(elements.iter().map(|element| element.0));
        self.values.extend(elements.iter().map(|element| element.1));
    }

    /// Ends the row that is being written.
    #[inline(always)]
    pub fn end_row(&mut self) {
        self.ends.push(self.columns.len() as u32);
    }

    /// The columns and the values of a row.
    #[must_use]
    #[inline(always)]
    pub fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let elements = self.elements(row);
        (&self.columns[elements.clone()], &self.values[elements])
    }

    #[inline(always)]
    fn elements(&self, row: usize) -> Range<usize> {
        self.ends[row] as usize..self.ends[row + 1] as usize
    }

    /// Becomes the transpose of another matrix, which has `columns` columns. The elements of each row are in order, so
    /// that sums over them do not depend on the machine.
    pub fn transpose(&mut self, other: &Sparse, columns: usize) {
        self.ends.clear();
        self.ends.resize(columns + 1, 0);
        for &column in &other.columns {
            self.ends[column as usize + 1] += 1;
        }
        for column in 0..columns {
            self.ends[column + 1] += self.ends[column];
        }
        self.columns.resize(other.columns.len(), 0);
        self.values.resize(other.values.len(), 0.0);
        for row in 0..other.rows() {
            for element in other.elements(row) {
                let place = &mut self.ends[other.columns[element] as usize];
                self.columns[*place as usize] = row as u32;
                self.values[*place as usize] = other.values[element];
                *place += 1;
            }
        }
        // Each start has moved to its row's end, where the next row starts.
        self.ends.copy_within(..columns, 1);
        self.ends[0] = 0;
    }
}

/// Adds the product of some rows of a sparse matrix and another: `sums[r][c] += left[r][k] * right[k][c]`, in the order
/// of the elements of each row.
#[derive(Debug)]
pub struct AddSparseProduct<'a> {
    /// Rows of `columns` sums, one for each of `rows`.
    pub sums: &'a mut [f32],
    /// The sparse matrix.
    pub left: &'a Sparse,
    /// The rows of the sparse matrix that are multiplied.
    pub rows: Range<usize>,
    /// By rows of `columns`.
    pub right: &'a [f32],
    /// A multiple of [`LANES`].
    pub columns: usize,
}

impl Loops for AddSparseProduct<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(mut self) {
        for row in self.rows.clone() {
            let mut column = 0;
            while column + WIDE <= self.columns {
                self.part::<WIDE>(row, column);
                column += WIDE;
            }
            while column < self.columns {
                self.part::<LANES>(row, column);
                column += LANES;
            }
        }
    }
}

impl AddSparseProduct<'_> {
    #[inline(always)]
    fn part<const WIDE: usize>(&mut self, row: usize, column: usize) {
        let (columns, values) = self.left.row(row);
        if columns.is_empty() {
            return;
        }
        let mut part = [0.0_f32; WIDE];
        let sums = &mut self.sums[(row - self.rows.start) * self.columns + column..][..WIDE];
        part.copy_from_slice(sums);
        for (&k, &left) in columns.iter().zip(values) {
            let right = &self.right[k as usize * self.columns + column..][..WIDE];
            for (sum, &value) in part.iter_mut().zip(right) {
                *sum += left * value;
            }
        }
        sums.copy_from_slice(&part);
    }
}
