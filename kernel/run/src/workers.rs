//! Threads that wait for work, one per CPU of a placement.

use core::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Barrier, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, unbounded};
use thiserror::Error;

use super::clock_probe::cycles_per_second;
use super::pinning::{Pinning, Placement};

/// A piece of work; it is told the number of the worker that does it.
pub(super) type Task = Box<dyn FnOnce(usize) + Send>;

/// Worker threads, each bound to its CPU before it allocates anything, so that its memory lies near.
///
/// They outlive the runs they serve and end when dropped. Runs given to the same workers at the same
/// time share them.
///
/// Work that they do cannot give them more work: a worker would wait for what it is to do itself. Such a call panics,
/// whichever function it goes through and however many workers are idle. Other workers may be given work, as long as
/// theirs does not wait for these.
///
/// ```
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
/// let placement = Placement::new(&Cpus::allowed(), Pinning::CORES, None)?;
/// let workers = Workers::start(&placement)?;
/// assert_eq!(workers.count(), placement.threads());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Workers {
    /// `None` only while dropped: closing the channel ends the threads.
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
    cpus: Vec<Option<usize>>,
    /// Held while the tasks of [`Workers::each`] are queued: those of two calls, mixed, would wait for
    /// each other.
    queueing: Mutex<()>,
}

/// Why workers did not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkersError {
    /// The system starts no more threads.
    #[error("cannot start worker thread {worker}: {source}; ask for fewer threads")]
    Spawn {
        /// The worker's number, from 0.
        worker: usize,
        /// The system's reason.
        source: io::Error,
    },
    /// A thread could not be bound to the CPU that was asked for.
    #[error("the system refuses to bind a thread to CPU {cpu}")]
    Bind {
        /// The CPU.
        cpu: usize,
    },
}

impl Workers {
    /// Starts a worker for each place.
    ///
    /// Where the system does not bind threads (as macOS on Apple silicon), workers run unbound and
    /// [`Workers::cpus`] says so, unless the CPUs were listed by number.
    ///
    /// # Errors
    /// [`WorkersError`] if a thread does not start, or a listed CPU cannot be bound to.
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
                    let cpu = cpu
                        .filter(|&id| core_affinity::set_for_current(core_affinity::CoreId { id }));
                    // Nobody listens any more when another worker did not start.
                    let _ = bound.send((worker, cpu));
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

    /// How many workers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cpus.len()
    }

    /// The CPU that each worker is bound to, if any.
    #[must_use]
    pub fn cpus(&self) -> &[Option<usize>] {
        &self.cpus
    }

    /// Has every worker do `work` once, all at the same time, and returns what each made, by worker. It is
    /// told its number. What it allocates lies near its CPU.
    ///
    /// # Panics
    /// If `work` does, or if one of these workers calls this.
    ///
    /// ```
    /// use tavli_run::{Cpus, Pinning, Placement, Workers, cycles_per_second};
    /// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    /// let clocks: Vec<f64> = workers.each(|_worker| cycles_per_second());
    /// assert_eq!(clocks.len(), workers.count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each<T: Send + 'static>(
        &self,
        work: impl Fn(usize) -> T + Send + Sync + 'static,
    ) -> Vec<T> {
        let (work, together) = (Arc::new(work), Arc::new(Barrier::new(self.count())));
        let (done, made) = unbounded();
        let queueing = self.queueing.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..self.count() {
            let (work, together, done) = (work.clone(), together.clone(), done.clone());
            self.give(Box::new(move |worker| {
                // Nobody goes on before every worker has come, so none takes two of the tasks.
                together.wait();
                let made = catch_unwind(AssertUnwindSafe(|| work(worker)));
                // Nobody listens any more when another worker panicked.
                let _ = done.send((worker, made));
            }));
        }
        drop((queueing, done));
        let mut results: Vec<Option<T>> = (0..self.count()).map(|_| None).collect();
        for (worker, made) in made {
            results[worker] = Some(made.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        let results = results.into_iter().flatten().collect::<Vec<T>>();
        assert_eq!(results.len(), self.count(), "every worker answers once");
        results
    }

    /// Cycles per second of the workers' cores while all of them work: the median of what
    /// [`cycles_per_second`] finds on each.
    ///
    /// # Panics
    /// If one of these workers calls this.
    #[must_use]
    pub fn cycles_per_second(&self) -> f64 {
        let mut clocks = self.each(|_| cycles_per_second());
        clocks.sort_unstable_by(f64::total_cmp);
        let half = clocks.len() / 2;
        (clocks[half] + clocks[(clocks.len() - 1) / 2]) / 2.0
    }

    /// Queues a task for the next worker that is free.
    ///
    /// # Panics
    /// If one of these workers calls this: whoever gives a task waits for it.
    pub(super) fn give(&self, task: Task) {
        assert!(
            !self.threads.iter().any(is_current),
            "work cannot be given to the same workers that do it, which would wait for themselves: start others for it"
        );
        let tasks = self.tasks.as_ref().expect("the channel closes on drop");
        tasks.send(task).expect("workers end after the channel");
    }
}

/// Whether this is the thread that asks.
fn is_current(thread: &JoinHandle<()>) -> bool {
    thread.thread().id() == thread::current().id()
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.tasks = None;
        // A worker whose task held the last handle ends after that task, and cannot wait for itself.
        for thread in self.threads.drain(..).filter(|one| !is_current(one)) {
            // Tasks catch their own panics and hand them to the run that gave them.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers")
            .field("cpus", &self.cpus)
            .finish_non_exhaustive()
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
        let (go, told) = crossbeam_channel::bounded::<()>(0);
        let (done, dropped) = crossbeam_channel::bounded(1);
        workers.give(Box::new(move |_| {
            told.recv().expect("the handle outside is dropped first");
            drop(own);
            done.send(()).expect("somebody waits");
        }));
        drop(workers);
        go.send(()).expect("a worker waits");
        dropped.recv().expect("the worker lives on");
    }

    /// Memory that a worker touches first lies near the CPU it is bound to, so it must be bound by then.
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
