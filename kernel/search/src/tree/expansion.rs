//! Expansion: positions, chances and choices join the tree. A simulation adds one position at most. If the memory is
//! full, it adds nothing and begins its playout there.
//!
//! Tested by `tests/suite/specification.rs`; without dice by `tests/suite/without_dice.rs`.

use super::arena::{ChancesId, Continuation, NodeId};
use super::choices::ChoicesId;
use super::{ONLY_CHANCE, Tree};
use crate::random::Random;
use crate::stage::{SearchStage, StageTimer};
use tavli_game::Game;

impl<G: Game> Tree<G> {
    /// Adds the choices after a chance, without visits: below a node, or at the root. With progressive bias the
    /// heuristic values them here, once.
    pub(super) fn push_choices(
        &mut self,
        node: Option<NodeId>,
        position: &G::Position,
        chance: usize,
        count: usize,
        first: usize,
        stop: &dyn Fn() -> bool,
    ) -> ChoicesId {
        let Some(bias) = &self.bias else {
            return self.arena.push_choices(node, count, first, &[]);
        };
        let results = self.game.results(position, chance).into_iter();
        let results: Vec<_> = results.map(|result| (result, self.game.points(&result))).collect();
        let ranked = bias.ranked(&results, stop).unwrap_or_else(|_| {
            self.is_stopped = true;
            // After a stop, ranks are in the order of the game. No result depends on them: simulations that land after
            // the stop are not backed up.
            (0..count as u32).map(|choice| (choice, 0.0)).collect()
        });
        self.arena.push_choices(node, count, first, &ranked)
    }

    /// The chances in a node, which join the tree if there is room.
    pub(super) fn chances(
        &mut self,
        node: NodeId,
        random: &mut Random,
        timer: &mut impl StageTimer,
    ) -> Option<ChancesId> {
        let count = self.game.chances().len();
        match self.arena.next(node) {
            Continuation::Chances(chances) => Some(chances),
            Continuation::Unexpanded { .. } if self.arena.has_room_for_chances(count) => {
                timer.enter(SearchStage::Expand);
                // Random sampling does not use the order, but the draw stays: without it the streams of simulations
                // would shift, and recorded results change.
                let order = self.chance_weights.order(random);
                let chances = self.arena.push_chances(node, count, order);
                timer.enter(SearchStage::Select);
                Some(chances)
            }
            Continuation::Unexpanded { .. } | Continuation::Over(_) => None,
        }
    }

    /// The choices after a chance, which join the tree if they have been visited enough and there is room.
    pub(super) fn choices(
        &mut self,
        node: NodeId,
        chances: ChancesId,
        chance: usize,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        timer: &mut impl StageTimer,
    ) -> Option<ChoicesId> {
        if let Some(choices) = self.arena.choices_after(chances, chance) {
            return Some(choices);
        }
        let visits = self.arena.visits_of(chances, chance);
        let choices = self.expand_choices(node, chance, visits, random, stop, timer)?;
        self.arena.set_choices_after(chances, chance, choices);
        Some(choices)
    }

    /// Adds the choices below a node of a tree with shortcuts, under the same conditions as [`Tree::choices`].
    pub(super) fn choices_behind(
        &mut self,
        node: NodeId,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        timer: &mut impl StageTimer,
    ) -> Option<ChoicesId> {
        let visits = self.arena.count_arrival(node);
        self.expand_choices(node, ONLY_CHANCE, visits, random, stop, timer)
    }

    /// Adds the choices after a chance, if `visits` are enough and there is room.
    fn expand_choices(
        &mut self,
        node: NodeId,
        chance: usize,
        visits: u32,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        timer: &mut impl StageTimer,
    ) -> Option<ChoicesId> {
        // After a stop the heuristic is asked no more: simulations of the same group are not backed up.
        if self.is_stopped || visits <= self.expand_after {
            return None;
        }
        timer.enter(SearchStage::Expand);
        let position = self.arena.position(node);
        let count = self.game.choices(&position, chance);
        if !self.arena.has_room_for_choices(count, self.bias.is_some()) {
            timer.enter(SearchStage::Select);
            return None;
        }
        // Drawn, so that positions with fewer visits than choices do not all try the first choices of the game's list.
        let first = random.below(count);
        let choices = self.push_choices(Some(node), &position, chance, count, first, stop);
        timer.enter(SearchStage::Select);
        Some(choices)
    }

    /// Adds the position after a choice, if there is room. Returns it, with its points if the game is over there.
    pub(super) fn push_child(
        &mut self,
        node: Option<NodeId>,
        chance: usize,
        choices: ChoicesId,
        choice: usize,
    ) -> (G::Position, Option<i32>) {
        let position = self.position(node);
        let result = self.game.result(&position, chance, choice);
        let points = self.game.points(&result);
        let child = self.arena.push_child(node, choices, choice, result, points);
        if points.is_some() {
            self.newly_known.extend(child.filter(|_| self.proves));
        }
        (result, points)
    }
}
