//! What a tree reports: the replies to the choices at its root, and its expected lines.

use super::Tree;
use super::arena::{ChildLink, Continuation};
use super::choices::ChoicesId;
use crate::line_and_replies::{Replies, Reply};
use crate::line_step::LineStep;
use tavli_game::Game;

impl<G: Game> Tree<G> {
    /// How often a chance came after a choice, and the choices after it if they have joined the tree.
    fn visits_and_choices_after(&self, choices: ChoicesId, choice: usize, chance: usize) -> (u32, Option<ChoicesId>) {
        let arrivals = |node| match self.arena.next(node) {
            Continuation::Unexpanded { arrivals } => arrivals,
            Continuation::Chances(_) | Continuation::Over(_) => 0,
        };
        match self.arena.child(choices, choice) {
            ChildLink::None => (0, None),
            ChildLink::Node(node) => match self.arena.next(node) {
                Continuation::Chances(chances) => {
                    let visits = self.arena.visits_of(chances, chance);
                    (visits, self.arena.choices_after(chances, chance))
                }
                Continuation::Unexpanded { .. } | Continuation::Over(_) => (arrivals(node), None),
            },
            ChildLink::Choices(next) => {
                // The visit at which the choices joined the tree is counted at the node and at the choices.
                let node = self.arena.node_before(next).expect("a shortcut leads past a node");
                let before = arrivals(node) - 1;
                (before + self.arena.choices(next).visits(), Some(next))
            }
        }
    }

    fn replies_in(&self, choices: ChoicesId) -> Vec<Reply> {
        let (visits, sums) = self.arena.choices(choices).visits_and_sums();
        let replies = visits
            .iter()
            .zip(sums)
            .map(|(&visits, &sum)| Reply { visits: u64::from(visits), sum: i64::from(sum as i32) });
        replies.collect()
    }

    /// The replies to a choice at the root, by chance; see [`LineAndReplies::replies`](crate::LineAndReplies::replies).
    pub(super) fn replies_to(&self, choice: usize) -> Vec<Replies> {
        let replies_after = |chance| {
            let (visits, choices) = self.visits_and_choices_after(ChoicesId::ROOT, choice, chance);
            Replies {
                chance,
                visits: visits.into(),
                choices: choices.map_or_else(Vec::new, |choices| self.replies_in(choices)),
            }
        };
        let replies = (0..self.game.chances().len()).map(replies_after);
        replies.filter(|replies| replies.visits > 0).collect()
    }

    /// The expected line after a choice at the root; see [`LineAndReplies::line`](crate::LineAndReplies::line).
    pub(super) fn expected_line(&self, root_choice: usize) -> Vec<LineStep> {
        let mut line = vec![LineStep { chance: self.root_chance, choice: root_choice }];
        let (mut choices, mut choice) = (ChoicesId::ROOT, root_choice);
        loop {
            let after = |chance| self.visits_and_choices_after(choices, choice, chance);
            let chance = most_visited((0..self.game.chances().len()).map(|chance| after(chance).0));
            let (_, Some(next)) = after(chance) else {
                return line;
            };
            let (visits, _) = self.arena.choices(next).visits_and_sums();
            choices = next;
            choice = most_visited(visits.iter().copied());
            line.push(LineStep { chance, choice });
        }
    }
}

/// The index of the most visits, the first of equal ones.
fn most_visited(visits: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator) -> usize {
    // `max_by_key` returns the last of equal ones.
    let visits = visits.enumerate().rev();
    let most = visits.max_by_key(|&(_, visits)| visits);
    most.expect("there are chances, and choices after each").0
}
