//! Proofs (MCTS-Solver): known values go up the tree, in games without chances.
//!
//! A position is proven if a choice in it is known to lead to the most points of the game, or if all its choices are
//! known: it then has the value of the best choice. Winands, Björnsson and Saito (2008) prove wins and losses in this
//! way; here draws are proven as well. Simulations end in proven positions without a playout, and leave out choices
//! that are known to lose.

use super::arena::Continuation;
use super::choices::ChoicesId;
use super::{ONLY_CHANCE, Tree};
use tavli_game::Game;

impl<G: Game> Tree<G> {
    /// The points of the player who makes a choice, if they are known.
    pub(super) fn known_points_after(&self, choices: ChoicesId, choice: usize) -> Option<i32> {
        Some(-self.arena.known_points(self.arena.node(choices, choice)?)?)
    }

    /// Whether a choice is known to lose by the most points.
    pub(super) fn is_lost(&self, choices: ChoicesId, choice: usize) -> bool {
        self.known_points_after(choices, choice) == Some(-self.game.max_points())
    }

    /// Proves the parents of the nodes that have become known since the last call, and so on up the tree.
    pub(super) fn prove(&mut self) {
        while let Some(node) = self.newly_known.pop() {
            let parent = self.arena.parent(node);
            let choices = match parent {
                None => ChoicesId::ROOT,
                Some(parent) => match (self.arena.known_points(parent), self.arena.next(parent)) {
                    (None, Continuation::Chances(chances)) => {
                        let choices = self.arena.choices_after(chances, ONLY_CHANCE);
                        choices.expect("the node came after a choice")
                    }
                    // The parent is known already, by another choice.
                    _ => continue,
                },
            };
            let Some(points) = self.proven_points(choices) else {
                continue;
            };
            match parent {
                None => self.proof = Some(points),
                Some(parent) => {
                    self.arena.set_proof(parent, points);
                    self.newly_known.push(parent);
                }
            }
        }
    }

    /// The points of the player who has these choices, if they are proven.
    fn proven_points(&self, choices: ChoicesId) -> Option<i32> {
        let most = self.game.max_points();
        let (mut best, mut all) = (i32::MIN, true);
        for choice in 0..self.arena.choices(choices).count() {
            match self.known_points_after(choices, choice) {
                Some(points) if points >= most => return Some(points),
                Some(points) => best = best.max(points),
                None => all = false,
            }
        }
        all.then_some(best)
    }
}
