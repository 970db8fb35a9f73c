//! The trees of one worker, whose leaves are played in one batch.

use std::collections::VecDeque;

use crate::flight::Flight;
use crate::game::{Leaf, Leaves};
use crate::root::Root;
use crate::stage::Clock;

/// The bits of a tag that have the slot; those above have the tree.
const SLOT_BITS: u32 = 32;

/// Leaves handed out between two calls of `watch`.
const WATCH: u32 = 1 << 13;

/// Trees that take turns: while one waits for its playouts, others play.
pub(crate) struct Group<'a, P, C: Clock> {
    flights: Vec<Flight<P, C>>,
    /// Those that may have a leaf.
    ready: VecDeque<usize>,
    is_ready: Vec<bool>,
    plies: u64,
    leaves: u32,
    watch: &'a dyn Fn(&Root),
    stop: &'a dyn Fn() -> bool,
    clock: &'a mut C,
}

impl<'a, P, C: Clock> Group<'a, P, C> {
    /// `watch` is called with the counts so far from time to time, and `stop` where the trees take long to grow.
    pub(crate) fn new(
        flights: Vec<Flight<P, C>>,
        watch: &'a dyn Fn(&Root),
        stop: &'a dyn Fn() -> bool,
        clock: &'a mut C,
    ) -> Group<'a, P, C> {
        Group {
            ready: (0..flights.len()).collect(),
            is_ready: vec![true; flights.len()],
            flights,
            plies: 0,
            leaves: 0,
            watch,
            stop,
            clock,
        }
    }

    /// The trees, and the plies of all playouts.
    pub(crate) fn into_parts(self) -> (Vec<Flight<P, C>>, u64) {
        (self.flights, self.plies)
    }
}

/// The sum of the counts of trees of one root.
pub(crate) fn sum_of<P, C: Clock>(flights: &[Flight<P, C>]) -> Root {
    let mut counts = flights.iter().map(Flight::counts);
    let mut sum = counts.next().cloned().unwrap_or_default();
    for of_tree in counts {
        sum.merge(of_tree);
    }
    sum
}

impl<P, C: Clock> Leaves<P> for Group<'_, P, C> {
    fn next(&mut self) -> Option<Leaf<P>> {
        self.leaves = self.leaves.wrapping_add(1);
        if self.leaves.is_multiple_of(WATCH) {
            (self.watch)(&sum_of(&self.flights));
        }
        while let Some(&tree) = self.ready.front() {
            if let Some(mut leaf) = self.flights[tree].next(self.stop, self.clock) {
                leaf.tag |= (tree as u64) << SLOT_BITS;
                return Some(leaf);
            }
            self.ready.pop_front();
            self.is_ready[tree] = false;
        }
        None
    }

    fn end(&mut self, tag: u64, points: i32, plies: u32) {
        self.plies += u64::from(plies);
        let tree = (tag >> SLOT_BITS) as usize;
        let slot = tag & ((1 << SLOT_BITS) - 1);
        if self.flights[tree].end(slot as usize, points) && !self.is_ready[tree] {
            self.is_ready[tree] = true;
            self.ready.push_back(tree);
        }
    }
}
