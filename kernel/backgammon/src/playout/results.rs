//! The results of playouts.

use super::batch_game::BatchEnd;
use super::occupancy::Occupancy;
use super::tally::Tally;

/// The results of a set of playouts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// The exact counts.
    pub tally: Tally,
    /// Where the checkers stood at truncation.
    pub occupancy: Occupancy,
}

impl Results {
    /// Adds one playout.
    #[inline(always)]
    pub(super) fn add(&mut self, end: &BatchEnd) {
        self.tally.add(end.outcome(), end.plies());
        if end.outcome().is_none() {
            self.occupancy.add(&end.board());
        }
    }

    /// Adds another set.
    pub fn merge(&mut self, other: &Results) {
        self.tally.merge(&other.tally);
        self.occupancy.merge(&other.occupancy);
    }
}
