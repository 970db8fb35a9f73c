//! Playouts on every core.

use core::convert::Infallible;
use std::io::{self, Write};
use std::sync::Arc;

use tavli_run::{Cancel, Limit, Progress, RunStats, Scheduler, Workers};

use crate::backgammon_playouts::BackgammonPlayouts;
use crate::count_games::{CountGames, CountGamesWithEnds, CountRows};
use crate::game_numbers::GameNumbersError;
use crate::report::PlayoutReport;
use crate::rows::{Rows, RowsError};

/// The most parts per worker of a recorded run that are unfinished or wait for an earlier part.
// Records are written in order, so a slow part holds back the ones after it. Twice the two parts that a worker may have
// ahead keep it busy meanwhile; what the window takes is bounded by `LINES_MEMORY`.
const WINDOW: usize = 4;
/// Memory for the records of the games in the window.
// Some 19,000 games: on few workers a part fills the 2,048 lanes of a batch several times.
const LINES_MEMORY: usize = 4 << 20;
/// Bytes that the line of a game may take. The longest line of the command's own format is 42 bytes.
const BYTES_PER_LINE: usize = 48;

/// Playouts to play on all workers.
#[derive(Clone, Debug)]
pub struct Run<S = BackgammonPlayouts> {
    source: Arc<S>,
    first_game: u64,
    limit: Limit,
    cancel: Cancel,
}

impl<S: CountGamesWithEnds> Run<S> {
    /// The first games of a position, from game 0.
    #[must_use]
    pub fn new(source: S, limit: Limit) -> Run<S> {
        Run { source: Arc::new(source), first_game: 0, limit, cancel: Cancel::new() }
    }

    /// Begins with another game number.
    ///
    /// # Errors
    /// [`GameNumbersError`] if that many games from there on pass the last game number, 2^64 - 2.
    pub fn from_game(self, first_game: u64) -> Result<Run<S>, GameNumbersError> {
        // A timed run ends at the last number by itself.
        if let Limit::Items(games) = self.limit {
            GameNumbersError::numbers(first_game, games)?;
        }
        Ok(Run { first_game, ..self })
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
    pub fn play_with_lines(
        &self,
        workers: &Workers,
        mut progress: impl FnMut(&Progress),
        line: impl Fn(&S::End, &mut Vec<u8>) + Send + Sync + 'static,
        output: &mut dyn Write,
    ) -> io::Result<PlayoutReport<S::Counts>> {
        // The memory of a game: its record, and its line in each of the `WINDOW` unfinished parts of a worker.
        let bytes_per_game = size_of::<S::End>() + BYTES_PER_LINE * WINDOW;
        let most = (LINES_MEMORY / (bytes_per_game * workers.count())) as u64;
        let scheduler = self.scheduler(workers).with_sizes(1..=most);
        let (source, cancel) = (Arc::clone(&self.source), self.cancel.clone());
        let mut counts = S::Counts::default();
        let stats = scheduler.with_window(WINDOW * workers.count()).each(
            move |games| {
                let mut lines = Vec::new();
                let first = games.start;
                let mut each = |record: &_| line(record, &mut lines);
                let part = source.count_with_ends(games, &mut each, &|| cancel.is_cancelled()).ok()?;
                Some((first, part, lines))
            },
            |(first, part, lines)| {
                self.source.merge(&mut counts, first, part);
                output.write_all(&lines)
            },
            &mut progress,
        )?;
        // A buffered output may meet its error only here.
        output.flush()?;
        Ok(self.report(counts, stats))
    }
}

impl<S: CountRows> Run<Rows<S>> {
    /// `games` games from number `first_game` on from each of many positions.
    ///
    /// Each row has the results of a run of its position alone, whatever the tier and the number of workers. A run that
    /// is cancelled has the results of the rows whose games were all played, from the first on.
    ///
    /// ```
    /// use tavli_backgammon::playout::ManyPlayouts;
    /// use tavli_backgammon::plays::{Play, Plays};
    /// use tavli_backgammon::policies::PolicyPair;
    /// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
    /// use tavli_playouts::{BackgammonPlayouts, Run};
    /// use tavli_run::{Cpus, Pinning, Placement, Workers};
    ///
    /// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    /// // 36 games from the position behind each play of 31.
    /// let plays = Plays::new(&Board::START, "31".parse()?, RuleSet::Backgammon).to_vec();
    /// let after = |play: &Play| Playouts::new(play.board(), RuleSet::Backgammon, 1);
    /// let rows = plays.iter().map(after).collect::<Result<Vec<Playouts>, _>>()?;
    /// let many = ManyPlayouts::new(rows.iter().copied())?;
    /// let run = Run::from_rows(BackgammonPlayouts::new(many, PolicyPair::default(), Tier::best()), 0, 36)?;
    /// let report = run.play(&workers, |progress| println!("{:.0} %", 100.0 * progress.fraction()));
    /// for (row, tally) in rows.iter().zip(&report.results) {
    ///     assert_eq!(tally.outcomes, row.run(Tier::best(), 0..36, NO_STOP)?.tally.outcomes);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RowsError`] if there are more than 2^64 - 1 games altogether, or they pass the last game number, 2^64 - 2.
    pub fn from_rows(source: S, first_game: u64, games: u64) -> Result<Run<Rows<S>>, RowsError> {
        let (rows, trials) = Rows::new(source, first_game, games)?;
        Ok(Run { source: Arc::new(rows), first_game: 0, limit: Limit::Items(trials), cancel: Cancel::new() })
    }
}

impl<S: CountGames> Run<S> {
    /// Lets this switch end the run.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> Run<S> {
        Run { cancel: cancel.clone(), ..self }
    }

    /// Plays the games, and calls `progress` about ten times a second.
    ///
    /// A timed run that reaches the last game number ends there.
    ///
    /// # Panics
    /// If one of these workers calls this.
    #[must_use]
    pub fn play(&self, workers: &Workers, mut progress: impl FnMut(&Progress)) -> PlayoutReport<S::Counts> {
        let (source, cancel) = (Arc::clone(&self.source), self.cancel.clone());
        let mut counts = S::Counts::default();
        let Ok(stats) = self.scheduler(workers).each(
            move |games| Some((games.start, source.count(games, &|| cancel.is_cancelled()).ok()?)),
            |(first, part)| {
                self.source.merge(&mut counts, first, part);
                Ok::<(), Infallible>(())
            },
            &mut progress,
        );
        self.report(counts, stats)
    }

    fn scheduler<'a>(&'a self, workers: &'a Workers) -> Scheduler<'a> {
        Scheduler::new(workers, self.first_game, self.limit, &self.cancel)
            .with_first_items(self.source.first_games_a_worker())
    }

    fn report(&self, mut counts: S::Counts, stats: RunStats) -> PlayoutReport<S::Counts> {
        self.source.complete(&mut counts, &stats.items);
        PlayoutReport::new(counts, stats, self.limit, &self.cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::num::NonZeroUsize;
    use core::ops::Range;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::time::Duration;
    use tavli_backgammon::policies::PolicyPair;
    use tavli_backgammon::{Board, GameEnd, NO_STOP, Playouts, Results, RuleSet, Tier};
    use tavli_run::{Cpus, Pinning, Placement};

    fn workers(threads: usize) -> Workers {
        let threads = NonZeroUsize::new(threads);
        Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, threads).unwrap()).unwrap()
    }

    fn run(limit: Limit) -> Run {
        let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 42).unwrap();
        Run::new(BackgammonPlayouts::new(playouts, PolicyPair::default(), Tier::best()), limit)
    }

    #[test]
    fn results_do_not_depend_on_the_workers() {
        let run = run(Limit::Items(3000)).from_game(u64::from(u32::MAX) - 1000).unwrap();
        let BackgammonPlayouts { playouts, tier, .. } = *run.source;
        let alone = playouts.run(tier, run.first_game..run.first_game + 3000, NO_STOP);
        let alone = alone.unwrap();
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
                let _ = run.play_with_lines(workers, |_| (), |_, _| (), &mut io::sink());
            },
        ];
        for threads in [1, 3] {
            let (workers, others) = (Arc::new(workers(threads)), Arc::new(workers(2)));
            for call in calls {
                let (same, idle) = (Arc::clone(&workers), Arc::clone(&others));
                let nested = move |_| [&same, &idle].map(|workers| complaint(|| call(workers)));
                for [of_same, of_others] in workers.each(nested) {
                    let of_same = of_same.expect("it panics");
                    assert!(of_same.contains("a worker must not give work to its own workers"), "{of_same}");
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
        let line = |record: &GameEnd, lines: &mut Vec<u8>| writeln!(lines, "{} {}", record.game, record.plies).unwrap();
        let recorded = run.play_with_lines(&workers(3), |_| (), line, &mut output).unwrap();
        let mut records = Vec::new();
        let BackgammonPlayouts { playouts, tier, .. } = *run.source;
        let alone = playouts.run_with_ends(tier, 17..20_017, &mut records, NO_STOP);
        let alone = alone.unwrap();
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
        let line = |_: &GameEnd, lines: &mut Vec<u8>| lines.push(b'\n');
        let error =
            run(Limit::Items(u64::MAX)).play_with_lines(&workers(2), |_| (), line, &mut Full(10_000)).unwrap_err();
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
