//! Selection: how simulations go down the tree.

use core::hint::black_box;
use core::mem;
use core::ops::Range;

use tavli_game::Game;

use super::Tree;
use super::arena::{Choices, Next};
use super::descent_group::{Chosen, Descent, DescentGroup, Drawn};
use super::uct;
use crate::allocator::SelectionEnd;
use crate::settings::{ChanceSampling, SelectionBound};
use crate::stage::{Clock, SearchStage};

/// Reads all the words, so that the CPU fetches their cache lines at the same time instead of one after the other.
pub(super) fn prefetch(words: impl Iterator<Item = u32>) {
    // Plain loads, not prefetch instructions, which are unsafe and differ by architecture.
    black_box(words.fold(0, |all, word| all ^ word));
}

impl<G: Game> Tree<G> {
    /// Takes a group of simulations down the tree, and expands it where they leave it; see
    /// [`Allocator::begin`](crate::allocator::Allocator::begin).
    pub(super) fn descend(
        &mut self,
        simulations: Range<u64>,
        paths: &mut [Vec<u32>],
        selection_ends: &mut Vec<SelectionEnd<G::Position>>,
        stop: &dyn Fn() -> bool,
        clock: &mut impl Clock,
    ) {
        if self.is_stopped || self.proof.is_some() {
            selection_ends.extend(simulations.map(|_| SelectionEnd::Stopped));
            return;
        }
        let mut group = mem::take(&mut self.group);
        let DescentGroup {
            descents,
            chosen,
            drawn,
            landed,
        } = &mut group;
        landed.resize(paths.len(), None);
        descents.extend(simulations.enumerate().map(|(which, simulation)| Descent {
            random: self.streams.of(simulation),
            which,
            node: None,
            chance: self.chance,
            choices: Choices::ROOT,
        }));
        // Side by side, level by level: a tree does not fit the cache, and a group of 8 waits once for the memory of a
        // level. That raised the rate of searches from 0.31 to 0.43 of that of plain playouts (profiles/LOG.md,
        // 2026-11-23). Each node is still visited in the order of the simulations' numbers, so that the tree is the
        // same as if they went down one after the other.
        while !descents.is_empty() {
            prefetch(descents.iter().map(|one| self.arena.choices(one.choices).visits()));
            for descent in descents.drain(..) {
                let which = descent.which;
                match self.step_to_node(descent, &mut paths[which], clock) {
                    Ok(one) => chosen.push(one),
                    Err(end) => landed[which] = Some(end),
                }
            }
            let is_over = |node| matches!(self.arena.next(node), Next::Over(_));
            prefetch(chosen.iter().map(|one| u32::from(is_over(one.node))));
            for one in chosen.drain(..) {
                let which = one.descent.which;
                match self.step_to_chance(one, clock) {
                    Ok(one) => drawn.push(one),
                    Err(end) => landed[which] = Some(end),
                }
            }
            let visits = |one: &Drawn| self.arena.visits_of(one.chances, one.descent.chance);
            prefetch(drawn.iter().map(visits));
            for one in drawn.drain(..) {
                let which = one.descent.which;
                match self.step_to_choices(one, stop, clock) {
                    Ok(one) => descents.push(one),
                    Err(end) => landed[which] = Some(end),
                }
            }
        }
        // After the group, so that its simulations, which go down side by side, all see the same tree.
        self.prove();
        let is_stopped = self.is_stopped;
        debug_assert!(landed.iter().all(Option::is_some), "each simulation lands");
        let landed = landed.drain(..).flatten();
        selection_ends.extend(landed.map(|end| if is_stopped { SelectionEnd::Stopped } else { end }));
        self.group = group;
    }

    /// Makes a choice. Returns the end of a simulation that goes no further.
    fn step_to_node(
        &mut self,
        descent: Descent,
        path: &mut Vec<u32>,
        clock: &mut impl Clock,
    ) -> Result<Chosen, SelectionEnd<G::Position>> {
        let Descent {
            node, chance, choices, ..
        } = descent;
        let view = self.arena.choices(choices);
        let is_lost = |choice| self.proves && self.is_lost(choices, choice);
        let selected = match self.bound {
            SelectionBound::Ucb1 if !self.proves => uct::select(view, self.c_squared, self.bias.as_ref()),
            score => uct::select_but(view, self.c_squared, score, is_lost),
        };
        if selected.is_untried {
            self.arena.count_tried(choices);
        }
        let choice = selected.choice;
        path.push(self.arena.visit_with_virtual_loss(choices, choice));
        self.depth = self.depth.max(path.len() as u32);
        if let Some(node) = self.arena.child(choices, choice) {
            return Ok(Chosen { descent, node });
        }
        clock.enter(SearchStage::Expand);
        let (position, points) = self.push_child(node, chance, choices, choice);
        clock.enter(SearchStage::Select);
        Err(match points {
            Some(points) => SelectionEnd::Over(points),
            None => SelectionEnd::Leaf(position, None),
        })
    }

    /// Draws the chance in a node.
    fn step_to_chance(&mut self, chosen: Chosen, clock: &mut impl Clock) -> Result<Drawn, SelectionEnd<G::Position>> {
        let Chosen { mut descent, node } = chosen;
        if let Some(points) = self.arena.certain(node) {
            return Err(SelectionEnd::Over(points));
        }
        let Some(chances) = self.chances(node, &mut descent.random, clock) else {
            return Err(SelectionEnd::Leaf(self.arena.position(node), None));
        };
        let chance = match self.sampling {
            ChanceSampling::Random => self.throws.draw(&mut descent.random),
            ChanceSampling::Stratified => {
                let visit = self.arena.count_draw(chances);
                self.throws.in_order(self.arena.order(chances), visit)
            }
        };
        descent.chance = chance;
        Ok(Drawn { descent, node, chances })
    }

    /// Goes on to the choices after a chance.
    fn step_to_choices(
        &mut self,
        drawn: Drawn,
        stop: &dyn Fn() -> bool,
        clock: &mut impl Clock,
    ) -> Result<Descent, SelectionEnd<G::Position>> {
        let Drawn {
            mut descent,
            node,
            chances,
        } = drawn;
        let chance = descent.chance;
        self.arena.count_visit(chances, chance);
        match self.choices(node, chances, chance, &mut descent.random, stop, clock) {
            Some(choices) => Ok(Descent {
                node: Some(node),
                choices,
                ..descent
            }),
            None => Err(SelectionEnd::Leaf(self.arena.position(node), Some(chance))),
        }
    }
}
