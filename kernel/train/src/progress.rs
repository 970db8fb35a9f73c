//! The progress of a training.

/// How far a phase of a training is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainingProgress {
    /// The phase, from 1 on.
    pub phase: usize,
    /// How many phases the recipe has.
    pub phases: usize,
    /// The present step: its games, valued positions or positions learned from are counted.
    pub step: TrainingStep,
    /// How many are done.
    pub done: u64,
    /// How many there are.
    pub of: u64,
}

/// The present work of a training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrainingStep {
    /// It plays games, and learns from them.
    Play,
    /// It values positions.
    Value,
    /// It learns from positions, counted again in each epoch.
    Learn,
}
