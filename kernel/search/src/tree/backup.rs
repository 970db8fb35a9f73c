//! Backup: the value of a finished simulation goes up its path.

use super::Tree;
use super::choices::Choices;
use tavli_game::Game;

impl<G: Game> Tree<G> {
    /// Prefetches the words that [`Tree::back_up_path`] will change.
    pub(super) fn prefetch_path(&self, path: &[u32]) {
        path.iter().for_each(|&step| self.arena.prefetch_sum(step));
    }

    /// Adds a value to the sums of a path: for the player whose turn it was where the simulation ends, and with the
    /// other sign for each choice before that of the same player. Visits were counted on the way down.
    pub(super) fn back_up_path(&mut self, path: &[u32], value: i32) {
        let mut value = value;
        for &step in path.iter().rev() {
            value = -value;
            self.arena.back_up(step, value);
        }
        let choice = self.arena.choice_of_step(Choices::ROOT, path[0]);
        self.counts.arms[choice].add(value);
    }
}
