//! Selection: how simulations go down the tree.
//!
//! Tested by `tests/suite/specification.rs`; without dice by `tests/suite/without_dice.rs`.

use core::mem;
use core::ops::Range;

use tavli_game::Game;

use super::arena::ChildLink;
use super::choices::{ChoicesId, Visited};
use super::descent_group::{Descent, DescentGroup};
use super::uct::{self, Logarithms};
use super::{ONLY_CHANCE, Tree};
use crate::paths::Paths;
use crate::random::Random;
use crate::search_settings::{ChanceSampling, SIMULATIONS_PER_DESCENT, SelectionBound};
use crate::simulation_allocator::SelectionEnd;
use crate::stage::{SearchStage, StageTimer};

impl<G: Game> Tree<G> {
    /// Takes a group of simulations down the tree, and expands it where they leave it; see
    /// [`SimulationAllocator::begin`](crate::simulation_allocator::SimulationAllocator::begin).
    pub(super) fn descend(
        &mut self,
        simulations: Range<u64>,
        first_flight: usize,
        paths: &mut Paths,
        ends: &mut Vec<SelectionEnd<G::Position>>,
        stop: &dyn Fn() -> bool,
        timer: &mut impl StageTimer,
    ) {
        if self.is_stopped || self.proof.is_some() {
            ends.extend(simulations.map(|_| SelectionEnd::Stopped));
            return;
        }
        // Taken out, since the tree changes while the group goes down.
        let mut group = mem::take(&mut self.group);
        group.begin(simulations.map(|simulation| Descent {
            random: self.streams.stream(simulation),
            choices: ChoicesId::ROOT,
            entry: 0,
            node: None,
            chances: None,
            chance: self.root_chance,
        }));
        // Each end is `Stopped` until its simulation leaves the tree.
        debug_assert!(ends.is_empty(), "the ends of the last group are done");
        ends.resize(group.descents.len(), SelectionEnd::Stopped);
        // Side by side: a tree does not fit the cache, and a group of 8 waits once for the memory of a level. That
        // raised the rate of searches from 0.31 to 0.43 of the rate of plain playouts (profiles/LOG.md, 2026-11-23).
        // Each node is still visited in the order of the simulations' numbers, so the tree is the same as if the
        // simulations went down one after the other.
        while !group.active.is_empty() {
            if self.arena.has_shortcuts() {
                self.choose_and_follow(&mut group, first_flight, paths);
                group.each(ends, |descent| self.step_past_node(descent, stop, timer));
            } else {
                self.choose(&mut group, first_flight, paths);
                group.each(ends, |descent| self.step_to_node(descent, timer));
                group.each(ends, |descent| self.step_to_chance(descent, timer));
                group.each(ends, |descent| self.step_to_choices(descent, stop, timer));
            }
        }
        let flights = first_flight..first_flight + group.descents.len();
        let depths = flights.map(|flight| paths.entries(flight).len() as u32);
        self.depth = depths.fold(self.depth, u32::max);
        // After the group, so that its simulations, which go down side by side, all see the same tree.
        self.prove();
        if self.is_stopped {
            ends.fill(SelectionEnd::Stopped);
        }
        self.group = group;
    }

    /// Makes a choice for each simulation, in a tree without shortcuts.
    fn choose(&mut self, group: &mut DescentGroup, first_flight: usize, paths: &mut Paths) {
        let DescentGroup { descents, active } = group;
        for &index in &*active {
            self.make_choice(&mut descents[index], first_flight + index, paths, None);
            self.prefetch_node(&descents[index]);
        }
    }

    /// Takes each simulation down a tree with shortcuts, as far as shortcuts lead.
    fn choose_and_follow(&mut self, group: &mut DescentGroup, first_flight: usize, paths: &mut Paths) {
        let DescentGroup { descents, active } = group;
        let is_plain = self.bound == SelectionBound::Ucb1 && self.bias.is_none();
        let logarithms = is_plain.then(Logarithms::cached);
        // Each simulation begins one round after the one before it, so the simulations of a round are at different
        // levels. At the same level they would wait for each other: at the root each choice depends on the one before.
        let mut goes_on = [true; SIMULATIONS_PER_DESCENT as usize];
        let mut begun = 0;
        loop {
            let mut all_ended = begun == active.len();
            begun += usize::from(!all_ended);
            for (&index, goes_on) in active[..begun].iter().zip(&mut goes_on) {
                if *goes_on {
                    *goes_on = self.make_choice(&mut descents[index], first_flight + index, paths, logarithms);
                    all_ended &= !*goes_on;
                }
            }
            if all_ended {
                break;
            }
        }
        for &index in &*active {
            let descent = &mut descents[index];
            descent.node = self.arena.node_before(descent.choices);
            self.prefetch_node(descent);
        }
    }

    /// Prefetches the node that a choice leads to; without one, the node where it was made.
    #[inline(always)]
    fn prefetch_node(&self, descent: &Descent) {
        let choice = self.arena.choice_of_entry(descent.choices, descent.entry);
        if let Some(node) = self.arena.node(descent.choices, choice).or(descent.node) {
            self.arena.prefetch_node(node);
        }
    }

    /// Makes a choice, adds it to a path, and follows its shortcut. Returns whether there is one. `logarithms` are for
    /// the bounds of inline choices, in a tree with shortcuts and with plain UCB1.
    #[inline(always)]
    fn make_choice(
        &mut self,
        descent: &mut Descent,
        flight: usize,
        paths: &mut Paths,
        logarithms: Option<Logarithms>,
    ) -> bool {
        let inline = logarithms.and_then(|logarithms| Some((self.arena.inline_choices(descent.choices)?, logarithms)));
        let visited = match inline {
            Some((inline, logarithms)) => {
                let selected = uct::select_branch_free(&inline, self.c_squared, logarithms);
                inline.visit_with_virtual_loss(selected)
            }
            None => self.choose_general(descent.choices),
        };
        paths.push(flight, visited.entry);
        descent.entry = visited.entry;
        descent.choices = visited.choices;
        self.skip_only_chance(&mut descent.random, visited.followed_shortcut);
        self.arena.prefetch_choices(visited.choices);
        visited.followed_shortcut
    }

    /// Skips the random number of a game's only chance, if its node is passed.
    // Keeps the stream equal to that of a tree without shortcuts, which draws a number for each chance. Such a tree
    // also draws an order of throws when it expands a node, but that simulation ends there (choices join after one
    // visit at least), so no later number changes.
    #[inline(always)]
    fn skip_only_chance(&self, random: &mut Random, passes: bool) {
        random.skip_if(passes & (self.sampling == ChanceSampling::Random));
    }

    /// Makes a choice among any number of choices, and counts it.
    #[inline(always)]
    fn choose_general(&mut self, choices: ChoicesId) -> Visited {
        let view = self.arena.choices(choices);
        let is_lost = |choice| self.proves && self.is_lost(choices, choice);
        let selected = match self.bound {
            SelectionBound::Ucb1 if !self.proves => uct::select(view, self.c_squared, self.bias.as_ref()),
            kind => uct::select_not_lost(view, self.c_squared, kind, is_lost),
        };
        self.arena.visit_with_virtual_loss(choices, selected)
    }

    /// Goes on to the node after a choice. If there is none, it joins the tree, and the simulation ends there.
    #[inline(always)]
    fn step_to_node(
        &mut self,
        descent: &mut Descent,
        timer: &mut impl StageTimer,
    ) -> Result<(), SelectionEnd<G::Position>> {
        let choices = descent.choices;
        let choice = self.arena.choice_of_entry(choices, descent.entry);
        if let Some(node) = self.arena.node(choices, choice) {
            descent.node = Some(node);
            return Ok(());
        }
        timer.enter(SearchStage::Expand);
        let (position, points) = self.push_child(descent.node, descent.chance, choices, choice);
        timer.enter(SearchStage::Select);
        Err(match points {
            Some(points) => SelectionEnd::Over(points),
            None => SelectionEnd::Leaf(position, None),
        })
    }

    /// Draws the chance in a node.
    #[inline(always)]
    fn step_to_chance(
        &mut self,
        descent: &mut Descent,
        timer: &mut impl StageTimer,
    ) -> Result<(), SelectionEnd<G::Position>> {
        let node = descent.node.expect("a simulation has come to one");
        if let Some(points) = self.arena.known_points(node) {
            return Err(SelectionEnd::Over(points));
        }
        let Some(chances) = self.chances(node, &mut descent.random, timer) else {
            return Err(SelectionEnd::Leaf(self.arena.position(node), None));
        };
        let chance = match self.sampling {
            ChanceSampling::Random => self.chance_weights.draw(&mut descent.random),
            ChanceSampling::Stratified => {
                let visit = self.arena.count_draw(chances);
                self.chance_weights.in_order(self.arena.order(chances), visit)
            }
        };
        descent.chances = Some(chances);
        descent.chance = chance;
        self.arena.prefetch_chance(chances, chance);
        Ok(())
    }

    /// Goes on to the choices after a chance.
    #[inline(always)]
    fn step_to_choices(
        &mut self,
        descent: &mut Descent,
        stop: &dyn Fn() -> bool,
        timer: &mut impl StageTimer,
    ) -> Result<(), SelectionEnd<G::Position>> {
        let node = descent.node.expect("a simulation has come to one");
        let chances = descent.chances.expect("the chance in the node is drawn");
        let chance = descent.chance;
        self.arena.count_visit(chances, chance);
        let Some(choices) = self.choices(node, chances, chance, &mut descent.random, stop, timer) else {
            return Err(SelectionEnd::Leaf(self.arena.position(node), Some(chance)));
        };
        self.arena.prefetch_choices(choices);
        descent.choices = choices;
        Ok(())
    }

    /// [`Tree::step_to_node`], and past the only chance there to the choices, in a tree with shortcuts.
    #[inline(always)]
    fn step_past_node(
        &mut self,
        descent: &mut Descent,
        stop: &dyn Fn() -> bool,
        timer: &mut impl StageTimer,
    ) -> Result<(), SelectionEnd<G::Position>> {
        let before = descent.choices;
        descent.chance = ONLY_CHANCE;
        self.step_to_node(descent, timer)?;
        let node = descent.node.expect("a simulation has come to one");
        if let Some(points) = self.arena.known_points(node) {
            return Err(SelectionEnd::Over(points));
        }
        self.skip_only_chance(&mut descent.random, true);
        let choices = match self.arena.child(before, self.arena.choice_of_entry(before, descent.entry)) {
            // Another simulation of the group has just made the shortcut.
            ChildLink::Choices(choices) => choices,
            _ => {
                let choices = self.choices_behind(node, &mut descent.random, stop, timer);
                let leaf = SelectionEnd::Leaf(self.arena.position(node), Some(ONLY_CHANCE));
                let choices = choices.ok_or(leaf)?;
                self.arena.set_shortcut(before, descent.entry, choices);
                choices
            }
        };
        descent.choices = choices;
        Ok(())
    }
}
