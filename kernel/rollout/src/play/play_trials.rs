//! Trials played and counted, some at a time, by one thread or by workers.

use core::convert::Infallible;
use core::ops::Range;

use tavli_backgammon::Tier;
use tavli_playouts::first_games_a_worker;
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

use crate::ask::evaluators::Evaluators;
use crate::ask::limits::STRATUM_BLOCK;
use crate::estimate::class_order::ClassOrder;
use crate::estimate::counts::RolloutCounts;
use crate::play::resumable_rollout::PlayTrials;
use crate::play::trials::TrialRunner;

/// The memory that ranges waiting for an earlier one may take.
// Counts of many candidates by strata take up to megabytes a range, and ranges are added in order.
const WAITING_MEMORY: usize = 64 << 20;
/// Games whose records are kept at a time: enough to keep a batch full, few enough for the caches.
// The widest batch has 2,048 lanes, which games fill two and a half times; a block of strata is not divided. No other
// multiple of a block is in profiles/LOG.md.
const CHUNK: u64 = 4 * STRATUM_BLOCK;
/// [`CHUNK`] for the tier that plays games one by one: small chunks cost nothing there, and stop sooner.
const CHUNK_ONE_BY_ONE: u64 = 4 * 36;

impl TrialRunner {
    /// Adds these trials to `counts`.
    fn play_chunk(&self, counts: &mut RolloutCounts, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<()> {
        let order = ClassOrder::new(self.dimensions.strata, trials);
        let ended = self.play_games(&order, stop)?;
        counts.add_trials(&order, &ended.ends);
        if let Some(cubeful) = &mut counts.cubeful {
            cubeful.add_trials(&order, &ended.cubeful);
        }
        if let Some(corrections) = &mut counts.corrections {
            let values = self.values(&ended.valued, stop)?;
            let games = ended.valued.iter().zip(values);
            let games = games.map(|(game, numbers)| (game.candidate, game.number, numbers));
            corrections.add_trials(&order, &ended.ends, games);
        }
        Some(())
    }
}

impl PlayTrials for TrialRunner {
    type Counts = RolloutCounts;

    fn candidates(&self) -> usize {
        self.candidates.len()
    }

    fn play(&self, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<RolloutCounts> {
        let mut counts = RolloutCounts::new(self.dimensions, self.candidates.len());
        let size = match self.tier {
            Tier::Portable => CHUNK_ONE_BY_ONE,
            _ => CHUNK,
        };
        let mut first = trials.start;
        while first < trials.end {
            let chunk = first..trials.end.min(first + size);
            first = chunk.end;
            self.play_chunk(&mut counts, chunk, stop)?;
        }
        Some(counts)
    }

    // An evaluator may take some milliseconds for a position, and measuring luck for a ply.
    fn first_trials_a_worker(&self) -> u64 {
        match &self.evaluators {
            Evaluators {
                truncated_games: None,
                luck: None,
                ..
            } => first_games_a_worker(self.tier, &self.players),
            _ => 1,
        }
    }

    fn memory(&self) -> usize {
        RolloutCounts::new(self.dimensions, self.candidates.len()).memory()
    }
}

/// A scheduler of these trials, which `cancel` ends at once.
pub(crate) fn scheduler<'a>(
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
pub(crate) fn play_on_workers<C: PlayTrials>(
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
