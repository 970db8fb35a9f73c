//! How a rollout is played. From top to bottom, each line calls the next:
//!
//! ```text
//! session, ranks   until a rule holds, by workers or by several processes: loops around a `resumable_rollout`
//! driver             which trials come next: `looks` decides by the counts so far, which `played_trials` has
//! play_trials        some of them at a time, by one thread or by workers:
//!                      numbers of trials -> ClassOrder, the index of each among the trials of its class
//! trials               -> EndedGames, how the game of each candidate ends, and what is to be valued
//!   batch, cubeful          games without a cube, in one batch, and with it
//! values               -> OutcomeValues of games that are cut off, and of all less their luck
//!                      -> RolloutCounts, exact sums of both
//! ```

pub(crate) mod batch;
pub(crate) mod cubeful;
pub(crate) mod driver;
pub(crate) mod looks;
pub(crate) mod play_trials;
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
pub(crate) mod trials;
pub(crate) mod values;
