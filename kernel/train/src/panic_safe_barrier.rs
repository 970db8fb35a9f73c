//! A barrier for workers that may panic.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A barrier that workers pass together, again and again. If one of them panics, the others panic too. At a
/// `std::sync::Barrier` they would wait for ever.
#[derive(Debug)]
pub(crate) struct PanicSafeBarrier {
    workers: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Workers that wait now.
    waiting: usize,
    /// How often all workers have passed.
    generation: u64,
    is_broken: bool,
}

/// Breaks the barrier when its worker panics.
pub(crate) struct PanicGuard<'a>(&'a PanicSafeBarrier);

impl PanicSafeBarrier {
    pub(crate) fn new(workers: usize) -> PanicSafeBarrier {
        PanicSafeBarrier { workers, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits until all workers have come.
    ///
    /// # Panics
    /// If another worker panics.
    pub(crate) fn wait(&self) {
        let mut state = self.state();
        // By generation, not by `waiting`: a fast worker may wait again before a slow one has woken.
        let generation = state.generation;
        state.waiting += 1;
        debug_assert!(state.waiting <= self.workers, "no worker waits twice");
        if state.waiting == self.workers {
            state.waiting = 0;
            state.generation += 1;
            self.changed.notify_all();
        }
        while state.generation == generation && !state.is_broken {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let is_broken = state.is_broken;
        drop(state);
        assert!(!is_broken, "another worker panicked");
    }

    /// Each worker holds its guard as long as others may wait for it.
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
            // Under the lock, not in an atomic: otherwise a worker could miss the notice between its test and its
            // sleep.
            self.0.state().is_broken = true;
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
