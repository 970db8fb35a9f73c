//! Positions.

use super::side::Side;
use super::squares::{self, Square};
use thiserror::Error;

/// Where the pieces stand, which side moves, and how many plies in a row count towards a draw.
///
/// Sets of squares are words; [`Square::set`] is the set of one. Each side has at most twelve pieces, no two pieces
/// share a square, and no man stands on the row where it would be a king. At least one side has a piece.
///
/// As text a position is a FEN as in PDN: the side to move, White's pieces, and Black's, kings with a `K`. Plies that
/// the draw rule counts follow behind `:H`, if there are any.
/// ```
/// use tavli_draughts::{Position, Side};
/// let position: Position = "B:W21,K30:B1,K7:H12".parse()?;
/// assert_eq!(position.side(), Side::Black);
/// assert_eq!(position.quiet(), 12);
/// assert_eq!(position.pieces(Side::White).count_ones(), 2);
/// assert_eq!(position.to_string(), "B:W21,K30:B1,K7:H12");
/// # Ok::<(), tavli_draughts::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    black: u32,
    white: u32,
    kings: u32,
    side: Side,
    quiet: u8,
}

/// A position that draughts does not have, or text that is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Text that is not made of the three parts, or the four with a count.
    #[error("'{0}' is not a position: write the side to move, White's and Black's pieces, as in 'B:W21,K30:B1,K7'")]
    Parts(String),
    /// A side to move that is not `B` or `W`.
    #[error("'{0}' before the first colon is not a side to move: write B for Black or W for White")]
    SideToMove(String),
    /// A part that names no side, or the side of the part before.
    #[error("'{0}' lists no side's pieces: write one part that begins with W and one that begins with B")]
    Side(String),
    /// A square that the board lacks.
    #[error("'{0}' is not a square: write a number from 1 to 32, for a king with K before it")]
    Square(String),
    /// A count of plies that is not a number, or too large.
    #[error("'{0}' is not a number of plies: write H and a number from 0 to 255")]
    Count(String),
    /// Two pieces on a square.
    #[error("two pieces stand on square {0}: list each square once")]
    Occupied(Square),
    /// More pieces than a side has.
    #[error("{side} has {number} pieces: a side has at most 12")]
    TooMany {
        /// The side.
        side: Side,
        /// How many pieces it would have.
        number: u32,
    },
    /// A man on the row where it is a king.
    #[error("{side} has a man on square {square}, where it would be a king: write K{square}")]
    ManOnLastRow {
        /// The side.
        side: Side,
        /// Where the man stands.
        square: Square,
    },
    /// A king on an empty square.
    #[error("square {0} has a king and no piece of either side: add it to the pieces of its side")]
    KingAlone(Square),
    /// No pieces at all.
    #[error("the board is empty: at least one side has a piece")]
    Empty,
}

/// The first square of a set, by number.
fn first(set: u32) -> Option<Square> {
    Square::all(set).next()
}

impl Position {
    /// The position in which a game begins: Black moves.
    pub const START: Position = Position {
        black: squares::row(0) | squares::row(1) | squares::row(2),
        white: squares::row(5) | squares::row(6) | squares::row(7),
        kings: 0,
        side: Side::Black,
        quiet: 0,
    };

    /// A position of the squares with pieces of Black, with pieces of White, and with kings of either.
    ///
    /// # Errors
    /// If two pieces share a square, a side has more than twelve, a man stands on the row where it would be a king, a
    /// king on an empty square, or the board is empty.
    pub fn new(black: u32, white: u32, kings: u32, side: Side, quiet: u8) -> Result<Position, PositionError> {
        if let Some(square) = first(black & white) {
            return Err(PositionError::Occupied(square));
        }
        if let Some(square) = first(kings & !(black | white)) {
            return Err(PositionError::KingAlone(square));
        }
        if black | white == 0 {
            return Err(PositionError::Empty);
        }
        for (side, pieces, last_row) in [(Side::White, white, squares::row(0)), (Side::Black, black, squares::row(7))] {
            let number = pieces.count_ones();
            if number > 12 {
                return Err(PositionError::TooMany { side, number });
            }
            if let Some(square) = first(pieces & !kings & last_row) {
                return Err(PositionError::ManOnLastRow { side, square });
            }
        }
        Ok(Position::unchecked([black, white, kings], side, quiet))
    }

    /// A position that is not checked, from both sides' squares and the squares of kings.
    #[inline(always)]
    pub(crate) const fn unchecked([black, white, kings]: [u32; 3], side: Side, quiet: u8) -> Position {
        Position { black, white, kings, side, quiet }
    }

    /// The side to move.
    #[must_use]
    #[inline(always)]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The squares with a side's pieces.
    #[must_use]
    #[inline(always)]
    pub const fn pieces(&self, side: Side) -> u32 {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }

    /// The squares with kings of either side.
    #[must_use]
    #[inline(always)]
    pub const fn kings(&self) -> u32 {
        self.kings
    }

    /// The plies in a row up to now that the rules count towards a draw, at most 255. The rules say which.
    #[must_use]
    #[inline(always)]
    pub const fn quiet(&self) -> u8 {
        self.quiet
    }

    /// Sets the count of quiet plies.
    #[must_use]
    pub const fn with_quiet(self, quiet: u8) -> Position {
        Position { quiet, ..self }
    }

    /// The board after a half-turn, with the sides exchanged. It is the same game with the colours exchanged.
    /// ```
    /// use tavli_draughts::Position;
    /// let position: Position = "B:W21,K30:B1,K7".parse()?;
    /// assert_eq!(position.turned().to_string(), "W:WK26,32:BK3,12");
    /// # Ok::<(), tavli_draughts::PositionError>(())
    /// ```
    #[must_use]
    pub const fn turned(self) -> Position {
        Position {
            black: squares::half_turn(self.white),
            white: squares::half_turn(self.black),
            kings: squares::half_turn(self.kings),
            side: self.side.other(),
            quiet: self.quiet,
        }
    }
}
