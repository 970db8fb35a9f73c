//! The limit of the time of a measurement.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use tavli::run::Cancel;

/// Ends a measurement when its time is over, or when its caller cancels it.
pub(super) struct Deadline {
    cancel: Cancel,
    passed: Arc<AtomicBool>,
    /// Closing the channel ends the thread that waits.
    waiting: Option<Sender<()>>,
}

impl Deadline {
    /// A deadline whose time has not started. `by` ends the measurement earlier.
    pub(super) fn new(by: &Cancel) -> Deadline {
        Deadline { cancel: by.child(), passed: Arc::default(), waiting: None }
    }

    /// Starts the time, in seconds. If no thread can be started, there is no limit.
    pub(super) fn start(&mut self, seconds: f64) {
        let (cancel, passed) = (self.cancel.clone(), Arc::clone(&self.passed));
        let (done, waiting) = channel::<()>();
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let wait = move || {
            if waiting.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                passed.store(true, Ordering::Relaxed);
                cancel.cancel();
            }
        };
        let _ = thread::Builder::new().name("time limit".to_owned()).spawn(wait);
        self.waiting = Some(done);
    }

    /// The switch that ends the measurement.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether the measurement ran out of time.
    pub(super) fn has_passed(&self) -> bool {
        self.passed.load(Ordering::Relaxed)
    }
}
