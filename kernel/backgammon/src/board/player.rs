//! The two players.

use core::fmt;

/// One of the two players, by whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The player on roll.
    OnRoll,
    /// His opponent.
    Opponent,
}

impl Player {
    /// Whose turn it is after a number of plies.
    pub(crate) const fn after(plies: u32) -> Player {
        if plies.is_multiple_of(2) {
            Player::OnRoll
        } else {
            Player::Opponent
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::OnRoll => "the player on roll",
            Player::Opponent => "the opponent",
        })
    }
}
