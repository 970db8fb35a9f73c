//! Values that one thread uses at a time.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// A value for the thread that uses it, or an exception at once: `busy` while another thread does, and a RuntimeError,
/// `failed`, if one has failed in the middle of a change.
pub(crate) fn lock<'a, T>(
    mutex: &'a Mutex<T>,
    busy: impl FnOnce() -> PyErr,
    failed: &'static str,
) -> PyResult<MutexGuard<'a, T>> {
    // Does not wait: a waiting thread would hold the interpreter's lock, which the other thread may need.
    mutex.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => busy(),
        TryLockError::Poisoned(_) => PyRuntimeError::new_err(failed),
    })
}
