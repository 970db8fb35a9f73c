//! The stages of a search, and who takes their times.

use core::fmt;
use std::time::{Duration, Instant};

/// A stage of a search. The trees of a worker go through them in turns, each with some simulations at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SearchStage {
    /// Simulations go down the tree: choices by their bounds, and chances.
    Select,
    /// Positions, chances and choices join the tree: plays are counted and made.
    Expand,
    /// Games are played from the leaves.
    PlayOut,
    /// Values are taken back up the tree.
    BackUp,
}

impl SearchStage {
    /// Every stage, in the order of a simulation.
    pub const ALL: &[SearchStage] = &[
        SearchStage::Select,
        SearchStage::Expand,
        SearchStage::PlayOut,
        SearchStage::BackUp,
    ];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SearchStage::Select => "select",
            SearchStage::Expand => "expand",
            SearchStage::PlayOut => "play out",
            SearchStage::BackUp => "back up",
        }
    }
}

impl fmt::Display for SearchStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is told which stage begins.
pub(crate) trait Clock {
    /// A stage begins, or goes on.
    fn enter(&mut self, stage: SearchStage);
}

/// Takes no times.
#[derive(Debug)]
pub(crate) struct Untimed;

impl Clock for Untimed {
    #[inline(always)]
    fn enter(&mut self, _: SearchStage) {}
}

/// Reads the clock where a stage ends; what passed since the reading before is the time of the stage.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    stage: SearchStage,
    last: Instant,
    times: [Duration; SearchStage::ALL.len()],
    readings: [u32; SearchStage::ALL.len()],
}

impl Stopwatch {
    /// One that runs, from this stage on.
    pub(crate) fn started(stage: SearchStage) -> Stopwatch {
        Stopwatch {
            stage,
            last: Instant::now(),
            times: Default::default(),
            readings: Default::default(),
        }
    }

    /// Ends the stage at work. Returns the times of the stages, and how often the clock was read in each.
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

impl Clock for Stopwatch {
    fn enter(&mut self, stage: SearchStage) {
        if stage != self.stage {
            self.lap();
            self.stage = stage;
        }
    }
}
