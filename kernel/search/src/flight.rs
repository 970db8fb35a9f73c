//! The playouts of a tree that are in flight, and their order.

use std::collections::VecDeque;

use crate::game::Leaf;
use crate::root::Root;
use crate::settings::{BUNCH, Settings};
use crate::simulations::{Landing, Simulations};
use crate::stage::{Clock, SearchStage};

/// A tree with its playouts in flight.
///
/// Whether the next step is to begin a simulation or to take one back depends on how many were begun and taken back,
/// and on nothing else. Where the one to be taken back has not ended, the tree waits for it. So the order of all steps
/// is fixed, and the tree is a pure function of its number and settings.
#[derive(Debug)]
pub(crate) struct Flight<P, C: Clock> {
    simulations: Box<dyn Simulations<P, C>>,
    settings: Settings,
    /// The choices of each simulation that was begun and not taken back.
    paths: Vec<Vec<u32>>,
    /// The points of the player whose turn it was where the simulation landed, once its game is over.
    points: Vec<Option<i32>>,
    /// Leaves that are not handed out yet.
    leaves: VecDeque<Leaf<P>>,
    landings: Vec<Landing<P>>,
    begun: u64,
    taken: u64,
    /// How many simulations there are.
    number: u64,
    /// The number of the first game.
    first_game: u64,
}

impl<P, C: Clock> Flight<P, C> {
    pub(crate) fn new(
        simulations: Box<dyn Simulations<P, C>>,
        settings: &Settings,
        tree: u32,
        number: u64,
    ) -> Flight<P, C> {
        // A tree without simulations, of a search with fewer than trees, has a slot that nothing takes.
        let slots = number.clamp(1, settings.in_flight.into()) as usize;
        Flight {
            simulations,
            settings: *settings,
            paths: vec![Vec::new(); slots],
            points: vec![None; slots],
            leaves: VecDeque::new(),
            landings: Vec::new(),
            begun: 0,
            taken: 0,
            number,
            first_game: u64::from(tree) << 32,
        }
    }

    fn slot(&self, simulation: u64) -> usize {
        (simulation % self.points.len() as u64) as usize
    }

    /// The next leaf, tagged with its slot; `None` if the tree waits for one to end, has no more, or was stopped.
    pub(crate) fn next(&mut self, stop: &dyn Fn() -> bool, clock: &mut C) -> Option<Leaf<P>> {
        while self.leaves.is_empty() {
            if !self.begin(stop, clock) && !self.take(clock) {
                break;
            }
        }
        clock.enter(SearchStage::PlayOut);
        self.leaves.pop_front()
    }

    /// Begins the simulations that begin next, as far as their slots are neighbours. Returns whether there is one.
    fn begin(&mut self, stop: &dyn Fn() -> bool, clock: &mut C) -> bool {
        let first = self.slot(self.begun);
        let most = (self.points.len() - first).min(BUNCH as usize) as u64;
        let end = self.settings.begun_after(self.taken).min(self.number);
        let next = self.begun..end.min(self.begun + most);
        let may_begin = |&simulation: &u64| self.simulations.waits_for(simulation) <= self.taken;
        let number = next.take_while(may_begin).count();
        if number == 0 {
            return false;
        }
        clock.enter(SearchStage::Select);
        let simulations = self.begun..self.begun + number as u64;
        let paths = &mut self.paths[first..first + number];
        paths.iter_mut().for_each(Vec::clear);
        self.begun = simulations.end;
        self.simulations
            .begin(simulations.clone(), paths, &mut self.landings, stop, clock);
        for (slot, (simulation, landing)) in (first..).zip(simulations.zip(self.landings.drain(..))) {
            match landing {
                Landing::Stopped => {}
                Landing::Over(points) => self.points[slot] = Some(points),
                Landing::Leaf(position, chance) => self.leaves.push_back(Leaf {
                    position,
                    chance,
                    game: self.first_game + simulation,
                    tag: slot as u64,
                }),
            }
        }
        true
    }

    /// Takes simulations back that have ended, until others may begin. Returns whether there is one.
    fn take(&mut self, clock: &mut C) -> bool {
        let slots = (self.taken..self.begun).map(|simulation| self.slot(simulation));
        let ended = slots
            .take(BUNCH as usize)
            .take_while(|&slot| self.points[slot].is_some())
            .count();
        if ended == 0 {
            return false;
        }
        clock.enter(SearchStage::BackUp);
        for simulation in self.taken..self.taken + ended as u64 {
            self.simulations.fetch(&self.paths[self.slot(simulation)]);
        }
        for _ in 0..ended {
            let slot = self.slot(self.taken);
            let points = self.points[slot].take().expect("it has ended");
            let value = self.settings.value.of(points);
            self.simulations.take(&self.paths[slot], value);
            self.taken += 1;
            if self.settings.begun_after(self.taken) > self.begun {
                break;
            }
        }
        true
    }

    /// Notes the end of the game of a slot. Returns whether the tree may go on by that.
    pub(crate) fn end(&mut self, slot: usize, points: i32) -> bool {
        self.points[slot] = Some(points);
        slot == self.slot(self.taken)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.taken == self.number
    }

    pub(crate) fn simulations(&self) -> &dyn Simulations<P, C> {
        &*self.simulations
    }

    pub(crate) fn counts(&self) -> &Root {
        self.simulations.counts()
    }
}
