//! How the trials of a rollout are played. From top to bottom, each line calls the next:
//!
//! ```text
//! trial_runner         numbers of trials -> DoublesClassOrder, the index of each among the trials of its class
//!                      -> TrialOutcomes, how the game of each candidate ends, and what is to be valued:
//!   games_of_trials, cubeful   games without a cube, in one batch, and with it
//!                      -> OutcomeShares of games that are cut off, and of all less their luck
//!                      -> RolloutCounts, exact sums of both
//! ```

pub(crate) mod cubeful;
pub(crate) mod games_of_trials;
pub(crate) mod played_trials;
#[cfg(test)]
mod tests {
    mod simulated_races;
}
pub(crate) mod trial_runner;
