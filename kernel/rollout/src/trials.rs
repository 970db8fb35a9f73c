//! The trials of a rollout, played by workers.

use core::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::candidate::Candidate;
use super::counts::{Counts, Shape};
use super::strata::Strata;
use super::valuers::Valuers;
use tavli_backgammon::Tier;
use tavli_backgammon::policies::Players;
use tavli_playouts::few_games;
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

/// The memory that ranges waiting for an earlier one may take.
const WAITING_MEMORY: usize = 64 << 20;

/// What the trials of a rollout are, and how they are played.
#[derive(Clone, Debug)]
pub(super) struct Trials {
    pub(super) candidates: Arc<[Candidate]>,
    pub(super) players: Players,
    pub(super) valuers: Valuers,
    pub(super) strata: Strata,
    pub(super) tier: Tier,
}

impl Trials {
    /// Games that take a worker some milliseconds. An evaluator may take that long for a position, and measuring
    /// luck for a ply.
    fn few_games(&self) -> u64 {
        match &self.valuers {
            Valuers {
                evaluator: None,
                luck: None,
                ..
            } => few_games(self.tier, &self.players),
            _ => 1,
        }
    }

    /// What they count.
    pub(super) fn shape(&self) -> Shape {
        Shape {
            strata: self.strata,
            valued: self.valuers.valued(),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "two callers name them all")]
    /// Has the workers play games in ranges of the given `sizes`, and gives the counts to `take`, range by range in their
    /// order. `cancel` ends it at once, `enough` after the ranges already handed out, and so does an error of `take`. A
    /// worker is known to play games at this `rate`; returns the rate at which it did.
    pub(super) fn play<E>(
        &self,
        workers: &Workers,
        games: Range<u64>,
        sizes: RangeInclusive<u64>,
        cancel: &Cancel,
        enough: Option<&Cancel>,
        rate: Option<f64>,
        mut take: impl FnMut(Range<u64>, Counts) -> Result<(), E>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Option<f64>, E> {
        let memory = Counts::new(self.shape(), self.candidates.len()).memory();
        let number = self.candidates.len() as u64;
        let limit = Limit::Games(games.end - games.start);
        let scheduler = Scheduler::new(workers, games.start, limit, cancel)
            .until(enough)
            .with_sizes(sizes)
            .with_weight(number)
            .with_few(self.few_games())
            .with_rate(rate.map(|games| games / number as f64))
            .with_window((WAITING_MEMORY / memory).max(2 * workers.count()));
        let Trials {
            candidates,
            players,
            valuers,
            strata,
            tier,
        } = self.clone();
        let cancel = cancel.clone();
        let work = move |games: Range<u64>| {
            let stop = || cancel.is_cancelled();
            let counts = Counts::play(strata, &candidates, &players, &valuers, tier, games.clone(), &stop)?;
            Some((games, counts))
        };
        let spent = scheduler.each(work, |(games, counts)| take(games, counts), progress)?;
        Ok(spent.rate().map(|trials| trials * number as f64))
    }
}
