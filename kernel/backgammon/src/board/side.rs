//! The two sides of a game.

use core::fmt;

/// One of the two players of a game, by whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The player on roll.
    OnRoll,
    /// His opponent.
    Opponent,
}

impl Side {
    /// Whose turn it is after a number of plies.
    pub(crate) const fn after(plies: u32) -> Side {
        if plies.is_multiple_of(2) { Side::OnRoll } else { Side::Opponent }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::OnRoll => "the player on roll",
            Side::Opponent => "the opponent",
        })
    }
}
