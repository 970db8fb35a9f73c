//! Rollouts of any game: random games, or those of a player, on every core, saved, shared and merged. Each file uses
//! those above it:
//!
//! ```text
//! player      who plays the games
//! candidate   the positions whose games are played, and their results
//! sums        exact sums over the games of a candidate
//! race        the race of a rollout that decides
//! request     what is asked for
//! rollout     the question, its candidates, and the sums of the trials played
//! record      a rollout as JSON
//! merge       parts of a rollout put together
//! playing     trials on a worker, and what a `tavli_rollout::Session` needs
//! ```

mod candidate;
mod merge;
mod player;
mod playing;
mod race;
mod record;
mod request;
#[expect(clippy::module_inception, reason = "the noun of the folder")]
mod rollout;
mod sums;

pub use candidate::{GameCandidate, GameCandidateResult, RaceResult};
pub use player::{RolloutPlayer, RolloutPlayerError};
pub(super) use playing::GameCounts;
pub use race::RaceSettings;
pub use record::{GameRolloutRecordError, LoadGameRolloutError};
pub use request::GameRolloutRequest;
pub use rollout::{GameRollout, GameRolloutError};
