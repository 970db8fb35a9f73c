//! How a playout ended.

use crate::board::Board;
use crate::outcome::Outcome;

/// How one playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The number of the game.
    pub game: u64,
    /// How it ended for the player on roll in the first position, or `None` if it was cut off.
    pub outcome: Option<Outcome>,
    /// Plies played, passes and the winning ply included.
    pub plies: u32,
    /// The last position, seen by the player who would be on roll next.
    pub board: Board,
}
