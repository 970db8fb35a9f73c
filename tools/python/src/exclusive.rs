//! Values that one thread uses at a time.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::TavliError;

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

/// Games side by side, for one thread at a time; in a box, since a board is aligned to more than Python's objects.
#[derive(Debug)]
pub(crate) struct SharedGames<G>(Box<Mutex<G>>);

impl<G> SharedGames<G> {
    pub(crate) fn new(games: G) -> SharedGames<G> {
        SharedGames(Box::new(Mutex::new(games)))
    }

    /// The games; an error if another thread plays them.
    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, G>> {
        let busy = || {
            TavliError::new_err(
                "another thread plays these games: give each thread games of its own, such as a clone(), or have them \
                 take turns by a threading.Lock",
            )
        };
        lock(&self.0, busy, "a ply of these games failed: begin others")
    }
}
