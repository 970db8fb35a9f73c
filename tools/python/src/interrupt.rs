//! Ctrl-C in calls that work on the thread that makes them.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::ending;
use crate::errors::with_result;

/// Time between two checks for Ctrl-C: each needs the interpreter.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Rows between two checks of the clock.
const ROWS_PER_CLOCK_CHECK: usize = 1024;

/// Watches for Ctrl-C on the calling thread, if that does the work itself.
pub(crate) struct Interrupt {
    looked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Interrupt {
    pub(crate) fn new() -> Interrupt {
        Interrupt { looked: Cell::new(Instant::now()), raised: RefCell::new(None) }
    }

    /// Whether to stop, because of an exception.
    pub(crate) fn is_raised(&self) -> bool {
        if self.looked.get().elapsed() >= POLL_INTERVAL {
            // If this ends a call, there is a result only if the call adds it.
            let heard = |py: Python<'_>| py.check_signals().map_err(|error| with_result(py, error, py.None()));
            if let Err(error) = ending::attach(heard) {
                self.raised.borrow_mut().get_or_insert(error);
            }
            self.looked.set(Instant::now());
        }
        self.raised.borrow().is_some()
    }

    /// The exception that ended the work.
    pub(crate) fn into_raised(self) -> PyErr {
        self.raised.into_inner().expect("it ends work by what is raised")
    }

    /// Raises the exception, if there is one.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.raised.into_inner().map_or(Ok(()), Err)
    }
}

/// Calls a function with each of many rows, which are numbered from 0, until Ctrl-C.
pub(crate) fn for_each<T>(
    rows: impl IntoIterator<Item = T>,
    each: impl FnMut(usize, T) -> PyResult<()>,
) -> PyResult<()> {
    collect(rows, each).map(|_| ())
}

/// Collects a value for each of many rows, which are numbered from 0, until Ctrl-C.
pub(crate) fn collect<T, V>(
    rows: impl IntoIterator<Item = T>,
    value: impl FnMut(usize, T) -> PyResult<V>,
) -> PyResult<Vec<V>> {
    let (values, heard) = collect_first(rows, value)?;
    heard.map(|()| values)
}

/// Collects the values of many rows, as [`collect`] does. If Ctrl-C ends it, the values of the first rows, and the
/// exception.
pub(crate) fn collect_first<T, V>(
    rows: impl IntoIterator<Item = T>,
    mut value: impl FnMut(usize, T) -> PyResult<V>,
) -> PyResult<(Vec<V>, PyResult<()>)> {
    let rows = rows.into_iter();
    let interrupt = Interrupt::new();
    let mut values = Vec::with_capacity(rows.size_hint().0);
    for (number, row) in rows.enumerate() {
        if number % ROWS_PER_CLOCK_CHECK == 0 && interrupt.is_raised() {
            break;
        }
        values.push(value(number, row)?);
    }
    Ok((values, interrupt.finish()))
}

/// Keeps many values, while Ctrl-C is heard.
pub(crate) fn gather<V>(mut values: impl ExactSizeIterator<Item = V>) -> PyResult<Vec<V>> {
    let interrupt = Interrupt::new();
    let mut kept = Vec::with_capacity(values.len());
    while values.len() > 0 && !interrupt.is_raised() {
        kept.extend(values.by_ref().take(ROWS_PER_CLOCK_CHECK));
    }
    interrupt.finish()?;
    Ok(kept)
}
