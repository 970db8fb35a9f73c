//! What a session needs of a rollout, whatever the game: trials by number, whose counts are exact sums.

use core::ops::Range;
use std::time::Duration;

use tavli_file::{FileError, Target, record};
use tavli_simd::Tier;

use crate::ask::plan::Plan;
use crate::estimate::decision::Ranking;

/// A rollout that a [`Session`](crate::Session) plays: of backgammon, or of another game.
pub trait ResumableRollout {
    /// Plays trials on a worker.
    type Runner: PlayTrials;

    /// When it ends, and which trials are played.
    fn plan(&self) -> &Plan;

    /// The trials that were played, by number, a beginning of those that are planned.
    fn trials(&self) -> Range<u64>;

    /// The games that were played, of all candidates together.
    fn total_games(&self) -> u64;

    /// Time of playing, over all sessions.
    fn elapsed(&self) -> Duration;

    /// Sets the time of playing.
    fn set_elapsed(&mut self, elapsed: Duration);

    /// How many candidates there are, dropped ones too.
    fn candidate_count(&self) -> usize;

    /// The name of a candidate for people: its play, or what is done with the cube; `None` for the position itself.
    fn candidate_name(&self, candidate: usize) -> Option<String>;

    /// The candidates by the counts so far. Without trials there may be none.
    fn ranking(&self) -> Ranking;

    /// Plays only these candidates on, by their indices, ascending. An [even](crate::Allocation::Even) allocation keeps
    /// all.
    fn keep(&mut self, _: Vec<usize>) {}

    /// Plays trials of the candidates that are still played.
    fn runner(&self, tier: Tier) -> Self::Runner;

    /// Adds the counts of the trials that come next, before number `until`.
    fn add(&mut self, counts: &<Self::Runner as PlayTrials>::Counts, until: u64);

    /// The rollout as JSON on one line.
    fn to_json(&self) -> String;

    /// Saves the rollout to a file that was opened before, replacing it as a whole: a reader finds the old contents or
    /// the new.
    ///
    /// # Errors
    /// [`FileError::Foreign`] if another program has put a file there meanwhile, [`FileError::Refused`] if the system
    /// fails to write it.
    fn save_to(&self, target: &Target) -> Result<(), FileError> {
        record::save(self.to_json(), target)
    }
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
