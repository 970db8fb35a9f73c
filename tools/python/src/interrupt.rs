//! Ctrl-C in calls that work on the thread that makes them.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::ending;

/// The time between two looks for Ctrl-C: each needs the interpreter.
const LOOK: Duration = Duration::from_millis(50);

/// Watches for Ctrl-C on the thread that called in, where that does the work itself.
pub(crate) struct Interrupt {
    looked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Interrupt {
    pub(crate) fn new() -> Interrupt {
        Interrupt {
            looked: Cell::new(Instant::now()),
            raised: RefCell::new(None),
        }
    }

    /// Whether to stop, since something was raised.
    pub(crate) fn is_raised(&self) -> bool {
        if self.looked.get().elapsed() >= LOOK {
            if let Err(error) = ending::attach(|py| py.check_signals()) {
                self.raised.borrow_mut().get_or_insert(error);
            }
            self.looked.set(Instant::now());
        }
        self.raised.borrow().is_some()
    }

    /// Raises what was raised.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.raised.into_inner().map_or(Ok(()), Err)
    }
}
