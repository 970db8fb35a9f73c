//! Work that was stopped before its end.

use thiserror::Error;

/// The work was stopped before its end, as its caller asked. What it has written so far means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("stopped before the end")]
pub struct Stopped;
