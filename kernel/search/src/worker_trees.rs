//! The trees of one worker, whose playouts share one batch.

use std::collections::VecDeque;

use crate::pending_playouts::{NextLeaf, PendingPlayouts};
use crate::root_counts::RootCounts;
use crate::stage::StageTimer;
use tavli_game::{GameSource, GameStart};

/// The low bits of a leaf's tag, which hold the flight of the playout; the bits above hold the tree.
const FLIGHT_BITS: u32 = 32;

/// Simulations between two calls of `progress`.
const SIMULATIONS_PER_REPORT: u64 = 1 << 13;

/// Trees that take turns as the source of a batch: while one waits for its playouts, others fill the lanes.
pub(crate) struct WorkerTrees<'a, P, C: StageTimer> {
    trees: Vec<PendingPlayouts<P, C>>,
    /// The trees that may have a leaf, each once.
    ready: VecDeque<usize>,
    is_ready: Vec<bool>,
    plies: u64,
    /// Simulations that began after the last call of `progress`.
    unreported: u64,
    progress: &'a dyn Fn(&RootCounts),
    stop: &'a dyn Fn() -> bool,
    timer: &'a mut C,
}

impl<'a, P: Copy, C: StageTimer> WorkerTrees<'a, P, C> {
    /// From time to time calls `progress` with the counts so far; calls `stop` where the trees take long to grow.
    pub(crate) fn new(
        trees: Vec<PendingPlayouts<P, C>>,
        progress: &'a dyn Fn(&RootCounts),
        stop: &'a dyn Fn() -> bool,
        timer: &'a mut C,
    ) -> WorkerTrees<'a, P, C> {
        WorkerTrees {
            ready: (0..trees.len()).collect(),
            is_ready: vec![true; trees.len()],
            trees,
            plies: 0,
            unreported: 0,
            progress,
            stop,
            timer,
        }
    }

    /// The trees, and the plies of all playouts.
    pub(crate) fn into_parts(self) -> (Vec<PendingPlayouts<P, C>>, u64) {
        (self.trees, self.plies)
    }
}

/// The sum of the counts of trees of one root.
pub(crate) fn sum_of<P: Copy, C: StageTimer>(trees: &[PendingPlayouts<P, C>]) -> RootCounts {
    let mut counts = trees.iter().map(PendingPlayouts::counts);
    let mut sum = counts.next().cloned().unwrap_or_default();
    for tree_counts in counts {
        sum.merge(tree_counts);
    }
    sum
}

impl<P: Copy, C: StageTimer> GameSource<P> for WorkerTrees<'_, P, C> {
    fn next(&mut self) -> Option<GameStart<P>> {
        // The tree in front hands out leaves until it has to wait for a playout.
        while let Some(&at) = self.ready.front() {
            let tree = &mut self.trees[at];
            let begun = tree.begun();
            let next = tree.next(self.stop, self.timer);
            self.unreported += tree.begun() - begun;
            if self.unreported >= SIMULATIONS_PER_REPORT {
                self.unreported = 0;
                (self.progress)(&sum_of(&self.trees));
                // The batch asks too, but only between plies, and there are none while all simulations end in the
                // trees.
                if (self.stop)() {
                    return None;
                }
            }
            match next {
                NextLeaf::Leaf(mut leaf) => {
                    debug_assert!(leaf.tag >> FLIGHT_BITS == 0, "flights are below 2^{FLIGHT_BITS}");
                    leaf.tag |= (at as u64) << FLIGHT_BITS;
                    return Some(leaf);
                }
                NextLeaf::Waiting => {
                    self.ready.pop_front();
                    self.is_ready[at] = false;
                }
                NextLeaf::Busy => {}
            }
        }
        None
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        self.plies += u64::from(plies);
        let tree = (tag >> FLIGHT_BITS) as usize;
        let flight = tag & ((1 << FLIGHT_BITS) - 1);
        if self.trees[tree].note_end(flight as usize, points) && !self.is_ready[tree] {
            self.is_ready[tree] = true;
            self.ready.push_back(tree);
        }
    }
}
