//! Work that is stopped before its end.

use thiserror::Error;

/// The work was stopped before its end, as its caller asked. Its output so far is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("stopped before the end")]
pub struct Stopped;

/// The stop of work that goes on to its end. A stop is a function that long work calls every so often; the work ends
/// early once the function returns `true`. Functions that start threads take the switch `tavli::run::Cancel` instead.
pub const NO_STOP: &(dyn Fn() -> bool + Sync) = &|| false;
