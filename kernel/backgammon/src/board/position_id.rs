//! GNU Backgammon's Position ID: the checkers of both sides in 14 characters.
//!
//! Each side, in its own frame, lists points 1 to 24 and the bar: a one-bit for each checker, then a zero-bit. With 15
//! checkers a side that is 80 bits, with fewer the rest is zero. They fill ten bytes from the least significant bit on
//! and are written in base64 without its padding.
//!
//! Two orders of the sides circulate. GNU Backgammon writes the *opponent first*, then the player on
//! roll, and so does everything here. Some programs write the player *on roll first*; such an ID is the
//! GNU ID of the same checkers with the other player on roll, and [`Board::swapped`] turns one into
//! the other:
//!
//! ```
//! use tavli_backgammon::Board;
//! let board = Board::from_position_id("jM/gDQDYzeAJIA")?; // opponent first
//! let on_roll_first = "2M3gCSCMz+ANAA"; // the same position
//! assert_eq!(Board::from_position_id(on_roll_first)?.swapped(), board);
//! # Ok::<(), tavli_backgammon::PositionIdError>(())
//! ```
//!
//! The opening position looks the same from both sides, so it does not show which order a program uses.

use thiserror::Error;

use super::base64::{Base64, Base64Error};
use crate::board::checkers::{Board, BoardError};
use crate::board::side::Side;
use crate::board::side_checkers::SideCheckers;
use crate::board::side_checkers::{BAR, CHECKERS};

/// The 14 characters of a Position ID.
pub type PositionId = Base64<14>;

/// Why text is not a Position ID.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PositionIdError {
    /// It is not 14 base64 characters.
    #[error("not a Position ID: {0}")]
    Text(#[from] Base64Error),
    /// Bits are set beyond the last bar.
    #[error("not a Position ID: both sides end after {used} bits, yet later ones are set; the rest must be zero")]
    TrailingBits {
        /// The bits that the two sides take.
        used: u32,
    },
    /// The checkers are not a position.
    #[error("not a position: {0}")]
    Board(#[from] BoardError),
}

impl Board {
    /// The position of a GNU Backgammon Position ID: opponent first, then the player on roll.
    ///
    /// # Errors
    /// [`PositionIdError`] names the wrong character or bits, or the rule that the checkers break.
    ///
    /// ```
    /// use tavli_backgammon::Board;
    /// assert_eq!(Board::from_position_id("4HPwATDgc/ABMA")?, Board::START);
    /// # Ok::<(), tavli_backgammon::PositionIdError>(())
    /// ```
    pub fn from_position_id(text: &str) -> Result<Board, PositionIdError> {
        let bits = PositionId::read_bits(text)?;
        let (opponent, opponent_bits) = read_unary(bits, Side::Opponent)?;
        let (own, own_bits) = read_unary(bits >> opponent_bits, Side::OnRoll)?;
        let board = Board::from_sides_checked(own, opponent)?;
        let used = opponent_bits + own_bits;
        if bits >> used != 0 {
            return Err(PositionIdError::TrailingBits { used });
        }
        Ok(board)
    }

    /// The Position ID as GNU Backgammon writes it.
    ///
    /// ```
    /// use tavli_backgammon::Board;
    /// assert_eq!(Board::START.position_id().as_str(), "4HPwATDgc/ABMA");
    /// ```
    #[must_use]
    pub fn position_id(&self) -> PositionId {
        let (opponent, used) = unary(self.opponent());
        let (own, _) = unary(self.own());
        PositionId::from_bits(u128::from(own) << used | u128::from(opponent))
    }
}

/// The runs of one-bits of a side, each ended by a zero-bit, and the number of bits that they take (at most 40).
fn unary(side: &SideCheckers) -> (u64, u32) {
    let (mut bits, mut checkers) = (0, 0);
    for point in side.points() {
        let count = u32::from(side.count(point));
        // The run of a point follows a one for each checker before it and a zero for each lower point.
        bits |= ((1 << count) - 1) << (checkers + u32::from(point) - 1);
        checkers += count;
    }
    (bits, checkers + u32::from(BAR))
}

/// The side that the runs of one-bits at the low end stand for, and the number of bits that they take.
fn read_unary(mut bits: u128, player: Side) -> Result<(SideCheckers, u32), BoardError> {
    let (mut planes, mut checkers, mut point) = ([0; 4], 0, 1);
    loop {
        // Empty points are zero-bits in a row.
        point += bits.trailing_zeros();
        if point > u32::from(BAR) {
            break;
        }
        bits >>= bits.trailing_zeros();
        let count = bits.trailing_ones();
        for (bit, plane) in planes.iter_mut().enumerate() {
            // A count above 15 loses bits here, and is refused below.
            *plane |= (count >> bit & 1) << point;
        }
        checkers += count;
        // An ID has 80 bits, so no shift comes to 128.
        bits >>= count + 1;
        point += 1;
    }
    if checkers > u32::from(CHECKERS) {
        return Err(BoardError::TooManyCheckers { player, checkers });
    }
    Ok((SideCheckers::from_planes(planes), checkers + u32::from(BAR)))
}
