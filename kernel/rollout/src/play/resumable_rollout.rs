//! What a session needs of a rollout, whatever the game: trials by number, whose counts are exact sums.

use core::ops::Range;
use std::time::Duration;

use tavli_backgammon::Tier;
use tavli_file::{FileError, Target};

use crate::ask::end_rules::{EndReason, EndRules};

/// A rollout that a [`Session`](crate::Session) plays: a [`Rollout`](crate::Rollout) of backgammon, or one of another
/// game.
pub trait ResumableRollout {
    /// Plays trials on a worker.
    type Runner: PlayTrials;

    /// The trials to be played if no rule ends the rollout before, by number; in a shard, its share of them.
    fn planned_trials(&self) -> Range<u64>;

    /// The trials that were played, by number, a beginning of those that are planned.
    fn trials(&self) -> Range<u64>;

    /// The games that were played, of all candidates together.
    fn total_games(&self) -> u64;

    /// When the rollout ends.
    fn end_rules(&self) -> &EndRules;

    /// Time of playing, over all sessions.
    fn elapsed(&self) -> Duration;

    /// Sets the time of playing.
    fn set_elapsed(&mut self, elapsed: Duration);

    /// The number of trials, above `trials`, at which the counts decide the next step.
    fn next_look(&self, trials: u64) -> Option<u64>;

    /// Looks at the counts, drops the candidates that are too far behind, and estimates the number of all trials.
    ///
    /// # Errors
    /// The rule on the counts that ends the rollout.
    fn look(&mut self) -> Result<f64, EndReason>;

    /// Plays trials of the candidates that are still played.
    fn runner(&self, tier: Tier) -> Self::Runner;

    /// Adds the counts of the trials that come next, before number `until`.
    fn add(&mut self, counts: &<Self::Runner as PlayTrials>::Counts, until: u64);

    /// Saves the rollout.
    ///
    /// # Errors
    /// [`FileError`] if the file cannot be written.
    fn save_to(&self, target: &Target) -> Result<(), FileError>;
}

/// Plays trials of some candidates on any worker.
pub trait PlayTrials: Clone + Send + Sync + 'static {
    /// Sums over trials.
    type Counts: Send + 'static;

    /// How many candidates are played: the games of a trial.
    fn candidates(&self) -> usize;

    /// Plays and counts these trials; `None` if `stop`, which is called now and then, returns `true`.
    fn play(&self, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<Self::Counts>;

    /// Trials that take a worker some milliseconds.
    fn first_trials_a_worker(&self) -> u64;

    /// The memory that counts take, in bytes.
    fn memory(&self) -> usize;
}
