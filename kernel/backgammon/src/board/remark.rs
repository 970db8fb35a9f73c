//! What a text says and a position cannot be.

use core::fmt;

/// What a text says of a position and cannot be: reading passes over it, as GNU Backgammon does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// The text calls the game the Crawford game, in which one player is a single point from winning, and nobody is.
    NotCrawford {
        /// The points of the player on roll.
        score: u16,
        /// The points of his opponent.
        opponent_score: u16,
        /// The length of the match.
        length: u16,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Remark::NotCrawford {
            score,
            opponent_score,
            length,
        } = self;
        write!(
            f,
            "at {score}-{opponent_score} in a match of {length} nobody is one point from winning, so this is not read as \
             the Crawford game, although it is marked as such; GNU Backgammon reads it so"
        )
    }
}
