//! Allocators of the simulations of one tree, which also count their values.

use core::fmt;
use core::ops::Range;

use crate::line_and_replies::Replies;
use crate::line_step::LineStep;
use crate::paths::Paths;
use crate::root_counts::RootCounts;
use crate::stage::StageTimer;

/// Where the selection of a simulation ended, and so where its playout begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SelectionEnd<P> {
    /// Nowhere: the search was stopped on the way. The simulation never ends, so neither it nor any later one is backed
    /// up.
    Stopped,
    /// The game is over, with these points for the player whose turn it would be.
    Over(i32),
    /// A position, with its chance if that is drawn already.
    Leaf(P, Option<usize>),
}

/// A simulation whose game is over.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct SimulationResult {
    /// The flight of its path.
    pub(crate) flight: usize,
    /// Its value, for the player whose turn it was where the simulation landed.
    pub(crate) value: i32,
}

/// Allocates simulations to the choices at a root: a [`Tree`](crate::tree::Tree), or a
/// [`FlatAllocation`](crate::flat_allocation::FlatAllocation).
///
/// Simulations begin in the order of their numbers, and are backed up in the same order. The timer is told which stage
/// begins.
pub(crate) trait SimulationAllocator<P, C: StageTimer>: fmt::Debug + Send {
    /// How many of the next simulations may begin, from the first on, once `backed_up` have been backed up.
    fn may_begin(&self, next: Range<u64>, backed_up: u64) -> u64 {
        let _ = backed_up;
        next.end - next.start
    }

    /// Begins the next simulations, one after the other: selection and expansion. Adds the entries of each to its
    /// path, which is empty, and the end of each to `selection_ends`. Their paths begin at `first_flight`. Calls `stop`
    /// now and then if a heuristic takes long.
    fn begin(
        &mut self,
        simulations: Range<u64>,
        first_flight: usize,
        paths: &mut Paths,
        selection_ends: &mut Vec<SelectionEnd<P>>,
        stop: &dyn Fn() -> bool,
        timer: &mut C,
    );

    /// Backs simulations up, in this order: counts the value of each.
    fn back_up(&mut self, paths: &Paths, results: &[SimulationResult]);

    /// The counts of the simulations that were backed up.
    fn counts(&self) -> &RootCounts;

    /// Positions stored.
    fn nodes(&self) -> u64;

    /// Bytes that grow with the simulations.
    fn bytes(&self) -> u64;

    /// Whether the system has refused memory, so that the tree stopped growing.
    fn memory_refused(&self) -> bool {
        false
    }

    /// The most choices that a simulation has made before its playout.
    fn depth(&self) -> u32;

    /// The points of the player who chooses at the root, if they are proven after a choice.
    fn proof(&self, root_choice: usize) -> Option<i32> {
        let _ = root_choice;
        None
    }

    /// The replies to a choice at the root, by chance.
    fn replies(&self, root_choice: usize) -> Vec<Replies> {
        let _ = root_choice;
        Vec::new()
    }

    /// The expected line that begins with a choice at the root.
    fn line(&self, root_choice: usize) -> Vec<LineStep>;
}
