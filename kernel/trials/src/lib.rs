//! What rollouts of any game are made of: numbered trials, played in sessions until a rule ends them, and what their
//! values say. No game is imported here.
//!
//! A *trial* is a game of each candidate, on the dice of the trial's number. [`ResumableRollout`] is a rollout as a
//! [`Session`] plays it: by ranges of trials, whose counts [`PlayTrials`] finds on any worker. At its looks the
//! [`Ranking`] of the candidates decides which are dropped, and whether the rollout ends, by its [`Plan`]. Means have
//! their errors as [`Statistic`]s, by the intervals in [`interval`]; [`WholeGames`] makes them from the points of
//! games, and a [`PairedRace`] compares candidates by the values of their trials.
#![deny(missing_docs)]

mod ask;
mod estimate;
pub mod sessions;

pub use ask::allocation::{Allocation, AllocationError};
pub use ask::end_rules::{EndReason, EndRules};
pub use ask::limits::{MAX_CANDIDATES, MAX_TRIALS, TRIALS_PER_BLOCK};
pub use ask::plan::{EndRulesRequest, Plan, PlanError};
pub use ask::shard::{Shard, ShardError};
pub use estimate::decision::{Decision, RankedCandidate, Ranking, Verdict};
pub use estimate::paired_race::PairedRace;
pub use estimate::statistic::{Statistic, Variance};
pub use estimate::whole_games::{ValueSums, WholeGames};
pub use estimate::{confidence, interval, power_sums};
pub use sessions::checkpoint::{Checkpoint, SaveError};
pub use sessions::progress::SessionProgress;
pub use sessions::resumable_rollout::{PlayTrials, ResumableRollout};
pub use sessions::session::Session;
