//! One play of a roll.

use crate::board::{Board, PointSet};

/// One play: the position it leads to, and what it hits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    pub(super) board: Board,
    pub(super) hits: u32,
}

impl Play {
    /// The position after the play, seen by the player next on roll. After a play that bears the last checker off,
    /// the opponent of that player has none.
    #[must_use]
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The points, in the mover's frame, on which the play hits a blot.
    #[must_use]
    pub fn hits(&self) -> PointSet {
        PointSet::from_mask(self.hits)
    }
}
