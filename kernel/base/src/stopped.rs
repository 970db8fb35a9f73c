//! Work that is stopped before its end.

use thiserror::Error;

/// The work was stopped before its end, as its caller asked. Its output so far is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("stopped before the end")]
pub struct Stopped;

/// A `stop` that never stops. A `stop` is a function that long work polls; when it returns `true`, the work returns
/// [`Stopped`]. Functions that start threads take the switch `tavli::run::Cancel` instead.
pub const NO_STOP: &(dyn Fn() -> bool + Sync) = &|| false;
