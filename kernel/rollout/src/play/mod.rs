//! How a rollout is played. From top to bottom, each line calls the next:
//!
//! ```text
//! session, ranks   until a rule holds, by workers or by several processes: loops around a `resumable_rollout`
//! driver             which trials come next: `looks` decides by the counts so far, which `played_trials` has
//! on_workers         ranges of them, by workers
//! trial_runner         numbers of trials -> ClassOrder, the index of each among the trials of its class
//!                      -> EndedGames, how the game of each candidate ends, and what is to be valued:
//!   games_of_trials, cubeful   games without a cube, in one batch, and with it
//!                      -> OutcomeValues of games that are cut off, and of all less their luck
//!                      -> RolloutCounts, exact sums of both
//! ```

pub(crate) mod cubeful;
pub(crate) mod driver;
pub(crate) mod games_of_trials;
pub(crate) mod looks;
pub(crate) mod on_workers;
pub(crate) mod played_trials;
pub(crate) mod progress;
pub(crate) mod ranks;
pub(crate) mod resumable_rollout;
pub(crate) mod session;
pub(crate) mod session_clock;
#[cfg(test)]
mod tests {
    mod simulated_races;
}
pub(crate) mod trial_runner;
