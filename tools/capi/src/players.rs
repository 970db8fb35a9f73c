//! Players by name, for calls that can be cancelled.

use std::sync::Arc;

use tavli::evaluators::{Evaluator, Sampled};
use tavli::named::{self, NamedError};
use tavli::policies::{Policy, Uniform};
use tavli::run::Cancel;

/// The policy of a name; its bear-off table may take minutes. A call that is cancelled meanwhile plays nothing, so any
/// policy will do for it.
pub(crate) fn policy(name: &str, cancel: &Cancel) -> Result<Arc<dyn Policy>, NamedError> {
    match named::player(name, &|| cancel.is_cancelled()) {
        Err(NamedError::Stopped) => Ok(Arc::new(Uniform)),
        player => Ok(player?.policy),
    }
}

/// The evaluator of a name; any evaluator if the call is cancelled, as in [`policy`].
pub(crate) fn evaluator(name: &str, cancel: &Cancel) -> Result<Arc<dyn Evaluator>, NamedError> {
    match named::evaluator(name, &|| cancel.is_cancelled()) {
        Err(NamedError::Stopped) => Ok(Arc::new(Sampled::default())),
        evaluator => evaluator,
    }
}
