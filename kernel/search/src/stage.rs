//! The stages of a search, and timers for them.

use std::time::{Duration, Instant};

/// A stage of a search. The trees of a worker take turns, each with several simulations at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SearchStage {
    /// Simulations go down the tree: choices by their bounds, and chances.
    Select,
    /// Positions, chances and choices join the tree: plays are counted and made.
    Expand,
    /// Games are played from the leaves.
    PlayOut,
    /// Values are backed up.
    BackUp,
}

tavli_base::named_values!(SearchStage: Select "select", Expand "expand", PlayOut "play out", BackUp "back up");

/// A timer of stages, which is told which stage begins.
// A type parameter of the search, so that a search without a timer has no calls: the same speed to 0.2 %
// (profiles/LOG.md, 2026-11-23).
pub(crate) trait StageTimer {
    /// A stage begins, or goes on.
    fn enter(&mut self, stage: SearchStage);
}

/// Measures nothing.
#[derive(Debug)]
pub(crate) struct Untimed;

impl StageTimer for Untimed {
    #[inline(always)]
    fn enter(&mut self, _: SearchStage) {}
}

/// Reads the clock at the end of each stage. The time since the previous reading belongs to the stage.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    stage: SearchStage,
    last: Instant,
    times: [Duration; SearchStage::ALL.len()],
    readings: [u32; SearchStage::ALL.len()],
}

impl Stopwatch {
    /// A running stopwatch, in this stage.
    pub(crate) fn started(stage: SearchStage) -> Stopwatch {
        Stopwatch { stage, last: Instant::now(), times: Default::default(), readings: Default::default() }
    }

    /// Ends the current stage. Returns the time of each stage, and how often the clock was read in each.
    pub(crate) fn stopped(mut self) -> ([Duration; SearchStage::ALL.len()], [u32; SearchStage::ALL.len()]) {
        self.lap();
        (self.times, self.readings)
    }

    fn lap(&mut self) {
        let now = Instant::now();
        self.times[self.stage as usize] += now - self.last;
        self.readings[self.stage as usize] += 1;
        self.last = now;
    }
}

impl StageTimer for Stopwatch {
    fn enter(&mut self, stage: SearchStage) {
        if stage != self.stage {
            self.lap();
            self.stage = stage;
        }
    }
}
