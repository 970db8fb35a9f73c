//! The pairs of a duel on every core.

use core::convert::Infallible;
use core::ops::Range;

use tavli_run::{Cancel, Limit, Progress, Scheduler, Spent, Workers};

/// The pairs of a duel, numbered from 0.
pub(super) struct Pairs<'a> {
    pub(super) number: u64,
    /// A worker plays so many in some milliseconds.
    pub(super) few: u64,
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
    ) -> Spent {
        let scheduler = Scheduler::new(workers, 0, Limit::Games(self.number), self.cancel)
            .with_weight(2)
            .with_few(self.few);
        let Ok(spent) = scheduler.each(
            work,
            |part| {
                merge(part);
                Ok::<(), Infallible>(())
            },
            &mut |of_pairs| {
                progress(&Progress {
                    games: 2 * of_pairs.games,
                    limit: Limit::Games(2 * self.number),
                    ..*of_pairs
                });
            },
        );
        spent
    }
}
