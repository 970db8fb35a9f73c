//! Selection: how simulations go down the tree.

use core::mem;
use core::ops::Range;

use tavli_game::Game;

use super::Tree;
use super::arena::{Child, Choices};
use super::descent_group::{Before, Chosen, Departure, Descent, DescentGroup, Drawn, Reached};
use super::uct;
use crate::allocator::SelectionEnd;
use crate::settings::{ChanceSampling, SelectionBound};
use crate::stage::{Clock, SearchStage};

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
            leaving,
            chosen,
            drawn,
        } = &mut group;
        // One end for each path. A simulation that has not left the tree yet counts as stopped.
        let ends = selection_ends;
        debug_assert!(ends.is_empty(), "those of one group");
        ends.resize(paths.len(), SelectionEnd::Stopped);
        descents.extend(simulations.enumerate().map(|(path, simulation)| Descent {
            random: self.streams.of(simulation),
            path,
            before: Before::Root,
            chance: self.chance,
            choices: Choices::ROOT,
        }));
        // Side by side, level by level: a tree does not fit the cache, and a group of 8 waits once for the memory of a
        // level. That raised the rate of searches from 0.31 to 0.43 of that of plain playouts (profiles/LOG.md,
        // 2026-11-23). Each node is still visited in the order of the simulations' numbers, so that the tree is the
        // same as if they went down one after the other.
        while !descents.is_empty() {
            // In place, and in their order: most stay in the tree.
            let depth = 1 + paths[descents[0].path].len() as u32;
            self.depth = self.depth.max(depth);
            descents.retain_mut(|descent| match self.choose(descent, &mut paths[descent.path]) {
                Reached::Choices(choices) => {
                    if self.sampling == ChanceSampling::Random {
                        // The stream of the simulation stays in step with the way by the chances.
                        descent.random.skip();
                    }
                    self.arena.prefetch_choices(choices);
                    descent.before = Before::Shortcut;
                    descent.choices = choices;
                    true
                }
                Reached::Node(node) => {
                    self.arena.prefetch_node(node);
                    let descent = descent.clone();
                    chosen.push(Chosen { descent, node });
                    false
                }
                Reached::Outside { node, choice } => {
                    if let Some(node) = node {
                        self.arena.prefetch_node(node);
                    }
                    let descent = descent.clone();
                    leaving.push(Departure { descent, node, choice });
                    false
                }
            });
            for departing in leaving.drain(..) {
                let path = departing.descent.path;
                match self.leave(departing, clock) {
                    Ok(goes_on) => chosen.push(goes_on),
                    Err(end) => ends[path] = end,
                }
            }
            for at_node in chosen.drain(..) {
                let path = at_node.descent.path;
                match self.step_to_chance(at_node, clock) {
                    Ok(goes_on) => drawn.push(goes_on),
                    Err(end) => ends[path] = end,
                }
            }
            for at_chance in drawn.drain(..) {
                let path = at_chance.descent.path;
                match self.step_to_choices(at_chance, &paths[path], stop, clock) {
                    Ok(goes_on) => descents.push(goes_on),
                    Err(end) => ends[path] = end,
                }
            }
        }
        // After the group, so that its simulations, which go down side by side, all see the same tree.
        self.prove();
        if self.is_stopped {
            ends.fill(SelectionEnd::Stopped);
        }
        self.group = group;
    }

    /// Makes a choice.
    #[inline(always)]
    fn choose(&mut self, descent: &Descent, path: &mut Vec<u32>) -> Reached {
        let choices = descent.choices;
        let view = self.arena.choices(choices);
        let is_lost = |choice| self.proves && self.is_lost(choices, choice);
        let selected = match self.bound {
            SelectionBound::Ucb1 if !self.proves => uct::select(view, self.c_squared, self.bias.as_ref()),
            kind => uct::select_not_lost(view, self.c_squared, kind, is_lost),
        };
        if selected.is_untried {
            self.arena.count_tried(choices);
        }
        let choice = selected.choice;
        path.push(self.arena.visit_with_virtual_loss(choices, choice));
        match self.arena.child(choices, choice) {
            Child::Node(node) => Reached::Node(node),
            Child::Choices(choices) => Reached::Choices(choices),
            Child::None => {
                let node = match descent.before {
                    Before::Root => None,
                    Before::Node(node) => Some(node),
                    Before::Shortcut => Some(self.arena.node_before(choices)),
                };
                Reached::Outside { node, choice }
            }
        }
    }

    /// Adds the position after a choice, where the simulation ends, unless one of the same group has added it.
    fn leave(&mut self, leaving: Departure, clock: &mut impl Clock) -> Result<Chosen, SelectionEnd<G::Position>> {
        let Departure { descent, node, choice } = leaving;
        let Descent { chance, choices, .. } = descent;
        if let Some(node) = self.arena.node(choices, choice) {
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
            ChanceSampling::Random => self.chance_weights.draw(&mut descent.random),
            ChanceSampling::Stratified => {
                let visit = self.arena.count_draw(chances);
                self.chance_weights.in_order(self.arena.order(chances), visit)
            }
        };
        descent.chance = chance;
        self.arena.prefetch_chance(chances, chance);
        Ok(Drawn { descent, node, chances })
    }

    /// Goes on to the choices after a chance.
    fn step_to_choices(
        &mut self,
        drawn: Drawn,
        path: &[u32],
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
        let (before, step) = (descent.choices, path[path.len() - 1]);
        match self.choices(node, chances, chance, &mut descent.random, stop, clock) {
            Some(choices) => {
                self.arena.shorten(before, step, choices);
                self.arena.prefetch_choices(choices);
                Ok(Descent {
                    before: Before::Node(node),
                    choices,
                    ..descent
                })
            }
            None => Err(SelectionEnd::Leaf(self.arena.position(node), Some(chance))),
        }
    }
}
