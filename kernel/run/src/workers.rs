//! Threads that wait for work, one per CPU of a placement.

use core::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Barrier, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use thiserror::Error;

use super::clock_probe::cycles_per_second;
use super::pinning::{Pinning, Placement};

/// A piece of work; its argument is the number of the worker that does it.
pub(super) type Task = Box<dyn FnOnce(usize) + Send>;

/// Worker threads, each bound to its CPU before it allocates anything, so that its memory is near. By the default,
/// [`Pinning::Auto`], they are bound only if every core gets one: processes side by side then share the machine.
///
/// They outlive the runs they serve and end when dropped. Simultaneous runs on the same workers share them.
///
/// Work must not give more work to the workers that do it: a worker would wait for itself. Such a call panics, in every
/// function and even if other workers are idle. It may give work to other workers, as long as their work does not wait
/// for these.
///
/// ```
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
/// let placement = Placement::new(&Cpus::allowed(), Pinning::CORES, None)?;
/// let workers = Workers::start(&placement)?;
/// assert_eq!(workers.count(), placement.threads());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Workers {
    /// `None` during drop, because closing the channel ends the threads, and in [`Workers::here`].
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
    cpus: Vec<Option<usize>>,
    /// Held while the tasks of [`Workers::each`] are queued: interleaved tasks of two calls would wait for each other.
    queueing: Mutex<()>,
}

/// Why workers did not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkersError {
    /// The system cannot start the thread.
    #[error("cannot start worker thread {worker}: {source}; ask for fewer threads")]
    Spawn {
        /// The worker's number, from 0.
        worker: usize,
        /// The system's reason.
        source: io::Error,
    },
    /// The system refuses to bind a thread to its CPU.
    #[error("the system refuses to bind a thread to CPU {cpu}: choose other CPUs, or none, which binds no thread")]
    Bind {
        /// The CPU.
        cpu: usize,
    },
}

impl Workers {
    /// Starts one worker for each CPU of the placement.
    ///
    /// Where the system cannot bind threads (macOS on Apple silicon), workers run unbound, which [`Workers::cpus`]
    /// shows. This is an error only if the CPUs were listed by number.
    ///
    /// # Errors
    /// [`WorkersError`] if a thread does not start, or cannot be bound to a listed CPU.
    pub fn start(placement: &Placement) -> Result<Workers, WorkersError> {
        let (tasks, queue) = unbounded::<Task>();
        let (bound, bindings) = unbounded();
        let mut workers = Workers {
            tasks: Some(tasks),
            threads: Vec::with_capacity(placement.threads()),
            cpus: vec![None; placement.threads()],
            queueing: Mutex::new(()),
        };
        for (worker, &cpu) in placement.cpus.iter().enumerate() {
            let (queue, bound) = (queue.clone(), bound.clone());
            let thread = thread::Builder::new()
                .name(format!("worker {worker}"))
                .spawn(move || {
                    let cpu = cpu.filter(|&id| core_affinity::set_for_current(core_affinity::CoreId { id }));
                    // The receiver is gone if another worker did not start.
                    let _ = bound.send((worker, cpu));
                    // Before the first task: `bindings` ends when the last sender is gone.
                    drop(bound);
                    for task in queue {
                        task(worker);
                    }
                })
                .map_err(|source| WorkersError::Spawn { worker, source })?;
            workers.threads.push(thread);
        }
        drop(bound);
        for (worker, cpu) in bindings {
            workers.cpus[worker] = cpu;
        }
        if let Pinning::List(_) = placement.pinning {
            let asked = placement.cpus.iter().zip(&workers.cpus);
            if let Some(cpu) = asked.filter_map(|(&asked, &bound)| asked.xor(bound)).next() {
                return Err(WorkersError::Bind { cpu });
            }
        }
        Ok(workers)
    }

    /// One worker that is the calling thread itself, for systems without threads, such as WebAssembly. Other threads
    /// may call too: each works for itself.
    ///
    /// ```
    /// use tavli_run::Workers;
    /// let here = std::thread::current().id();
    /// assert_eq!(Workers::here().each(|_| std::thread::current().id()), [here]);
    /// ```
    #[must_use]
    pub fn here() -> Workers {
        Workers { tasks: None, threads: Vec::new(), cpus: vec![None], queueing: Mutex::new(()) }
    }

    /// The number of workers.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cpus.len()
    }

    /// The CPU that each worker is bound to, if any.
    #[must_use]
    pub fn cpus(&self) -> &[Option<usize>] {
        &self.cpus
    }

    /// Calls `work` once on every worker, all at the same time, with the worker's number. Returns the results by
    /// worker. Memory that `work` allocates is near the worker's CPU.
    ///
    /// # Panics
    /// If `work` panics, or if called from one of the workers.
    ///
    /// ```
    /// use tavli_run::{Cpus, Pinning, Placement, Workers, cycles_per_second};
    /// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    /// let clocks: Vec<f64> = workers.each(|_worker| cycles_per_second());
    /// assert_eq!(clocks.len(), workers.count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each<T: Send + 'static>(&self, work: impl Fn(usize) -> T + Send + Sync + 'static) -> Vec<T> {
        self.each_with_progress(work, Duration::MAX, || Duration::MAX)
    }

    /// The result of `work` on the first worker; the others stay idle.
    ///
    /// # Panics
    /// As [`Workers::each`].
    pub fn on_first<T: Send + 'static>(&self, work: impl Fn() -> T + Send + Sync + 'static) -> T {
        let done = self.each(move |worker| (worker == 0).then(&work));
        let mut done = done.into_iter().flatten();
        done.next().expect("there is a first worker")
    }

    /// [`Workers::each`], while the calling thread calls `look`: first after the time `first`, then each time after the
    /// time that the last call returned, until all workers are done.
    ///
    /// # Panics
    /// If `work` panics, or if called from one of the workers.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use std::sync::Arc;
    /// use std::time::Duration;
    /// use tavli_run::{Cpus, Pinning, Placement, Workers};
    /// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    /// let (is_late, stop) = (Arc::new(AtomicBool::new(false)), Duration::from_millis(1));
    /// let worked = Arc::clone(&is_late);
    /// let work = move |_| while !worked.load(Ordering::Relaxed) {};
    /// workers.each_with_progress(work, stop, || {
    ///     is_late.store(true, Ordering::Relaxed);
    ///     stop
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each_with_progress<T: Send + 'static>(
        &self,
        work: impl Fn(usize) -> T + Send + Sync + 'static,
        first: Duration,
        mut look: impl FnMut() -> Duration,
    ) -> Vec<T> {
        let (work, all_there) = (Arc::new(work), Arc::new(Barrier::new(self.count())));
        let (done, made) = unbounded();
        let queueing = self.queueing.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..self.count() {
            let (work, all_there, done) = (work.clone(), all_there.clone(), done.clone());
            self.give(Box::new(move |worker| {
                // Every worker waits for all others here, so no worker takes two of the tasks.
                all_there.wait();
                let made = catch_unwind(AssertUnwindSafe(|| work(worker)));
                // The receiver is gone if another worker panicked.
                let _ = done.send((worker, made));
            }));
        }
        // The sender too: the loop below ends when the last task has dropped its own.
        drop((queueing, done));
        let mut results: Vec<Option<T>> = (0..self.count()).map(|_| None).collect();
        let mut wait = first;
        loop {
            match made.recv_timeout(wait) {
                Ok((worker, made)) => results[worker] = Some(made.unwrap_or_else(|panic| resume_unwind(panic))),
                Err(RecvTimeoutError::Timeout) => wait = look(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let results = results.into_iter().flatten().collect::<Vec<T>>();
        assert_eq!(results.len(), self.count(), "every worker answers once");
        results
    }

    /// Cycles per second of the workers' cores while all of them work: the median of [`cycles_per_second`] over the
    /// workers.
    ///
    /// # Panics
    /// If called from one of the workers.
    #[must_use]
    pub fn cycles_per_second(&self) -> f64 {
        let mut clocks = self.each(|_| cycles_per_second());
        clocks.sort_unstable_by(f64::total_cmp);
        let half = clocks.len() / 2;
        (clocks[half] + clocks[(clocks.len() - 1) / 2]) / 2.0
    }

    /// Whether the calling thread is one of the workers, which must not give work to them: it would wait for itself.
    #[must_use]
    pub fn have_caller(&self) -> bool {
        self.threads.iter().any(is_current)
    }

    /// Queues a task for the next worker that is free, or runs it at once in [`Workers::here`].
    ///
    /// # Panics
    /// If called from one of the workers: the caller of a task waits for it.
    pub(super) fn give(&self, task: Task) {
        assert!(
            !self.have_caller(),
            "a worker must not give work to its own workers, which would wait for themselves: start other workers for it"
        );
        match &self.tasks {
            Some(tasks) => tasks.send(task).expect("workers end after the channel"),
            None => task(0),
        }
    }
}

/// Whether this is the calling thread.
fn is_current(thread: &JoinHandle<()>) -> bool {
    thread.thread().id() == thread::current().id()
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.tasks = None;
        // A worker whose task held the last handle drops it: it ends after that task, and must not wait for itself.
        for thread in self.threads.drain(..).filter(|one| !is_current(one)) {
            // Tasks catch their panics and send them to the run that gave them.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("cpus", &self.cpus).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpus::Cpus;
    use core::num::NonZeroUsize;
    use std::collections::HashSet;

    fn workers(threads: usize) -> Workers {
        let threads = NonZeroUsize::new(threads);
        Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, threads).unwrap()).unwrap()
    }

    #[test]
    fn every_worker_does_its_part_once() {
        let workers = workers(5);
        for _ in 0..20 {
            let threads = workers.each(|worker| (worker, std::thread::current().id()));
            let numbers: Vec<usize> = threads.iter().map(|thread| thread.0).collect();
            assert_eq!(numbers, [0, 1, 2, 3, 4]);
            let distinct: HashSet<_> = threads.iter().map(|thread| thread.1).collect();
            assert_eq!(distinct.len(), 5);
        }
        let panicking = || workers.each(|worker| assert!(worker != 3, "deliberate"));
        assert!(catch_unwind(AssertUnwindSafe(panicking)).is_err());
        assert_eq!(workers.each(|worker| worker).len(), 5);
        assert!(workers.cycles_per_second() > 1e7);
    }

    #[test]
    fn two_callers_share_the_workers() {
        let workers = workers(3);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        assert_eq!(workers.each(|worker| worker), [0, 1, 2]);
                    }
                });
            }
        });
    }

    #[test]
    fn a_worker_may_drop_the_last_handle() {
        let workers = Arc::new(workers(2));
        let own = Arc::clone(&workers);
        let (go, gone) = crossbeam_channel::bounded::<()>(0);
        let (done, dropped) = crossbeam_channel::bounded(1);
        workers.give(Box::new(move |_| {
            gone.recv().expect("the handle outside is dropped first");
            drop(own);
            done.send(()).expect("somebody waits");
        }));
        drop(workers);
        go.send(()).expect("a worker waits");
        dropped.recv().expect("the worker lives on");
    }

    /// Memory is near the CPU that touches it first, so a worker must be bound before it touches any.
    #[cfg(target_os = "linux")]
    #[test]
    fn workers_are_bound_before_their_first_task() {
        let workers = workers(2);
        let allowed = workers.each(|_| {
            let ids = core_affinity::get_core_ids().unwrap_or_default();
            ids.into_iter().map(|cpu| cpu.id).collect::<Vec<usize>>()
        });
        for (worker, allowed) in allowed.into_iter().enumerate() {
            assert_eq!(Some(allowed), workers.cpus()[worker].map(|cpu| vec![cpu]));
        }
    }
}
