//! Matches as they were played: read from files, written, and analysed decision by decision.
//!
//! ```
//! use tavli_analysis::transcript::Match;
//! use tavli_backgammon::NO_STOP;
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
//! # Ok::<(), tavli_analysis::transcript::MatError>(())
//! ```

mod analysis;

pub use analysis::{Analysed, Analysis, DecisionKind, Sums, ValuedBy};
#[doc(inline)]
pub use tavli_transcript::{Action, MatError, Match, MatchGame, Recording, Step, StepError};
