//! The workers of a case, and the counters of their work.

use std::path::Path;

use tavli::run::{CpuList, Cpus, Workers, operations_per_second};

use crate::events::{Counts, Events, Reading, ThreadCounters, Watch};

/// Workers that are started, with the counts of their CPUs.
pub(super) struct WorkerSet {
    pub(super) workers: Workers,
    /// The system's counts of the workers' CPUs.
    watch: Watch,
    /// The hardware counters of the workers; empty if some worker has none.
    counters: Vec<ThreadCounters>,
}

/// The counts before some work.
pub(super) struct CountsBefore {
    system: Reading,
    counters: Option<Counts>,
}

impl WorkerSet {
    pub(super) fn new(workers: Workers, cpus: &Cpus) -> WorkerSet {
        let bound: Option<CpuList> = workers.cpus().iter().copied().collect();
        let watched = bound.unwrap_or_else(|| cpus.list());
        let opened = workers.each(|_| ThreadCounters::open());
        let counters: Option<Vec<ThreadCounters>> = opened.into_iter().collect();
        WorkerSet {
            watch: Watch::new(Path::new("/"), watched, cpus.topology()),
            counters: counters.unwrap_or_default(),
            workers,
        }
    }

    /// Reads the counts before some work.
    pub(super) fn before(&mut self) -> CountsBefore {
        CountsBefore { counters: self.counted(), system: self.watch.read() }
    }

    /// The events since `before`. Call this as soon as the work is done.
    pub(super) fn since(&mut self, before: &CountsBefore) -> Events {
        let counted = self.counted().zip(before.counters);
        Events {
            counters: counted.map(|(after, before)| after.since(before)),
            ..self.watch.between(&before.system, &self.watch.read())
        }
    }

    /// Operations per second of a worker while all of them work: the mean.
    pub(super) fn operations(&self) -> f64 {
        let operations = self.workers.each(|_| operations_per_second());
        operations.iter().sum::<f64>() / operations.len() as f64
    }

    /// The sum of the hardware counters of all workers; `None` without counters.
    fn counted(&mut self) -> Option<Counts> {
        let counts = self.counters.iter_mut().map(ThreadCounters::read);
        counts.reduce(|a, b| Some(a?.plus(b?))).flatten()
    }
}
