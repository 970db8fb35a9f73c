//! How a playout ended.

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutEnd {
    /// The points of the player whose turn it was in the first position; `None` if the game was cut off.
    pub points: Option<i32>,
    /// The plies.
    pub plies: u32,
}

impl PlayoutEnd {
    /// The end of a game of this many plies, which has these points for the player whose turn it would be next.
    #[must_use]
    #[inline]
    pub fn after_last_ply(points: Option<i32>, plies: u32) -> PlayoutEnd {
        // The turn passes with each ply, so after an odd number the points are those of the other player.
        let sign = if plies.is_multiple_of(2) { 1 } else { -1 };
        let points = points.map(|points| sign * points);
        PlayoutEnd { points, plies }
    }
}
