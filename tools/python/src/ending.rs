//! Calls without the interpreter's lock, and interpreter exit. A thread that waits for the lock during exit is killed
//! in the middle of Rust code, which aborts the process; so no call may wait for it then.
//!
//! At exit, before the interpreter ends, the calls of other threads are cancelled and waited for. They raise
//! SystemExit, which ends their threads silently.

use std::process;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PySystemExit};
use pyo3::prelude::*;

/// How long the exit waits for calls. It leaves longer ones, such as a function of Python that does not return.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The thread that ends the interpreter, whose own calls go on until then: `atexit` has other functions, too.
static ENDING: OnceLock<ThreadId> = OnceLock::new();

/// The calls that are without the lock.
static CALLS: Mutex<Calls> = Mutex::new(Calls { process: 0, running: 0 });
static CALL_ENDED: Condvar = Condvar::new();

#[derive(Debug)]
struct Calls {
    /// The process that made the calls: a fork takes no threads along.
    process: u32,
    running: usize,
}

/// The calls of this process.
fn calls() -> MutexGuard<'static, Calls> {
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    if calls.process != process::id() {
        *calls = Calls { process: process::id(), running: 0 };
    }
    calls
}

/// A call that is without the lock for a while.
#[derive(Debug)]
struct Call;

impl Call {
    fn begin() -> PyResult<Call> {
        let mut calls = calls();
        check()?;
        calls.running += 1;
        Ok(Call)
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let mut calls = calls();
        // In a process that was forked during a call, none was running.
        calls.running = calls.running.saturating_sub(1);
        CALL_ENDED.notify_all();
    }
}

/// Whether another thread ends the interpreter.
pub(crate) fn has_begun() -> bool {
    ENDING.get().is_some_and(|&thread| thread != thread::current().id())
}

/// The exception that ends the threads of other calls.
pub(crate) fn exit() -> PyErr {
    PySystemExit::new_err(())
}

/// Raises SystemExit if another thread ends the interpreter.
fn check() -> PyResult<()> {
    match has_begun() {
        true => Err(exit()),
        false => Ok(()),
    }
}

/// Raises a RuntimeError if the interpreter has run its exit functions, and only finalizers are still called: it gives
/// no thread the lock any more.
fn check_interpreter(py: Python<'_>) -> PyResult<()> {
    if ENDING.get().is_none() {
        return Ok(());
    }
    let is_finalizing = || py.import("sys")?.call_method0("is_finalizing")?.extract::<bool>();
    match is_finalizing() {
        Ok(false) => Ok(()),
        _ => Err(PyRuntimeError::new_err("the interpreter is ending: play before that, or in a function of atexit")),
    }
}

/// Works without the lock of the interpreter, so that other threads run.
pub(crate) fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    check_interpreter(py)?;
    // Until the lock is held again.
    let _call = Call::begin()?;
    Ok(py.detach(work))
}

/// Calls into Python from a thread without the lock; an interpreter that ends raises SystemExit.
pub(crate) fn attach<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> PyResult<T> {
    check()?;
    Python::try_attach(call).unwrap_or_else(|| Err(exit()))
}

/// Cancels the calls of other threads, and waits for them: `atexit` calls this.
#[pyfunction]
pub(crate) fn _end_calls(py: Python<'_>) {
    let _ = ENDING.set(thread::current().id());
    py.detach(|| {
        let started = Instant::now();
        let mut calls = calls();
        while calls.running > 0 && started.elapsed() < EXIT_TIMEOUT {
            let left = EXIT_TIMEOUT.saturating_sub(started.elapsed());
            let waited = CALL_ENDED.wait_timeout(calls, left);
            calls = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    });
}
