//! Playouts of one position on every core.

use core::convert::Infallible;
use core::ops::Range;
use std::io::{self, Write};

use thiserror::Error;

use tavli_backgammon::policies::Players;
use tavli_backgammon::{Playouts, Record, Results, Tier};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

use super::recorded::each_recorded;
use super::report::Report;

/// Playouts to play on all workers.
#[derive(Clone, Debug)]
pub struct Run {
    playouts: Playouts,
    players: Players,
    tier: Tier,
    first_game: u64,
    limit: Limit,
    cancel: Cancel,
}

/// Games beyond the last number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "{games} games from game number {first_game} on pass the last game number, {last}",
    last = u64::MAX - 1
)]
pub struct GameNumbersError {
    /// The first game.
    pub first_game: u64,
    /// The number of games asked for.
    pub games: u64,
}

impl GameNumbersError {
    pub(crate) fn check(first_game: u64, limit: Limit) -> Result<(), GameNumbersError> {
        match limit {
            Limit::Items(games) if first_game.checked_add(games).is_none() => {
                Err(GameNumbersError { first_game, games })
            }
            _ => Ok(()),
        }
    }

    /// The numbers of `games` games from `first_game` on.
    ///
    /// # Errors
    /// [`GameNumbersError`] if they pass the last game number, 2^64 - 2.
    pub fn numbers(first_game: u64, games: u64) -> Result<Range<u64>, GameNumbersError> {
        let end = first_game.checked_add(games);
        Ok(first_game..end.ok_or(GameNumbersError { first_game, games })?)
    }
}

/// The games that a worker plays in some milliseconds. This many are handed out to each worker at once, before the rate
/// is known ([`Scheduler::with_first_items`]).
#[must_use]
pub fn first_games_a_worker(tier: Tier, players: &Players) -> u64 {
    // The portable tier plays one game after the other, and policies list the plays of every ply.
    if tier == Tier::Portable || !players.are_uniform() {
        1296
    } else {
        1 << 14
    }
}

impl Run {
    /// The first games of `playouts`, from game 0, by uniform play of the build for `tier`.
    #[must_use]
    pub fn new(playouts: Playouts, tier: Tier, limit: Limit) -> Run {
        Run {
            playouts,
            players: Players::default(),
            tier,
            first_game: 0,
            limit,
            cancel: Cancel::new(),
        }
    }

    /// Begins with another game number.
    ///
    /// # Errors
    /// [`GameNumbersError`] if that many games from there on pass the last game number, 2^64 - 2.
    pub fn from_game(self, first_game: u64) -> Result<Run, GameNumbersError> {
        GameNumbersError::check(first_game, self.limit)?;
        Ok(Run { first_game, ..self })
    }

    /// Lets `players` pick the plays: the policy of the player on roll in the first position, and the policy of the
    /// opponent.
    #[must_use]
    pub fn played_by(self, players: Players) -> Run {
        Run { players, ..self }
    }

    /// Lets this switch end the run.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Run {
        Run {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// Plays the games, and calls `progress` about ten times a second.
    ///
    /// A timed run that reaches the last game number ends there.
    ///
    /// # Panics
    /// If one of these workers calls this.
    #[must_use]
    pub fn play(&self, workers: &Workers, mut progress: impl FnMut(&Progress)) -> Report {
        let Run { playouts, tier, .. } = *self;
        let players = self.players.clone();
        let mut results = Results::default();
        let cancel = self.cancel.clone();
        let Ok(spent) = self.scheduler(workers).each(
            move |games| players.run(&playouts, tier, games, &|| cancel.is_cancelled()).ok(),
            |part| {
                results.merge(&part);
                Ok::<(), Infallible>(())
            },
            &mut progress,
        );
        Report::new(results, spent, self.limit, &self.cancel)
    }

    /// Plays the games and writes a line for each to `output`, in order of their numbers; `line` appends
    /// it. The lines are made by the workers. Memory does not grow with the number of games, and a slow
    /// `output` slows the run down.
    ///
    /// # Errors
    /// The error of `output`, which ends the run.
    ///
    /// # Panics
    /// If `line` panics, or if one of these workers calls this.
    pub fn play_recorded(
        &self,
        workers: &Workers,
        progress: impl FnMut(&Progress),
        line: impl Fn(&Record, &mut Vec<u8>) + Send + Sync + 'static,
        output: &mut dyn Write,
    ) -> io::Result<Report> {
        let Run { playouts, tier, .. } = *self;
        let players = self.players.clone();
        let mut results = Results::default();
        let cancel = self.cancel.clone();
        let spent = each_recorded(
            self.scheduler(workers),
            workers,
            size_of::<Record>(),
            move |games, lines| {
                let mut records = Vec::with_capacity((games.end - games.start) as usize);
                let stop = || cancel.is_cancelled();
                let part = players.run_recorded(&playouts, tier, games, &mut records, &stop).ok()?;
                for record in &records {
                    line(record, lines);
                }
                Some(part)
            },
            |part| results.merge(&part),
            progress,
            output,
        )?;
        Ok(Report::new(results, spent, self.limit, &self.cancel))
    }

    fn scheduler<'a>(&'a self, workers: &'a Workers) -> Scheduler<'a> {
        Scheduler::new(workers, self.first_game, self.limit, &self.cancel)
            .with_first_items(first_games_a_worker(self.tier, &self.players))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::num::NonZeroUsize;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::time::Duration;
    use tavli_backgammon::{Board, NO_STOP, RuleSet};
    use tavli_run::{Cpus, Pinning, Placement};

    fn workers(threads: usize) -> Workers {
        let threads = NonZeroUsize::new(threads);
        Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, threads).unwrap()).unwrap()
    }

    fn run(limit: Limit) -> Run {
        let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 42).unwrap();
        Run::new(playouts, Tier::best(), limit)
    }

    #[test]
    fn results_do_not_depend_on_the_workers() {
        let run = run(Limit::Items(3000)).from_game(u64::from(u32::MAX) - 1000).unwrap();
        let alone = run
            .playouts
            .run(run.tier, run.first_game..run.first_game + 3000, NO_STOP)
            .unwrap();
        for threads in [1, 2, 3, 16] {
            let workers = workers(threads);
            for _ in 0..2 {
                let report = run.play(&workers, |_| ());
                assert_eq!(report.results, alone, "{threads} threads");
                assert_eq!(report.games, run.first_game..run.first_game + 3000);
                assert_eq!(report.workers.len(), threads);
                assert_eq!(report.workers.iter().map(|share| share.items).sum::<u64>(), 3000);
                assert!(!report.cancelled);
            }
        }
    }

    /// The message of a call that panics.
    fn complaint(call: impl FnOnce()) -> Option<String> {
        let panic = catch_unwind(AssertUnwindSafe(call)).err()?;
        let text = panic.downcast_ref::<&str>();
        Some(text.expect("a plain text").to_string())
    }

    #[test]
    fn work_for_the_workers_that_do_it_is_refused() {
        let calls: [fn(&Workers); 4] = [
            |workers| drop(workers.each(|worker| worker)),
            |workers| assert!(workers.cycles_per_second() > 0.0),
            |workers| drop(run(Limit::Items(1)).play(workers, |_| ())),
            |workers| {
                let run = run(Limit::Items(1));
                let _ = run.play_recorded(workers, |_| (), |_, _| (), &mut io::sink());
            },
        ];
        for threads in [1, 3] {
            let (workers, others) = (Arc::new(workers(threads)), Arc::new(workers(2)));
            for call in calls {
                let (same, idle) = (Arc::clone(&workers), Arc::clone(&others));
                let nested = move |_| [&same, &idle].map(|workers| complaint(|| call(workers)));
                for [of_same, of_others] in workers.each(nested) {
                    let of_same = of_same.expect("it panics");
                    assert!(
                        of_same.contains("a worker must not give work to its own workers"),
                        "{of_same}"
                    );
                    assert_eq!(of_others, None);
                }
            }
            // The workers go on with other work.
            assert_eq!(workers.each(|worker| worker).len(), threads);
        }
    }

    #[test]
    fn a_timed_run_is_a_range_of_games() {
        let workers = workers(2);
        let time = Duration::from_millis(300);
        let mut calls = 0;
        let timed = run(Limit::Time(time)).from_game(5).unwrap().play(&workers, |progress| {
            calls += 1;
            assert_eq!(progress.limit, Limit::Time(time));
        });
        assert_eq!(timed.games.start, 5);
        assert_eq!(timed.games.end - 5, timed.results.tally.games);
        assert!(calls > 0);
        // Generous, for a busy machine; another test checks the sizes of the ranges.
        assert!(timed.elapsed < 10 * time, "{:?}", timed.elapsed);
        let counted = run(Limit::Items(timed.results.tally.games)).from_game(5).unwrap();
        assert_eq!(counted.play(&workers, |_| ()).results, timed.results);
    }

    #[test]
    fn a_cancelled_run_is_a_range_of_games() {
        let workers = workers(2);
        let cancel = Cancel::new();
        let endless = run(Limit::Items(u64::MAX)).cancelled_by(&cancel);
        let report = endless.play(&workers, |progress| {
            if progress.items > 0 {
                cancel.cancel();
            }
        });
        assert!(report.cancelled);
        assert!(report.elapsed < Duration::from_secs(10), "{:?}", report.elapsed);
        let games = report.results.tally.games;
        assert_eq!(report.games, 0..games);
        let counted = run(Limit::Items(games)).play(&workers, |_| ());
        assert_eq!(counted.results, report.results);
        // Cancelled before it starts, a run plays nothing.
        let none = endless.play(&workers, |_| ());
        assert_eq!((none.games, none.results), (0..0, Results::default()));
    }

    #[test]
    fn nothing_is_taken_after_a_run_was_cancelled() {
        let workers = workers(2);
        for least in [1, 1000, 100_000] {
            let cancel = Cancel::new();
            let endless = run(Limit::Items(u64::MAX)).cancelled_by(&cancel);
            let mut seen = 0;
            let report = endless.play(&workers, |progress| {
                if progress.items >= least && !cancel.is_cancelled() {
                    seen = progress.items;
                    cancel.cancel();
                }
            });
            assert!(report.cancelled);
            assert!(report.games.end <= seen, "{:?} of {seen}", report.games);
            let shares: u64 = report.workers.iter().map(|share| share.items).sum();
            assert_eq!(shares, report.games.end);
        }
    }

    #[test]
    fn records_come_in_order() {
        let run = run(Limit::Items(20_000)).from_game(17).unwrap();
        let mut output = Vec::new();
        let line = |record: &Record, lines: &mut Vec<u8>| writeln!(lines, "{} {}", record.game, record.plies).unwrap();
        let recorded = run.play_recorded(&workers(3), |_| (), line, &mut output).unwrap();
        let mut records = Vec::new();
        let alone = run
            .playouts
            .run_recorded(run.tier, 17..20_017, &mut records, NO_STOP)
            .unwrap();
        let mut expected = Vec::new();
        records.iter().for_each(|record| line(record, &mut expected));
        assert_eq!(recorded.results, alone);
        assert!(output == expected, "lines differ");
    }

    #[test]
    fn a_failing_output_ends_the_run() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let line = |_: &Record, lines: &mut Vec<u8>| lines.push(b'\n');
        let error = run(Limit::Items(u64::MAX))
            .play_recorded(&workers(2), |_| (), line, &mut Full(10_000))
            .unwrap_err();
        assert!(error.kind() == io::ErrorKind::StorageFull);
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_workers_live() {
        let workers = workers(2);
        let panicking = || {
            let work = |games: Range<u64>| {
                assert!(games.end < 200, "deliberate");
                Some(())
            };
            let run = run(Limit::Items(1000));
            let scheduler = run.scheduler(&workers);
            let _ = scheduler.each(work, |()| Ok::<(), Infallible>(()), &mut |_| ());
        };
        assert!(catch_unwind(AssertUnwindSafe(panicking)).is_err());
        let report = run(Limit::Items(100)).play(&workers, |_| ());
        assert_eq!(report.results.tally.games, 100);
    }

    #[test]
    fn game_numbers_end() {
        let last = run(Limit::Items(10)).from_game(u64::MAX - 10).unwrap();
        assert_eq!(last.play(&workers(1), |_| ()).games, u64::MAX - 10..u64::MAX);
        let error = run(Limit::Items(11)).from_game(u64::MAX - 10).unwrap_err();
        assert_eq!(
            error.to_string(),
            "11 games from game number 18446744073709551605 on pass the last game number, \
             18446744073709551614"
        );
    }
}
