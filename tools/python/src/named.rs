//! Players by name, found while Ctrl-C is heard: the bear-off table of a player may take minutes.

use std::sync::Arc;

use pyo3::prelude::*;
use tavli::evaluators::Evaluator;
use tavli::named::{self, NamedError, NamedPlayer};

use crate::ending;
use crate::errors::bad_setting;
use crate::interrupt::Interrupt;

/// The player with a name, or why there is none.
pub(crate) fn look_up(py: Python<'_>, name: &str) -> PyResult<Result<NamedPlayer, NamedError>> {
    interruptible(py, |stop| named::player(name, stop))
}

pub(crate) fn player(py: Python<'_>, name: &str) -> PyResult<NamedPlayer> {
    look_up(py, name)?.map_err(bad_setting)
}

pub(crate) fn evaluator(py: Python<'_>, name: &str) -> PyResult<Arc<dyn Evaluator>> {
    interruptible(py, |stop| named::evaluator(name, stop))?.map_err(bad_setting)
}

/// Calls `find` with a check for Ctrl-C, and returns what it found, or the exception of Ctrl-C.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, find: impl FnOnce(&dyn Fn() -> bool) -> T + Send) -> PyResult<T> {
    ending::detach(py, || {
        let interrupt = Interrupt::new();
        let found = find(&|| interrupt.is_raised());
        interrupt.finish()?;
        Ok(found)
    })?
}
