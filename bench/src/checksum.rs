//! A checksum of boards that depends on every bit of each, but not on their order.

use core::num::Wrapping;

use tavli::Board;

/// The sums, word by word, of 64-byte boards.
///
/// Adding a board takes eight independent additions, little compared with making the board, yet the compiler cannot
/// leave out any part of the board. The sum does not depend on the order of the boards, so generators of different
/// orders have the same sum. Checksums of other crates depend on the order, and would take a large part of the measured
/// time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checksum([Wrapping<u64>; 8]);

impl Checksum {
    /// Adds a board.
    #[inline(always)]
    pub fn add(&mut self, board: &Board) {
        let words: &[u64; 8] = bytemuck::cast_ref(board);
        for (sum, &word) in self.0.iter_mut().zip(words) {
            *sum += word;
        }
    }

    /// The sums as one number, for recorded expected results.
    #[must_use]
    pub fn folded(&self) -> u64 {
        self.0.iter().fold(0, |folded: u64, sum| folded.rotate_left(8) ^ sum.0)
    }
}

impl<'a> FromIterator<&'a Board> for Checksum {
    fn from_iter<I: IntoIterator<Item = &'a Board>>(boards: I) -> Checksum {
        let mut checksum = Checksum::default();
        for board in boards {
            checksum.add(board);
        }
        checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_counts_in_any_order() {
        let start = Board::START;
        let mut moved = start;
        moved.move_checker(8, 5).expect("a legal move");
        let sum = |boards: &[Board]| boards.iter().collect::<Checksum>();
        assert_eq!(sum(&[start, moved]), sum(&[moved, start]));
        assert_ne!(sum(&[start, moved]), sum(&[start, start]));
        assert_ne!(sum(&[start]), sum(&[start, start]));
        assert_ne!(sum(&[moved]), sum(&[moved.swapped()]));
    }
}
