//! A file that is no match.

use thiserror::Error;

/// A line of a match that cannot be read or was not possible.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct MatError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}
