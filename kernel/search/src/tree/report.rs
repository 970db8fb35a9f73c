//! What a tree shows of itself: the replies to the choices at its root, and its expected lines.

use super::Tree;
use super::arena::{Chances, Choices, Next};
use crate::branch::{Replies, Reply};
use crate::step::LineStep;
use tavli_game::Game;

impl<G: Game> Tree<G> {
    /// The chances after a choice, if they have joined the tree.
    fn chances_after(&self, choices: Choices, choice: usize) -> Option<Chances> {
        match self.arena.next(self.arena.node(choices, choice)?) {
            Next::Chances(chances) => Some(chances),
            Next::Unexpanded | Next::Over(_) => None,
        }
    }

    fn replies_in(&self, choices: Choices) -> Vec<Reply> {
        let (visits, sums) = self.arena.choices(choices).visits_and_sums();
        let replies = visits.iter().zip(sums).map(|(&visits, &sum)| Reply {
            visits: u64::from(visits),
            sum: i64::from(sum as i32),
        });
        replies.collect()
    }

    /// What came after a choice at the root, by chance; see [`Branch::replies`](crate::Branch::replies).
    pub(super) fn replies_to(&self, choice: usize) -> Vec<Replies> {
        let Some(chances) = self.chances_after(Choices::ROOT, choice) else {
            return Vec::new();
        };
        let of_chance = |chance| {
            let choices = self.arena.choices_after(chances, chance);
            Replies {
                chance,
                visits: u64::from(self.arena.visits_of(chances, chance)),
                choices: choices.map_or_else(Vec::new, |choices| self.replies_in(choices)),
            }
        };
        let replies = (0..self.game.chances().len()).map(of_chance);
        replies.filter(|replies| replies.visits > 0).collect()
    }

    /// The expected line after a choice at the root; see [`Branch::line`](crate::Branch::line).
    pub(super) fn expected_line(&self, first: usize) -> Vec<LineStep> {
        let mut line = vec![LineStep {
            chance: self.chance,
            choice: first,
        }];
        let (mut choices, mut choice) = (Choices::ROOT, first);
        while let Some(chances) = self.chances_after(choices, choice) {
            let of_chances = 0..self.game.chances().len();
            let visits = of_chances.map(|chance| self.arena.visits_of(chances, chance));
            let chance = most_visited(visits);
            let Some(next) = self.arena.choices_after(chances, chance) else {
                break;
            };
            let (visits, _) = self.arena.choices(next).visits_and_sums();
            choices = next;
            choice = most_visited(visits.iter().copied());
            line.push(LineStep { chance, choice });
        }
        line
    }
}

/// The index of the most visits, the first of equal ones.
fn most_visited(visits: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator) -> usize {
    // `max_by_key` returns the last of equal ones.
    let visits = visits.enumerate().rev();
    let most = visits.max_by_key(|&(_, visits)| visits);
    most.expect("there are chances, and choices after each").0
}
