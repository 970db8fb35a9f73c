//! Rollouts of any game: random games, or those of a player, on every core, saved, shared and merged. Each file uses
//! those above it:
//!
//! ```text
//! player        who plays the games
//! sums          exact sums over the games of a candidate
//! game_rollout  the question, its candidates, and the sums of the trials played
//! record        a rollout as JSON
//! merge         parts of a rollout put together
//! playing       trials on a worker, and what a `tavli_trials::Session` needs
//! ```

mod game_rollout;
mod merge;
mod player;
mod playing;
mod record;
mod sums;

pub use game_rollout::{GameCandidate, GameCandidateResult, GameRollout, GameRolloutError, GameRolloutRequest};
pub use player::{RolloutPlayer, RolloutPlayerError};
pub(super) use playing::FIRST_GAMES_OF_A_PLAYER;
pub use record::{GameRolloutRecordError, LoadGameRolloutError};
