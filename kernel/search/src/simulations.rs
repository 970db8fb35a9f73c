//! One tree or one part of the simulations, whatever spreads them.

use core::fmt;
use core::ops::Range;

use crate::branch::Replies;
use crate::root::Root;
use crate::stage::Clock;
use crate::step::Step;

/// Where a simulation leaves the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Landing<P> {
    /// Nowhere: the search was stopped on the way. It never ends, so that it and those after it are not taken back.
    Stopped,
    /// The game is over, with these points for the player whose turn it would be.
    Over(i32),
    /// A position, with its chance if that is known, from which a game is played.
    Leaf(P, Option<usize>),
}

/// Spreads simulations, which begin in the order of their numbers and are taken back in the same order. The clock is told
/// which stage begins.
pub(crate) trait Simulations<P, C: Clock>: fmt::Debug + Send {
    /// How many simulations must have been taken back before the one of a number begins.
    fn waits_for(&self, simulation: u64) -> u64 {
        let _ = simulation;
        0
    }

    /// Begins the next simulations, one after the other. Notes the choices that each makes in its path, which is empty,
    /// and adds the landing of each. What takes long asks `stop`.
    fn begin(
        &mut self,
        simulations: Range<u64>,
        paths: &mut [Vec<u32>],
        landings: &mut Vec<Landing<P>>,
        stop: &dyn Fn() -> bool,
        clock: &mut C,
    );

    /// Has the memory fetched that [`Simulations::take`] will use for a path.
    fn fetch(&self, path: &[u32]) {
        let _ = path;
    }

    /// Takes a simulation back: the value for the player whose turn it was where it landed.
    fn take(&mut self, path: &[u32], value: i32);

    /// What the simulations taken back have counted.
    fn counts(&self) -> &Root;

    /// Positions stored.
    fn nodes(&self) -> u64;

    /// Bytes that grow with the simulations.
    fn bytes(&self) -> u64;

    /// The most choices that a simulation has made before its playout.
    fn depth(&self) -> u32;

    /// What came after a choice at the root, by chance.
    fn replies(&self, first: usize) -> Vec<Replies> {
        let _ = first;
        Vec::new()
    }

    /// The expected line that begins with a choice at the root.
    fn line(&self, first: usize) -> Vec<Step>;
}
