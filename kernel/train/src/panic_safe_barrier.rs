//! Workers that wait for each other.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Where a number of workers meet again and again. If one of them panics, the others do not wait for it: they panic too.
#[derive(Debug)]
pub(crate) struct PanicSafeBarrier {
    number: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Who has come.
    here: usize,
    /// Meetings held.
    held: u64,
    is_off: bool,
}

/// Calls the meetings off when its worker panics.
pub(crate) struct PanicGuard<'a>(&'a PanicSafeBarrier);

impl PanicSafeBarrier {
    pub(crate) fn new(number: usize) -> PanicSafeBarrier {
        PanicSafeBarrier {
            number,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Waits until all have come.
    pub(crate) fn wait(&self) {
        let mut state = self.state();
        let before = state.held;
        state.here += 1;
        if state.here == self.number {
            state.here = 0;
            state.held += 1;
            self.changed.notify_all();
        }
        while state.held == before && !state.is_off {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let is_off = state.is_off;
        drop(state);
        assert!(!is_off, "another worker panicked");
    }

    /// Held by each worker while it may come to meetings.
    pub(crate) fn guard(&self) -> PanicGuard<'_> {
        PanicGuard(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.state().is_off = true;
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn nobody_goes_on_before_all_have_come() {
        let (barrier, come) = (PanicSafeBarrier::new(3), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=100 {
                        come.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        assert!(come.load(Ordering::Relaxed) >= 3 * round);
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_ends_the_wait_of_all() {
        let barrier = PanicSafeBarrier::new(3);
        let panics = thread::scope(|scope| {
            let join = |worker: usize| {
                let barrier = &barrier;
                scope.spawn(move || {
                    catch_unwind(AssertUnwindSafe(|| {
                        let _guard = barrier.guard();
                        assert!(worker != 1, "deliberate");
                        barrier.wait();
                    }))
                    .is_err()
                })
            };
            let threads: Vec<_> = (0..3).map(join).collect();
            threads.into_iter().all(|thread| thread.join().expect("it is caught"))
        });
        assert!(panics);
    }
}
