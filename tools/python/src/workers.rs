//! Threads that are kept from one call to the next.

use std::process;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tavli::Tier;
use tavli::run::{self, Pinning};

use crate::arguments::Word;
use crate::ending;
use crate::errors::bad_setting;
use crate::machine::Machine;

/// Worker threads that are started once and play in any number of calls.
///
/// Every function that plays takes them as `workers`. Without them each call starts its own, which costs about a tenth
/// of a millisecond. Calls of several threads may use the same workers at once, but a function that they call may not.
/// They wait without using a CPU, and end with the object. A process that forks does not take them along: start others
/// there. A pickle holds their settings, and starts as many threads when it is read; a copy is the same workers.
///
/// Args:
///     threads: How many; None is one for each place that `pin` names, within the grant of control groups.
///     pin: The places that they are bound to, as in `playout`.
///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest that this CPU has.
///
/// Raises:
///     SettingsError: A setting is out of range.
///     RuntimeError: The system starts no more threads. A call with workers raises it if they were started before the
///         process forked, or play by the function that makes the call.
///
/// Examples:
///     >>> workers = tavli.Workers(threads=1)
///     >>> tavli.playout("4HPwATDgc/ABMA", 1000, seed=42, workers=workers).outcomes["lose_single"]
///     362
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Workers {
    workers: Arc<run::Workers>,
    tier: Tier,
    pin: String,
    /// The process that started them.
    process: u32,
}

impl Workers {
    /// Where the games of a call are played: by the given workers, or else by threads of its own.
    pub(crate) fn or_own(
        workers: Option<&Bound<'_, Workers>>,
        threads: Option<&Bound<'_, PyAny>>,
        pin: Word<Pinning>,
        isa: Option<Word<Tier>>,
    ) -> PyResult<Machine> {
        let Some(workers) = workers else {
            return Machine::own(threads, pin, isa);
        };
        if threads.is_some() || pin.0 != Pinning::Auto || isa.is_some() {
            return Err(bad_setting(
                "workers have threads, pin and isa of their own: give workers, or threads, pin and isa",
            ));
        }
        workers.get().shared()
    }

    /// The threads; an error if another process started them, or the caller is one of them.
    fn shared(&self) -> PyResult<Machine> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "these workers were started before the process forked, and are not in this one: start others here",
            ));
        }
        if self.workers.have_caller() {
            return Err(PyRuntimeError::new_err(
                "these workers call the function that makes this call, and would wait for themselves: give the call \
                 other workers, or none",
            ));
        }
        Ok(Machine::shared(Arc::clone(&self.workers), self.tier))
    }
}

#[pymethods]
impl Workers {
    #[new]
    #[pyo3(signature = (threads=None, pin=Word(Pinning::Auto), isa=None))]
    #[pyo3(text_signature = "(threads=None, pin='auto', isa=None)")]
    fn new(
        py: Python<'_>,
        threads: Option<&Bound<'_, PyAny>>,
        pin: Word<Pinning>,
        isa: Option<Word<Tier>>,
    ) -> PyResult<Workers> {
        let text = pin.0.to_string();
        let machine = Machine::own(threads, pin, isa)?;
        Ok(Workers {
            workers: ending::detach(py, || machine.start())??,
            tier: machine.tier,
            pin: text,
            process: process::id(),
        })
    }

    /// How many threads there are.
    #[getter]
    fn threads(&self) -> usize {
        self.workers.count()
    }

    /// The places that they are bound to.
    #[getter]
    fn pin(&self) -> &str {
        &self.pin
    }

    /// The instruction-set tier that they run.
    #[getter]
    fn isa(&self) -> &'static str {
        self.tier.name()
    }

    fn __repr__(&self) -> String {
        format!("tavli.Workers(threads={}, pin='{}', isa='{}')", self.workers.count(), self.pin, self.tier.name())
    }

    fn __copy__(slf: Py<Workers>) -> Py<Workers> {
        slf
    }

    fn __deepcopy__(slf: Py<Workers>, _memo: &Bound<'_, PyAny>) -> Py<Workers> {
        slf
    }

    /// Threads cannot be pickled: an unpickled object starts as many of its own.
    fn __reduce__<'py>(slf: &Bound<'py, Workers>) -> (Bound<'py, PyType>, (usize, String, &'static str)) {
        let workers = slf.get();
        let arguments = (workers.workers.count(), workers.pin.clone(), workers.tier.name());
        (slf.get_type(), arguments)
    }
}
