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

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::OnRoll => "the player on roll",
            Player::Opponent => "the opponent",
        })
    }
}
