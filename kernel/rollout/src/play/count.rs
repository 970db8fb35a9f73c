//! Trials played and counted, some at a time:
//!
//! ```text
//! numbers of trials -> ClassOrder      the stratum of each, and its place among the trials of its class
//!                   -> EndedGames      play: how the game of each candidate ends, and what is to be valued
//!                   -> OutcomeValues         value: the games cut off, and the luck in each
//!                   -> RolloutCounts   count: exact sums of both
//! ```

use core::ops::Range;

use tavli_backgammon::Tier;

use crate::ask::limits::STRATUM_BLOCK;
use crate::estimate::class_order::ClassOrder;
use crate::estimate::counts::RolloutCounts;
use crate::play::trials::TrialRunner;

/// Games whose records are kept at a time: enough to keep a batch full, few enough for the caches.
const CHUNK: u64 = 4 * STRATUM_BLOCK;
/// [`CHUNK`] for the tier that plays games one by one: few at a time cost nothing there, and stop sooner.
const CHUNK_ONE_BY_ONE: u64 = 4 * 36;

impl TrialRunner {
    /// Plays and counts these trials, a game of every candidate each; `None` if `stop`, which is called now and then,
    /// returns `true`.
    pub(crate) fn count(&self, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<RolloutCounts> {
        let mut counts = RolloutCounts::new(self.shape(), self.candidates.len());
        let size = match self.tier {
            Tier::Portable => CHUNK_ONE_BY_ONE,
            _ => CHUNK,
        };
        let mut first = trials.start;
        while first < trials.end {
            let chunk = first..trials.end.min(first + size);
            first = chunk.end;
            self.count_chunk(&mut counts, chunk, stop)?;
        }
        Some(counts)
    }

    /// Adds these trials to `counts`.
    fn count_chunk(&self, counts: &mut RolloutCounts, trials: Range<u64>, stop: &dyn Fn() -> bool) -> Option<()> {
        let order = ClassOrder::new(self.strata, trials);
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
