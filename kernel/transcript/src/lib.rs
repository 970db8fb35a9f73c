//! Matches of backgammon as they were played: read from files, written, and recorded step by step.
//!
//! ```
//! use tavli_backgammon::NO_STOP;
//! use tavli_transcript::Match;
//! let text = " 3 point match
//!
//!  Game 1
//!  Ann : 0                        Ben : 0
//!   1) 31: 8/5 6/5                 63: 24/15
//!   2)  Doubles => 2                Drops
//!       Wins 1 point
//! ";
//! let played = Match::read(text, NO_STOP)?;
//! assert_eq!((played.length, played.players[0].as_str()), (Some(3), "Ann"));
//! assert_eq!((played.games[0].steps.len(), played.games[0].winner), (4, Some((0, 1))));
//! # Ok::<(), tavli_transcript::MatError>(())
//! ```
//!
//! Every step has its position, with cube and score. A [`Recording`] refuses actions that a match does not allow, both
//! of a program that records its own games and of a file that is read.

#![deny(missing_docs)]

mod error;
mod mat;
mod played;
mod recording;
mod sgf;

pub use error::{MatError, StepError};
pub use played::{Action, Match, MatchGame, Step};
pub use recording::Recording;
