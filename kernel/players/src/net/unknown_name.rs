//! The error of an unknown name of a net's part.

use tavli_backgammon::text::Quoted;
use thiserror::Error;

/// An unknown name of an encoder, activation function or kind of outputs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {kind} '{}'; choose one of: {}", Quoted::new(name), names.join(", "))]
pub struct UnknownNameError {
    /// The kind of the name, such as `encoder`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The names to choose from.
    pub names: Vec<&'static str>,
}
