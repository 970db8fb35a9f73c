//! Backup: the value of a finished simulation goes up its path.
//!
//! Tested by `tests/suite/specification.rs`; without dice by `tests/suite/without_dice.rs`.

use super::Tree;
use super::choices::ChoicesId;
use crate::paths::Paths;
use crate::simulation_allocator::SimulationResult;
use tavli_game::Game;

impl<G: Game> Tree<G> {
    /// Prefetches the words that [`Tree::add_to_sums`] will change.
    pub(super) fn prefetch_sums(&self, paths: &Paths, results: &[SimulationResult]) {
        for result in results {
            for &entry in paths.entries(result.flight) {
                self.arena.prefetch_sum(entry);
            }
        }
    }

    /// Adds each value to the sums of its path. The value is for the player whose turn it was where the simulation
    /// ended; that player's choices get it as it is, the other player's with the opposite sign. Visits were counted on
    /// the way down.
    pub(super) fn add_to_sums(&mut self, paths: &Paths, results: &[SimulationResult]) {
        for &SimulationResult { flight, mut value } in results {
            let path = paths.entries(flight);
            for &entry in path.iter().rev() {
                value = -value;
                self.arena.add_value(entry, value);
            }
            let choice = self.arena.choice_of_entry(ChoicesId::ROOT, path[0]);
            self.counts.choices[choice].add(value);
        }
    }
}
