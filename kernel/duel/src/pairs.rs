//! The pairs of a duel on every core.

use core::convert::Infallible;
use core::ops::Range;

use tavli_run::{Cancel, Limit, Progress, RunStats, Scheduler, Workers};

pub(super) struct Pairs<'a> {
    pub(super) numbers: Range<u64>,
    /// The games, two a pair, that a worker plays in some milliseconds; 1 if one may take seconds.
    // With first ranges of 32 pairs one worker got all of 20 slow pairs (profiles/LOG.md, 2026-11-27).
    pub(super) first_games: u64,
    pub(super) cancel: &'a Cancel,
}

impl Pairs<'_> {
    /// Plays ranges of pairs by `work` on the workers, passes their scores to `merge` in order, and calls `progress`
    /// with the games, two a pair, about ten times a second.
    pub(super) fn play<S: Send + 'static>(
        &self,
        workers: &Workers,
        work: impl Fn(Range<u64>) -> Option<S> + Send + Sync + 'static,
        mut merge: impl FnMut(S),
        mut progress: impl FnMut(&Progress),
    ) -> RunStats {
        let number = self.numbers.end - self.numbers.start;
        let scheduler = Scheduler::new(workers, self.numbers.start, Limit::Items(number), self.cancel)
            .with_weight(2)
            .with_first_items(self.first_games);
        let Ok(stats) = scheduler.each(
            work,
            |part| {
                merge(part);
                Ok::<(), Infallible>(())
            },
            &mut |of_pairs| {
                progress(&Progress { items: 2 * of_pairs.items, limit: Limit::Items(2 * number), ..*of_pairs });
            },
        );
        stats
    }
}
