//! Evaluators: what positions are worth.
//!
//! An [`Evaluator`] gives the [`Probabilities`] of the outcomes of positions. They are integers, as fractions of a whole,
//! so the [`ValueSum`] of many is exact: it depends neither on their order nor on who adds them.
//! [`play_to_horizon`] plays games to the ply where they are cut off, and has an evaluator value those that go on.

mod horizon;
mod probabilities;
mod sampled;

pub use horizon::play_to_horizon;
pub use probabilities::{Probabilities, ProbabilitiesError, ValueSum};
pub use sampled::Sampled;

use core::any::Any;
use core::fmt;

use crate::board::Planes;
use crate::rules::RuleSet;

/// Gives the probabilities of the outcomes of positions.
///
/// An evaluator is a pure function of each position and the rules: values depend on no batch or thread.
pub trait Evaluator: Any + fmt::Debug + Send + Sync {
    /// Names the evaluator with all that decides its values.
    fn name(&self) -> &str;

    /// Values positions in which the game goes on, for the player on roll in each. `values` has a place for each.
    fn evaluate(&self, rules: RuleSet, positions: &[Planes], values: &mut [Probabilities]);
}
