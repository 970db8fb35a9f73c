//! The positions that a search to a depth has met, for exact counts of small games.

/// The positions that a search met, its root included: a position counts as often as it was reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisitedPositions {
    nodes: u64,
    /// Finished games, by their points from the least to the most.
    finished: Vec<u64>,
}

impl VisitedPositions {
    /// No positions yet. No result of the game exceeds `max_points`.
    pub(crate) fn new(max_points: i32) -> VisitedPositions {
        VisitedPositions { nodes: 0, finished: vec![0; 2 * max_points as usize + 1] }
    }

    /// Counts positions in which the game goes on.
    pub(crate) fn add_ongoing(&mut self, positions: u64) {
        self.nodes += positions;
    }

    /// Counts a finished game, by its points for the player whose turn it would be and the choices made since the root.
    pub(crate) fn add_finished(&mut self, points: i32, choices: u32) {
        self.nodes += 1;
        let most = (self.finished.len() / 2) as i32;
        let of_root = if choices.is_multiple_of(2) { points } else { -points };
        self.finished[(of_root + most) as usize] += 1;
    }

    /// All positions.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The positions in which the game was over with `points` points for the player who chooses at the root.
    #[must_use]
    pub fn finished(&self, points: i32) -> u64 {
        let most = (self.finished.len() / 2) as i32;
        let place = usize::try_from(points + most).ok();
        place.and_then(|place| self.finished.get(place)).copied().unwrap_or(0)
    }
}
