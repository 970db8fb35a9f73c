//! Why a text names no built-in evaluator.

use thiserror::Error;

use crate::policies::PolicyError;
use tavli_base::text::Quoted;

/// A text that names no built-in evaluator.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// An unknown name.
    #[error(
        "unknown evaluator '{}'; write sampled, sampled:GAMES or sampled:GAMES:POLICY, such as sampled:36:uniform",
        Quoted::new(.0)
    )]
    Name(String),
    /// The name of a policy.
    #[error(
        "'{0}' is a policy: it picks plays and gives no probabilities; write sampled:36:{0} to value positions by 36 games of it"
    )]
    Policy(String),
    /// An unknown policy in the name.
    #[error(transparent)]
    UnknownPolicy(#[from] PolicyError),
    /// A text that is not a number of games.
    #[error("invalid evaluator '{}': GAMES is a number 1 to 4294967295, such as sampled:36", Quoted::new(.0))]
    Games(String),
    /// A text that is not a seed.
    #[error("invalid evaluator '{}': SEED is a number 0 to 18446744073709551615", Quoted::new(.0))]
    Seed(String),
}
