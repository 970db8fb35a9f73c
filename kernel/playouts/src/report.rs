//! The results of a run, and its speed.

use core::ops::Range;
use std::time::Duration;

use tavli_backgammon::Results;
use tavli_game::Tally;
use tavli_run::{Cancel, Limit, RunStats, WorkerStats};

/// The results of a run, and its speed.
#[derive(Clone, Debug)]
pub struct PlayoutReport<R = Results> {
    /// The games played: one unbroken range of numbers, even if the run ended by time or was cancelled. With many
    /// positions they are numbered from 0, position by position.
    pub games: Range<u64>,
    /// The results of the games, or those of the games of each position.
    pub results: R,
    /// Wall-clock time from the first range handed out to the last result.
    pub elapsed: Duration,
    /// Processor time of the workers and of the calling thread; `None` where the system does not report it.
    pub cpu_time: Option<Duration>,
    /// Whether the run was cancelled before its limit.
    pub cancelled: bool,
    /// Each worker's part.
    pub workers: Vec<WorkerStats>,
}

/// Results that know how much was played.
pub trait GameCounts {
    /// The number of games.
    fn games(&self) -> u64;

    /// The number of their plies.
    fn plies(&self) -> u128;
}

impl GameCounts for Results {
    fn games(&self) -> u64 {
        self.tally.games
    }

    fn plies(&self) -> u128 {
        self.tally.plies
    }
}

impl GameCounts for Tally {
    fn games(&self) -> u64 {
        self.games
    }

    fn plies(&self) -> u128 {
        self.plies
    }
}

impl<R> PlayoutReport<R> {
    /// The report of a run to this limit, which it reached or not.
    pub(crate) fn new(results: R, spent: RunStats, limit: Limit, cancel: &Cancel) -> PlayoutReport<R> {
        // A switch that is thrown after the last game has cut nothing off.
        let complete = limit == Limit::Items(spent.items.end - spent.items.start);
        PlayoutReport {
            games: spent.items,
            results,
            elapsed: spent.elapsed,
            cpu_time: spent.cpu_time,
            cancelled: cancel.is_cancelled() && !complete,
            workers: spent.workers,
        }
    }
}

impl<R> PlayoutReport<R> {
    /// The report with these results in another form.
    #[must_use]
    pub fn map<S>(self, results: impl FnOnce(R) -> S) -> PlayoutReport<S> {
        PlayoutReport {
            games: self.games,
            results: results(self.results),
            elapsed: self.elapsed,
            cpu_time: self.cpu_time,
            cancelled: self.cancelled,
            workers: self.workers,
        }
    }
}

impl<R: GameCounts> PlayoutReport<R> {
    /// Games per second over all workers.
    #[must_use]
    pub fn games_per_second(&self) -> f64 {
        self.results.games() as f64 / self.elapsed.as_secs_f64()
    }

    /// Plies per second over all workers.
    #[must_use]
    pub fn plies_per_second(&self) -> f64 {
        self.results.plies() as f64 / self.elapsed.as_secs_f64()
    }

    /// Nanoseconds between two plies of the whole run: the inverse of [`PlayoutReport::plies_per_second`].
    #[must_use]
    pub fn ns_per_ply(&self) -> f64 {
        1e9 / self.plies_per_second()
    }

    /// Nanoseconds that one worker took for a ply: [`PlayoutReport::ns_per_ply`] times the workers.
    #[must_use]
    pub fn ns_per_ply_and_worker(&self) -> f64 {
        self.ns_per_ply() * self.workers.len() as f64
    }

    /// Cycles that a worker took for a ply on a core of this clock: the processor time of all workers in cycles (or the
    /// wall-clock time, where the system does not report it) over the plies. An estimate, as
    /// [`Workers::cycles_per_second`](tavli_run::Workers::cycles_per_second) is.
    #[must_use]
    pub fn cycles_per_ply(&self, cycles_per_second: f64) -> f64 {
        let seconds = match self.cpu_time {
            Some(time) => time.as_secs_f64(),
            None => self.elapsed.as_secs_f64() * self.workers.len() as f64,
        };
        seconds * cycles_per_second / self.results.plies() as f64
    }
}
