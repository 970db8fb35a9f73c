//! Evaluators: the values of positions.
//!
//! An [`Evaluator`] gives the [`Probabilities`] of the outcomes of positions. They are integers, as fractions of a
//! whole, so the [`ValueSum`] of many is exact: it depends neither on their order nor on the thread that adds them.
//! [`play_truncated`] plays games to the ply where they are cut off, and has an evaluator value those that go on.
//!
//! | name | how it values a position |
//! |---|---|
//! | `sampled`, `sampled:GAMES`, `sampled:GAMES:POLICY` | [`Sampled`]: by the results of games from it, 36 by default, of a policy against itself, uniform by default |
//!
//! The policy `pubeval` is not an evaluator: it ranks the plays of a roll, and gives no probabilities.

mod built_in;
mod equity_heuristic;
mod evaluator_error;
mod sampled;
mod truncated;

pub use crate::evaluation_conditions::EvaluationConditions;
pub use crate::evaluator::{Evaluator, PlayValue, value_if_over, values, values_of_all_plays, values_with};
pub use crate::known_values::{Knowledge, KnownValues};
pub use crate::possible_outcomes::{OutcomeSet, OutcomesAfterPlay};
pub use crate::probabilities::{Probabilities, ProbabilitiesError, ValueSum};
pub use built_in::built_in;
pub use equity_heuristic::EquityHeuristic;
pub use evaluator_error::EvaluatorError;
pub use sampled::{Sampled, SampledName};
pub use truncated::play_truncated;
