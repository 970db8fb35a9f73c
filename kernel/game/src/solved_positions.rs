//! Solved positions.

use core::fmt::{Debug, Display};

use thiserror::Error;

/// Positions whose values under perfect play are known.
pub trait SolvedPositions<P>: Debug + Send + Sync {
    /// The value of a position, if it is known under the rules of the tables.
    fn known(&self, position: &P) -> Option<SolvedValue>;
}

/// The value of a solved position: both players play as well as can be, and the winner as fast as it can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SolvedValue {
    /// The points of the player on roll or to move.
    pub points: i32,
    /// The plies to the end of the game, if a player wins.
    pub plies: u32,
}

impl SolvedValue {
    /// The sort key of the player who leaves this position to the opponent, greater is better: a win in few plies, then
    /// a draw, then a loss in many.
    #[must_use]
    pub fn preference(self) -> (i32, i64) {
        // Wide enough to negate every `u32`.
        let plies = i64::from(self.plies);
        (-self.points, if self.points < 0 { -plies } else { plies })
    }
}

/// Bytes that are no solved positions of a game: one line that says why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SolvedPositionsError(String);

impl SolvedPositionsError {
    /// The error of this message.
    pub fn new(message: impl Display) -> SolvedPositionsError {
        SolvedPositionsError(message.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_soon_and_losses_late() {
        let known = |points, plies| SolvedValue { points, plies };
        let mut replies = [known(-1, 9), known(1, 4), known(0, 0), known(-1, 3), known(1, 8)];
        replies.sort_by_key(|known| known.preference());
        assert_eq!(replies, [known(1, 4), known(1, 8), known(0, 0), known(-1, 9), known(-1, 3)]);
    }
}
