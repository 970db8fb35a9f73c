//! The doubling cube: cubeful values and decisions, in money games and matches, from the probabilities of a game's
//! outcomes.
//!
//! A player's evaluation gives five [`OutcomeProbabilities`]. The value of a position with a cube follows from them by
//! Janowski's model, as GNU Backgammon applies it: between a *dead* cube, which is never turned again, and a *live*
//! one, which is turned at the perfect moment, by the cube's [`Efficiency`]. In a match the model works on match
//! winning chances, from a [`MatchEquityTable`].
//!
//! ```
//! use tavli_cube::{Action, OutcomeProbabilities, CubeModel, CubeState};
//!
//! let probabilities = OutcomeProbabilities::new([0.70, 0.20, 0.01, 0.10, 0.0])?;
//! let values = CubeModel::default().values(&probabilities, &CubeState::default());
//! assert_eq!(values.action, Action::DoubleTake);
//! assert_eq!(values.action.to_string(), "Double, take");
//! assert!(values.no_double < values.double_take && values.double_take < values.double_pass);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sources: R. Janowski, *Take-Points in Money Games* (1993); the manual and the printed output of GNU Backgammon 1.07,
//! whose values the tests compare: about 4,000 positions in 46 situations. Only sums, products and quotients of 64-bit
//! floats are used, and beyond the length of a table the roots and the error function of `libm`, so values are the same
//! bits on every machine.
#![deny(missing_docs)]

mod decision;
mod efficiency;
mod generated;
pub mod match_equity;
mod match_play;
mod model;
mod money;
mod outcome_probabilities;
mod piecewise;
mod state;

pub use decision::{Action, CubeValues, Turn};
pub use efficiency::Efficiency;
pub use generated::{GeneratedError, GeneratedTable};
pub use match_equity::MatchEquityTable;
pub use match_play::{GammonValues, MatchPoints, PreparedScore};
pub use model::{CubeModel, ExactEquities};
pub use money::MoneyPoints;
pub use outcome_probabilities::{OutcomeProbabilities, OutcomeProbabilitiesError};
pub use state::{CubeInPlay, CubeState, CubeStateError, Score, Stakes};
