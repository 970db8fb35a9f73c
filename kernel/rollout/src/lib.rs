//! Rollouts: many games from one position, or from each candidate play of a roll, with statistics.
//!
//! A [`Session`] plays the trials of a [`Rollout`] until a rule of its [`EndRules`] holds. The [`Summary`] of the
//! rollout has the results: games won and lost, by gammon and backgammon, equity without cube, and the errors of each.
//! Several candidates are rolled out on the same dice: trial number `n` of each is game number `n` of the same seed,
//! and the roll of a ply depends on nothing else. So the same luck helps or hurts both sides of a comparison, as long
//! as their games run in step.
//!
//! ```
//! use tavli_rollout::{EndRules, EndRulesRequest, RolloutRequest, Session};
//! use tavli_run::{Cpus, Pinning, Placement, Workers};
//!
//! let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
//! // Both play as the net fast, where no players are named.
//! let request = RolloutRequest {
//!     roll: Some("31".parse()?),
//!     end_rules: EndRulesRequest::after_trials(36),
//!     ..RolloutRequest::default()
//! };
//! let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
//! Session::default().play(&mut rollout, &workers, |_| ())?;
//! let summary = rollout.summary();
//! let best = summary.best();
//! let moves = rollout.candidates()[best.candidate].moves.as_ref().expect("a play");
//! println!("{moves}: {:+.3} ± {:.3}", best.equity.mean, best.equity.standard_error);
//! // Some more trials make it more certain, at the price of these alone.
//! let mut rollout = rollout.until(EndRules::after_trials(72))?;
//! Session::default().play(&mut rollout, &workers, |_| ())?;
//! assert_eq!(rollout.summary().trials, 72);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`RolloutRequest`] has everything that decides a rollout, and validates it in one place; [`Options`] makes one
//! from the options that a user named.
//!
//! # The same numbers
//! The counts of a rollout are exact integers, decided by the position, its candidates, the [`PlayoutSettings`], the
//! players, the evaluators and the range of games. Threads, tier, interruptions, and whether it was played at once, in
//! sessions, or in [shards](Shard) that were [merged](Rollout::merge), change nothing. Rules on errors are looked at
//! after fixed numbers of trials, so the values decide where such a rule ends a rollout. Only the rule on time depends
//! on the machine.
//!
//! # Truncation
//! Games that are cut off after some plies count 0 points, unless an [evaluator](RolloutRequest::evaluator) values
//! their last positions; with a cube they need one. [The guide](guide#truncated-games) has the effect on the errors.
//!
//! ```
//! use core::num::NonZeroU32;
//! use tavli_backgammon::evaluators::built_in;
//! use tavli_backgammon::policies::PolicyPair;
//! use tavli_rollout::{EndRulesRequest, PlayoutSettings, RolloutRequest, Session};
//! use tavli_run::{Cpus, Pinning, Placement, Workers};
//!
//! let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
//! let request = RolloutRequest {
//!     settings: PlayoutSettings { truncation: NonZeroU32::new(11), ..PlayoutSettings::default() },
//!     players: Some(PolicyPair::default()),
//!     evaluator: Some(built_in("sampled:4")?),
//!     end_rules: EndRulesRequest::after_trials(144),
//!     ..RolloutRequest::default()
//! };
//! let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
//! Session::default().play(&mut rollout, &workers, |_| ())?;
//! let result = rollout.summary().best();
//! assert_eq!(result.unfinished, 144);
//! assert!((result.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
//! assert!(result.equity.standard_error < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Variance reduction
//! [`RolloutRequest::luck`] is the evaluator that measures each game's luck, which is then subtracted: no mean changes,
//! and a good evaluator makes the errors many times smaller ([the guide](guide#variance-reduction)). Games between two
//! policies that know the values of the same positions, such as a bear-off table's, end there ([known
//! values](guide#known-values)).
#![deny(missing_docs)]

mod ask;
mod cube_model;
mod cubeful_plays;
mod estimate;
mod play;
mod rollout;
#[doc = include_str!("../docs/statistics.md")]
pub mod guide {}
mod game_value;
mod ranks;
mod store;

pub use ask::candidate::Candidate;
pub use ask::cube::CubeChoice;
pub use ask::error::RolloutError;
pub use ask::option_texts::OptionTexts;
pub use ask::options::{OptionValue, Options};
pub use ask::play_filter::PlayFilter;
pub use ask::playout_settings::PlayoutSettings;
pub use ask::request::{RequestedPlay, RolloutRequest};
pub use cube_model::cube_model;
pub use cubeful_plays::{best_plays_with_cube, make_cubeful_plays};
pub use estimate::cube_decision::CubeDecision;
pub use estimate::difference::Difference;
pub use estimate::summary::{CandidateResult, Summary};
pub use estimate::value_statistics::Statistics;
pub use ranks::{Communicator, play_by_ranks};
pub use rollout::{AddTrialsError, Rollout, RolloutProgress};
pub use store::record::{FORMAT_VERSION, LoadError, RolloutRecordError, SuppliedPlayers};
pub use tavli_file::saved_parts::MergeError;
pub use tavli_trials::{
    Allocation, AllocationError, Checkpoint, Decision, EndReason, EndRules, EndRulesRequest, PlanError,
    ResumableRollout, SaveError, Session, Shard, ShardError, Statistic, Verdict,
};
