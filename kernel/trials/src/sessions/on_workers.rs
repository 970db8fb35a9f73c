//! Trials played by workers, and their counts taken in order.

use core::convert::Infallible;
use core::ops::Range;

use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

use crate::sessions::resumable_rollout::PlayTrials;

/// The memory that ranges waiting for an earlier one may take.
// Counts of many candidates by strata take up to megabytes a range, and ranges are added in order.
const WAITING_MEMORY: usize = 64 << 20;

/// A scheduler of these trials, which `cancel` ends at once.
pub fn scheduler<'a>(
    runner: &impl PlayTrials,
    workers: &'a Workers,
    trials: Range<u64>,
    cancel: &'a Cancel,
) -> Scheduler<'a> {
    Scheduler::new(workers, trials.start, Limit::Items(trials.end - trials.start), cancel)
        .with_weight(runner.candidates() as u64)
        .with_first_items(runner.first_trials_a_worker())
        // At least two ranges a worker: in a smaller window workers would wait for the slowest range.
        .with_window((WAITING_MEMORY / runner.memory()).max(2 * workers.count()))
}

/// Has workers play the trials of a scheduler, and gives the counts to `take`, range by range in their order. The
/// scheduler's `cancel` also stops a range that is being played. Returns the trials that a worker played per second.
pub fn play_on_workers<C: PlayTrials>(
    runner: &C,
    scheduler: &Scheduler,
    cancel: &Cancel,
    mut take: impl FnMut(Range<u64>, C::Counts),
    progress: &mut dyn FnMut(&Progress),
) -> Option<f64> {
    let (runner, cancel) = (runner.clone(), cancel.clone());
    let work = move |trials: Range<u64>| {
        let counts = runner.play(trials.clone(), &|| cancel.is_cancelled())?;
        Some((trials, counts))
    };
    let take = |(trials, counts)| {
        take(trials, counts);
        Ok::<(), Infallible>(())
    };
    let Ok(stats) = scheduler.each(work, take, progress);
    stats.rate()
}
