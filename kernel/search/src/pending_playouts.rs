//! The playouts of a tree that are in flight, and the order in which they are backed up.

use crate::paths::Paths;
use crate::root_counts::RootCounts;
use crate::search_settings::{SIMULATIONS_PER_DESCENT, SearchSettings};
use crate::simulation_allocator::{SelectionEnd, SimulationAllocator, SimulationResult};
use crate::stage::{SearchStage, StageTimer};
use tavli_game::GameStart;

/// The answer of a tree that is asked for a leaf.
pub(crate) enum NextLeaf<P> {
    Leaf(GameStart<P>),
    /// No leaf until one of its playouts has ended. If none is in flight, the tree is finished or was stopped.
    Waiting,
    /// No leaf for now: [`GROUPS_BEFORE_YIELD`] groups in a row have ended inside the tree, without a playout.
    Busy,
}

/// Groups of simulations without a playout after which a tree is [busy](NextLeaf::Busy), so that a worker gets to its
/// other trees, and to its cancel switch, about every millisecond.
// Without it a search of a won position, whose simulations all end in the tree, did not hear signals for minutes.
const GROUPS_BEFORE_YIELD: u32 = 1 << 10;

/// A tree with its playouts in flight.
///
/// Selection and backup alternate in a fixed order, which depends only on how many simulations were begun and backed
/// up. If the next playout to back up is unfinished, the tree waits for it. So the tree is a pure function of its
/// number and settings, although playouts end in any order.
#[derive(Debug)]
pub(crate) struct PendingPlayouts<P, C: StageTimer> {
    allocator: Box<dyn SimulationAllocator<P, C>>,
    settings: SearchSettings,
    /// By flight, the path of a simulation that was begun and is not backed up.
    paths: Paths,
    /// By flight, the points of the player whose turn it was where the simulation landed, once its game is over.
    points: Vec<Option<i32>>,
    /// Where each selection of the last group ended. The first is of `first_simulation`, in `first_flight`.
    selection_ends: Vec<SelectionEnd<P>>,
    first_simulation: u64,
    first_flight: usize,
    /// How many of these ends are done: they have handed out their leaves.
    handed_out: usize,
    begun: u64,
    backed_up: u64,
    /// The flight of the simulation that is backed up next: its number modulo the number of flights.
    oldest_flight: usize,
    /// The number of simulations, begun or not.
    simulations: u64,
    /// The number of the first game.
    first_game: u64,
}

impl<P: Copy, C: StageTimer> PendingPlayouts<P, C> {
    pub(crate) fn new(
        allocator: Box<dyn SimulationAllocator<P, C>>,
        settings: &SearchSettings,
        tree: u32,
        simulations: u64,
    ) -> PendingPlayouts<P, C> {
        // A search may have fewer simulations than trees. A tree without simulations still has one flight, which stays
        // empty.
        let flights = simulations.clamp(1, settings.in_flight.into()) as usize;
        PendingPlayouts {
            allocator,
            settings: *settings,
            paths: Paths::new(flights),
            points: vec![None; flights],
            selection_ends: Vec::new(),
            first_simulation: 0,
            first_flight: 0,
            handed_out: 0,
            begun: 0,
            backed_up: 0,
            oldest_flight: 0,
            simulations,
            // Each tree has its own numbers for 2^32 games: no game is played by two trees.
            first_game: u64::from(tree) << 32,
        }
    }

    /// The flight `behind` simulations after the one that is backed up next; `behind` is at most the number of flights.
    fn flight_behind(&self, behind: usize) -> usize {
        let flight = self.oldest_flight + behind;
        let flights = self.points.len();
        if flight < flights { flight } else { flight - flights }
    }

    /// How many simulations have begun.
    pub(crate) fn begun(&self) -> u64 {
        self.begun
    }

    /// The next leaf, tagged with its flight, if there is one.
    pub(crate) fn next(&mut self, stop: &dyn Fn() -> bool, timer: &mut C) -> NextLeaf<P> {
        let mut groups = 0;
        loop {
            if let Some(&end) = self.selection_ends.get(self.handed_out) {
                let flight = self.first_flight + self.handed_out;
                let simulation = self.first_simulation + self.handed_out as u64;
                self.handed_out += 1;
                match end {
                    SelectionEnd::Stopped => {}
                    SelectionEnd::Over(points) => self.points[flight] = Some(points),
                    SelectionEnd::Leaf(position, chance) => {
                        timer.enter(SearchStage::PlayOut);
                        return NextLeaf::Leaf(GameStart {
                            position,
                            chance,
                            game: self.first_game + simulation,
                            tag: flight as u64,
                        });
                    }
                }
            } else if groups == GROUPS_BEFORE_YIELD {
                return NextLeaf::Busy;
            } else if self.begin_group(stop, timer) {
                groups += 1;
            } else if !self.back_up_group(timer) {
                timer.enter(SearchStage::PlayOut);
                return NextLeaf::Waiting;
            }
        }
    }

    /// Begins the next group of simulations, or the part of it in neighbouring flights. Returns whether there is one.
    fn begin_group(&mut self, stop: &dyn Fn() -> bool, timer: &mut C) -> bool {
        let first = self.flight_behind((self.begun - self.backed_up) as usize);
        let most = (self.points.len() - first).min(SIMULATIONS_PER_DESCENT as usize) as u64;
        let end = self.settings.begun_after(self.backed_up).min(self.simulations);
        let next = self.begun..end.min(self.begun + most);
        let count = self.allocator.may_begin(next, self.backed_up) as usize;
        if count == 0 {
            return false;
        }
        timer.enter(SearchStage::Select);
        let simulations = self.begun..self.begun + count as u64;
        debug_assert!(
            simulations.end - self.backed_up <= self.points.len() as u64,
            "each simulation in flight has a place"
        );
        (first..first + count).for_each(|flight| self.paths.clear(flight));
        self.begun = simulations.end;
        self.selection_ends.clear();
        (self.first_simulation, self.first_flight, self.handed_out) = (simulations.start, first, 0);
        self.allocator.begin(simulations.clone(), first, &mut self.paths, &mut self.selection_ends, stop, timer);
        debug_assert_eq!(self.selection_ends.len(), count, "each simulation lands");
        true
    }

    /// Backs up finished simulations, to the end of a group at most. Returns whether there was one.
    fn back_up_group(&mut self, timer: &mut C) -> bool {
        // Not all finished ones: how many are backed up before the next group begins must not depend on timing.
        let begun = self.begun - self.backed_up;
        let most = self.settings.until_whole_group(self.backed_up).min(begun) as usize;
        let mut results = [SimulationResult::default(); SIMULATIONS_PER_DESCENT as usize];
        let mut number = 0;
        while number < most
            && let Some(points) = self.points[self.oldest_flight].take()
        {
            results[number] =
                SimulationResult { flight: self.oldest_flight, value: self.settings.reward.value(points) };
            number += 1;
            self.oldest_flight = self.flight_behind(1);
        }
        if number == 0 {
            return false;
        }
        timer.enter(SearchStage::BackUp);
        // The next call reads these paths; meanwhile a group begins.
        for behind in 0..self.paths.flights().min(SIMULATIONS_PER_DESCENT as usize) {
            self.paths.prefetch(self.flight_behind(behind));
        }
        self.allocator.back_up(&self.paths, &results[..number]);
        self.backed_up += number as u64;
        true
    }

    /// Backs up the simulations of a stopped search that have ended, up to the first one that has not.
    pub(crate) fn back_up_ended(&mut self, timer: &mut C) {
        while self.back_up_group(timer) {}
    }

    /// Notes the end of the playout in a flight. Returns whether the tree waits for this playout.
    pub(crate) fn note_end(&mut self, flight: usize, points: i32) -> bool {
        debug_assert_eq!(self.points[flight], None, "a playout ends once");
        self.points[flight] = Some(points);
        flight == self.oldest_flight
    }

    pub(crate) fn is_done(&self) -> bool {
        self.backed_up == self.simulations
    }

    pub(crate) fn allocator(&self) -> &dyn SimulationAllocator<P, C> {
        &*self.allocator
    }

    pub(crate) fn counts(&self) -> &RootCounts {
        self.allocator.counts()
    }
}
