//! The trials of a rollout, played by workers.

use core::convert::Infallible;
use core::ops::Range;

use tavli_playouts::few_games;
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

use crate::ask::evaluators::Evaluators;
use crate::estimate::counts::RolloutCounts;
use crate::play::trials::TrialRunner;

/// The memory that ranges waiting for an earlier one may take.
const WAITING_MEMORY: usize = 64 << 20;

impl TrialRunner {
    /// Games that take a worker some milliseconds. An evaluator may take that long for a position, and measuring
    /// luck for a ply.
    fn few_games(&self) -> u64 {
        match &self.evaluators {
            Evaluators {
                evaluator: None,
                luck: None,
                ..
            } => few_games(self.tier, &self.players),
            _ => 1,
        }
    }

    /// A scheduler of these games, which `cancel` ends at once.
    pub(crate) fn scheduler<'a>(&self, workers: &'a Workers, games: Range<u64>, cancel: &'a Cancel) -> Scheduler<'a> {
        let memory = RolloutCounts::new(self.shape(), self.candidates.len()).memory();
        Scheduler::new(workers, games.start, Limit::Games(games.end - games.start), cancel)
            .with_weight(self.candidates.len() as u64)
            .with_few(self.few_games())
            .with_window((WAITING_MEMORY / memory).max(2 * workers.count()))
    }

    /// Has workers play the games of a scheduler, and gives the counts to `take`, range by range in their order. The
    /// scheduler's `cancel` also stops a range that is being played. Returns the trials that a worker played per
    /// second.
    pub(crate) fn play(
        &self,
        scheduler: &Scheduler,
        cancel: &Cancel,
        mut take: impl FnMut(Range<u64>, RolloutCounts),
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<f64> {
        let (trials, cancel) = (self.clone(), cancel.clone());
        let work = move |games: Range<u64>| {
            let counts = trials.count(games.clone(), &|| cancel.is_cancelled())?;
            Some((games, counts))
        };
        let take = |(games, counts)| {
            take(games, counts);
            Ok::<(), Infallible>(())
        };
        let Ok(spent) = scheduler.each(work, take, progress);
        spent.rate()
    }
}
