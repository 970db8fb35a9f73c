//! The board: squares, sides, positions and their text.
//!
//! A set of squares is a word of 32 bits. Bit `4 row - 3 column + 3`, modulo 32, stands for the square in that column
//! and row, both from 0 on and seen from Black's side: the diagonals of the board lie one after another in the word.
//! Each step of a piece is then a rotation of the word: by 1 or 7 for Black's men, by 31 or 25 for White's, by any of
//! the four for kings.

mod fen;
mod position;
mod side;
pub(crate) mod squares;

pub use position::{Position, PositionError};
pub use side::Side;
pub use squares::Square;
