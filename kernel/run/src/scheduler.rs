//! The scheduler: it gives ranges of items to workers and takes their results back in order.

use core::ops::{Range, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};

use super::cancel::Cancel;
use super::ordered_parts::OrderedParts;
use super::progress::{Limit, Progress};
use super::ranges::{DEFAULT_FIRST_ITEMS_A_WORKER, Ranges};
use super::thread_time::{thread_cpu_time, used};
use super::workers::{Task, Workers};

/// The time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// The longest time between two checks of the switch that ends the run: a person does not notice it.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Ranges handed out per worker at a time: one in work and one queued, so that no worker waits for the scheduler.
const RANGES_PER_WORKER: usize = 2;

/// Gives workers consecutive ranges of items until a limit.
#[derive(Clone, Debug)]
pub struct Scheduler<'a> {
    workers: &'a Workers,
    first_item: u64,
    limit: Limit,
    cancel: &'a Cancel,
    finish_when: Option<&'a Cancel>,
    cancel_after: Option<Duration>,
    sizes: RangeInclusive<u64>,
    window: usize,
    weight: u64,
    rate: Option<f64>,
    first_items: u64,
}

/// The items done and the time they took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStats {
    /// The items whose results were taken.
    pub items: Range<u64>,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Processor time of the workers and of the calling thread; `None` if the system does not report it.
    pub cpu_time: Option<Duration>,
    /// Each worker's part.
    pub workers: Vec<WorkerStats>,
}

impl RunStats {
    /// Items that a worker finished per second of work; `None` if nothing was done.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let items: u64 = self.workers.iter().map(|stats| stats.items).sum();
        let busy: Duration = self.workers.iter().map(|stats| stats.busy).sum();
        (items > 0 && !busy.is_zero()).then(|| items as f64 / busy.as_secs_f64())
    }
}

/// One worker's part in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkerStats {
    /// Items it did.
    pub items: u64,
    /// Wall-clock time it spent on them.
    pub busy: Duration,
}

/// A finished range of items.
struct FinishedRange<T> {
    items: Range<u64>,
    worker: usize,
    busy: Duration,
    cpu_time: Option<Duration>,
    /// `None` if it was abandoned.
    result: thread::Result<Option<T>>,
}

impl<'a> Scheduler<'a> {
    /// Ranges from `first_item` on until `limit`. `cancel` ends the run at once and abandons unfinished ranges.
    #[must_use]
    pub fn new(workers: &'a Workers, first_item: u64, limit: Limit, cancel: &'a Cancel) -> Self {
        Scheduler {
            workers,
            first_item,
            limit,
            cancel,
            finish_when: None,
            cancel_after: None,
            sizes: 1..=u64::MAX,
            window: usize::MAX,
            weight: 1,
            rate: None,
            first_items: DEFAULT_FIRST_ITEMS_A_WORKER,
        }
    }

    /// Sets the weight of an item, at least 1: a trial of several candidates weighs as much as several games. Items too
    /// light to be worth a second worker stay on one.
    #[must_use]
    pub fn with_weight(self, weight: u64) -> Self {
        Scheduler { weight: weight.max(1), ..self }
    }

    /// Sets the items that a worker is known to finish in a second, from [`RunStats::rate`] of similar work.
    #[must_use]
    pub fn with_rate(self, rate: Option<f64>) -> Self {
        Scheduler { rate, ..self }
    }

    /// Sets the size of a short run, in items of weight 1 for each worker; by default 1,296, which take some
    /// milliseconds. While the rate is unknown, a run of up to this size is divided evenly in one step. A longer run
    /// begins with short ranges, which measure the rate.
    #[must_use]
    pub fn with_first_items(self, items: u64) -> Self {
        Scheduler { first_items: items, ..self }
    }

    /// Also ends when `finish_when` is thrown, after the ranges already handed out.
    #[must_use]
    pub fn finished_when(self, finish_when: Option<&'a Cancel>) -> Self {
        Scheduler { finish_when, ..self }
    }

    /// Also throws the switch of [`Scheduler::new`] when the run has taken this time.
    #[must_use]
    pub fn cancelled_after(self, cancel_after: Option<Duration>) -> Self {
        Scheduler { cancel_after, ..self }
    }

    /// Sets the least and the most items of a range; the last one may have fewer.
    #[must_use]
    pub fn with_sizes(self, sizes: RangeInclusive<u64>) -> Self {
        Scheduler { sizes, ..self }
    }

    /// Allows at most `window` ranges that are unfinished or wait for an earlier one.
    #[must_use]
    pub fn with_window(self, window: usize) -> Self {
        Scheduler { window, ..self }
    }

    /// Calls `work` with each range on a worker, and `take` with its results in order of the items. An error of `take`
    /// ends the run. A panic of `work` resumes in the caller.
    ///
    /// Work that sees the switch thrown returns `None` as soon as it can. This function does not wait for it: shared
    /// workers may first have to finish the work of other runs.
    ///
    /// # Errors
    /// The error of `take`.
    ///
    /// # Panics
    /// If `work` panics, or if called from one of the workers.
    pub fn each<T: Send + 'static, E>(
        &self,
        work: impl Fn(Range<u64>) -> Option<T> + Send + Sync + 'static,
        mut take: impl FnMut(T) -> Result<(), E>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<RunStats, E> {
        let Scheduler { workers, first_item, .. } = *self;
        let work = Arc::new(work);
        let (done, parts) = unbounded::<FinishedRange<T>>();
        let mut ranges =
            Ranges::new(first_item, self.limit, workers.count(), &self.sizes, self.weight, self.rate, self.first_items);
        let mut order = OrderedParts::new(first_item);
        let mut worker_stats = vec![WorkerStats::default(); workers.count()];
        let (mut out, mut finished) = (0, 0);
        let mut worker_time = Some(Duration::ZERO);
        let own_time = thread_cpu_time();
        let start = Instant::now();
        let mut reported = Duration::ZERO;
        let mut failure = None;
        while !self.cancel.is_cancelled() {
            if self.cancel_after.is_some_and(|cancel_after| start.elapsed() >= cancel_after) {
                // Thrown, not only left: ranges in work look at the switch.
                self.cancel.cancel();
                break;
            }
            while failure.is_none()
                && !self.finish_when.is_some_and(Cancel::is_cancelled)
                && out < RANGES_PER_WORKER * workers.count()
                && out + order.waiting() < self.window
                && let Some(items) = ranges.next(start.elapsed())
            {
                workers.give(task(&work, items, &done));
                out += 1;
            }
            if out == 0 {
                break;
            }
            let wait = PROGRESS_INTERVAL.saturating_sub(start.elapsed() - reported);
            match parts.recv_timeout(wait.min(POLL_INTERVAL)) {
                Ok(part) => {
                    out -= 1;
                    let items = part.items.end - part.items.start;
                    worker_time = worker_time.zip(part.cpu_time).map(|(sum, more)| sum + more);
                    let stats = WorkerStats { items, busy: part.busy };
                    match part.result {
                        Ok(Some(result)) => order.insert(part.items, (part.worker, stats, result)),
                        Ok(None) => break,
                        Err(panic) => resume_unwind(panic),
                    }
                    finished += items;
                    ranges.done(items, part.busy);
                    for (worker, WorkerStats { items, busy }, result) in order.by_ref() {
                        worker_stats[worker].items += items;
                        worker_stats[worker].busy += busy;
                        if failure.is_none() {
                            failure = take(result).err();
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("`done` is held here"),
            }
            let elapsed = start.elapsed();
            if elapsed - reported >= PROGRESS_INTERVAL {
                reported = elapsed;
                progress(&Progress { items: finished, elapsed, limit: self.limit });
            }
        }
        if let Some(error) = failure {
            return Err(error);
        }
        let elapsed = start.elapsed();
        let own_time = used(own_time, thread_cpu_time());
        Ok(RunStats {
            items: first_item..order.next_item(),
            elapsed,
            cpu_time: worker_time.zip(own_time).map(|(theirs, own)| theirs + own),
            workers: worker_stats,
        })
    }
}

/// The task that does `work` on `items` and sends the result to `done`.
fn task<T: Send + 'static>(
    work: &Arc<impl Fn(Range<u64>) -> Option<T> + Send + Sync + 'static>,
    items: Range<u64>,
    done: &Sender<FinishedRange<T>>,
) -> Task {
    let (work, done) = (Arc::clone(work), done.clone());
    Box::new(move |worker| {
        let (cpu_before, before) = (thread_cpu_time(), Instant::now());
        let result = catch_unwind(AssertUnwindSafe(|| work(items.clone())));
        let part = FinishedRange {
            busy: before.elapsed(),
            cpu_time: used(cpu_before, thread_cpu_time()),
            items,
            worker,
            result,
        };
        // The receiver is gone if the run was cancelled or another part of it panicked.
        let _ = done.send(part);
    })
}
