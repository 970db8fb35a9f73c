//! Playouts of many positions on every core.

use core::convert::Infallible;
use core::ops::Range;
use std::time::Duration;

use thiserror::Error;

use tavli_backgammon::playout::ManyPlayouts;
use tavli_backgammon::policies::Players;
use tavli_backgammon::{Tally, Tier};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Share, Workers};

use super::run::{GameNumbersError, first_games_a_worker};

/// The same games from each of many positions, to play on all workers.
///
/// Each row has the results of a [`Run`](crate::Run) of its position alone, whatever the tier and the number
/// of workers.
///
/// ```
/// use tavli_backgammon::playout::ManyPlayouts;
/// use tavli_backgammon::plays::{Play, Plays};
/// use tavli_playouts::ManyRun;
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
/// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
///
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// // 36 games from the position behind each play of 31.
/// let plays = Plays::new(&Board::START, "31".parse()?, RuleSet::Backgammon).to_vec();
/// let after = |play: &Play| Playouts::new(play.board(), RuleSet::Backgammon, 1);
/// let rows = plays.iter().map(after).collect::<Result<Vec<Playouts>, _>>()?;
/// let run = ManyRun::new(ManyPlayouts::new(rows.iter().copied())?, Tier::best(), 0..36)?;
/// let report = run.play(&workers, |progress| println!("{:.0} %", 100.0 * progress.fraction()));
/// for (row, tally) in rows.iter().zip(&report.tallies) {
///     assert_eq!(tally.outcomes, row.run(Tier::best(), 0..36, NO_STOP)?.tally.outcomes);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ManyRun {
    playouts: ManyPlayouts,
    players: Players,
    tier: Tier,
    games: Range<u64>,
    cancel: Cancel,
}

/// Games that cannot be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ManyRunError {
    /// There are too many games altogether.
    #[error(
        "{games} games from each of {rows} positions are more than {most}: play fewer at a time",
        most = u64::MAX
    )]
    TooMany {
        /// Games of each position.
        games: u64,
        /// Positions.
        rows: usize,
    },
    /// The games pass the last game number.
    #[error(transparent)]
    Numbers(#[from] GameNumbersError),
}

/// The results of playouts of many positions.
#[derive(Clone, Debug)]
pub struct ManyReport<T = Tally> {
    /// The tallies of the positions whose games were all played, from the first on: of all positions, unless the run
    /// was cancelled. [`Tally::plays`] is 0, as in [`ManyPlayouts::run`].
    pub tallies: Vec<T>,
    /// Wall-clock time from the first games handed out to the last result.
    pub elapsed: Duration,
    /// Processor time of the workers and of the calling thread; `None` where the system does not report it.
    pub cpu_time: Option<Duration>,
    /// Whether the run was cancelled before its end.
    pub cancelled: bool,
    /// Each worker's part.
    pub workers: Vec<Share>,
}

impl ManyRunError {
    /// Checks that the games of these numbers from each of `rows` positions can be numbered.
    pub(crate) fn check(games: &Range<u64>, rows: usize) -> Result<(), ManyRunError> {
        let games = games_of_row(games);
        match games.checked_mul(rows as u64) {
            Some(_) => Ok(()),
            None => Err(ManyRunError::TooMany { games, rows }),
        }
    }
}

impl ManyRun {
    /// The games of these numbers from each of the positions, by uniform play of the build for `tier`.
    ///
    /// # Errors
    /// [`ManyRunError`] if there are more than 2^64 - 1 altogether.
    pub fn new(playouts: ManyPlayouts, tier: Tier, games: Range<u64>) -> Result<ManyRun, ManyRunError> {
        let run = ManyRun {
            playouts,
            players: Players::default(),
            tier,
            games,
            cancel: Cancel::new(),
        };
        ManyRunError::check(&run.games, run.playouts.rows().len())?;
        Ok(run)
    }

    /// Like [`ManyRun::new`], with `games` games from `first_game` on.
    ///
    /// # Errors
    /// [`ManyRunError`] if there are too many games, or they pass the last game number, 2^64 - 2.
    pub fn from_game(playouts: ManyPlayouts, tier: Tier, first_game: u64, games: u64) -> Result<ManyRun, ManyRunError> {
        ManyRun::new(playouts, tier, GameNumbersError::numbers(first_game, games)?)
    }

    /// Lets `players` pick the plays: the policy of the player on roll in each position, and the policy of the
    /// opponent.
    #[must_use]
    pub fn played_by(self, players: Players) -> ManyRun {
        ManyRun { players, ..self }
    }

    /// Lets this switch end the run.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> ManyRun {
        ManyRun {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// The positions and how they are played.
    #[must_use]
    pub fn playouts(&self) -> &ManyPlayouts {
        &self.playouts
    }

    /// Plays the games. `progress` is called about ten times a second.
    ///
    /// # Panics
    /// If this CPU lacks the tier; see [`Tier::available`]. If one of these workers calls this.
    #[must_use]
    pub fn play(&self, workers: &Workers, progress: impl FnMut(&Progress)) -> ManyReport {
        let ManyRun {
            playouts,
            players,
            tier,
            games,
            cancel,
        } = self.clone();
        let trials = RowTrials {
            of_row: games_of_row(&games),
            rows: playouts.rows().len(),
            first_items: first_games_a_worker(tier, &players),
        };
        let part = move |trials: Range<u64>, stop: &dyn Fn() -> bool| {
            players.run_part(&playouts, tier, games.clone(), trials, stop).ok()
        };
        play_rows(&trials, workers, &cancel, part, Tally::merge, progress)
    }
}

/// How many games each position has.
pub(crate) fn games_of_row(games: &Range<u64>) -> u64 {
    games.end.saturating_sub(games.start)
}

/// The trials of many positions, numbered row by row.
pub(crate) struct RowTrials {
    /// Games of each row.
    pub(crate) of_row: u64,
    pub(crate) rows: usize,
    /// Games that are handed out to each worker at once ([`Scheduler::with_first_items`]).
    pub(crate) first_items: u64,
}

/// Plays trials on all workers. `part` plays a range of them, and returns the tallies of the rows that it meets.
pub(crate) fn play_rows<T: Clone + Default + Send + 'static>(
    trials: &RowTrials,
    workers: &Workers,
    cancel: &Cancel,
    part: impl Fn(Range<u64>, &dyn Fn() -> bool) -> Option<Vec<T>> + Send + Sync + 'static,
    merge: fn(&mut T, &T),
    mut progress: impl FnMut(&Progress),
) -> ManyReport<T> {
    let RowTrials { of_row, rows, .. } = *trials;
    let mut tallies = vec![T::default(); rows];
    let limit = Limit::Items(of_row * rows as u64);
    let scheduler = Scheduler::new(workers, 0, limit, cancel).with_first_items(trials.first_items);
    let stopped = cancel.clone();
    let Ok(spent) = scheduler.each(
        move |trials| {
            let first_row = (trials.start / of_row) as usize;
            Some((first_row, part(trials, &|| stopped.is_cancelled())?))
        },
        |(first_row, part)| {
            for (sum, tally) in tallies[first_row..].iter_mut().zip(&part) {
                merge(sum, tally);
            }
            Ok::<(), Infallible>(())
        },
        &mut progress,
    );
    let whole = spent.items.end.checked_div(of_row);
    tallies.truncate(whole.map_or(rows, |whole| whole as usize));
    ManyReport {
        cancelled: tallies.len() < rows,
        tallies,
        elapsed: spent.elapsed,
        cpu_time: spent.cpu_time,
        workers: spent.workers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::num::NonZeroUsize;
    use tavli_backgammon::plays::Plays;
    use tavli_backgammon::policies::built_in;
    use tavli_backgammon::{Board, FirstRoll, NO_STOP, Playouts, Roll, RuleSet};
    use tavli_run::{Cpus, Pinning, Placement};

    fn workers(threads: usize) -> Workers {
        let threads = NonZeroUsize::new(threads);
        Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, threads).unwrap()).unwrap()
    }

    /// The positions after all plays of all rolls from the start.
    fn rows() -> Vec<Playouts> {
        let mut rows = Vec::new();
        for roll in Roll::ALL {
            for play in Plays::new(&Board::START, roll, RuleSet::Backgammon).to_vec() {
                let playouts = Playouts::new(play.board(), RuleSet::Backgammon, 7).unwrap();
                let first_roll = match rows.len() % 3 {
                    0 => FirstRoll::Stratified,
                    1 => FirstRoll::Given(roll),
                    _ => FirstRoll::Any,
                };
                rows.push(playouts.with_first_roll(first_roll));
            }
        }
        rows
    }

    /// The tally of a position by itself, without the plays, which are not counted by row.
    fn alone(row: &Playouts, games: Range<u64>) -> Tally {
        let mut tally = row.run(Tier::best(), games, NO_STOP).unwrap().tally;
        tally.plays = 0;
        tally
    }

    #[test]
    fn rows_do_not_depend_on_the_workers() {
        let rows = rows();
        let many = ManyPlayouts::new(rows.iter().copied()).unwrap();
        for games in [0..36, 50..51, 5..5] {
            let alone: Vec<Tally> = rows.iter().map(|row| alone(row, games.clone())).collect();
            for threads in [1, 2, 3, 16] {
                let workers = workers(threads);
                let run = ManyRun::new(many.clone(), Tier::best(), games.clone()).unwrap();
                let report = run.play(&workers, |_| ());
                assert!(report.tallies == alone, "{threads} threads, {games:?}");
                assert!(!report.cancelled);
                let shares: u64 = report.workers.iter().map(|share| share.items).sum();
                assert_eq!(shares, (games.end - games.start) * rows.len() as u64);
            }
        }
    }

    #[test]
    fn rows_of_policies_are_those_of_the_positions_alone() {
        let rows: Vec<Playouts> = rows().into_iter().step_by(40).collect();
        let many = ManyPlayouts::new(rows.iter().copied()).unwrap();
        let policies = ["pubeval", "uniform"].map(|name| built_in(name).unwrap());
        let [player, opponent] = policies;
        let players = Players::new(player, opponent);
        let games = 30..35;
        let alone: Vec<Tally> = rows
            .iter()
            .map(|row| {
                let mut tally = players.run(row, Tier::best(), games.clone(), NO_STOP).unwrap().tally;
                tally.plays = 0;
                tally
            })
            .collect();
        for threads in [1, 3] {
            let run = ManyRun::new(many.clone(), Tier::best(), games.clone()).unwrap();
            let run = run.played_by(players.clone());
            assert!(run.play(&workers(threads), |_| ()).tallies == alone);
        }
    }

    #[test]
    fn a_cancelled_run_keeps_whole_rows() {
        let rows = rows();
        let many = ManyPlayouts::new(rows.iter().copied()).unwrap();
        let cancel = Cancel::new();
        let run = ManyRun::new(many, Tier::best(), 0..1_000_000).unwrap();
        let run = run.cancelled_by(&cancel);
        let report = run.play(&workers(2), |progress| {
            if progress.items > 2_500_000 {
                cancel.cancel();
            }
        });
        assert!(report.cancelled);
        assert!((2..rows.len()).contains(&report.tallies.len()));
        for tally in &report.tallies {
            assert_eq!(tally.games, 1_000_000);
        }
        assert_eq!(report.tallies[0], alone(&rows[0], 0..1_000_000));
        // Cancelled before it starts, it plays nothing.
        assert_eq!(run.play(&workers(2), |_| ()).tallies, []);
    }

    #[test]
    fn games_can_be_numbered_or_are_refused() {
        let many = ManyPlayouts::new(rows()).unwrap();
        let error = ManyRun::new(many.clone(), Tier::best(), 0..u64::MAX).unwrap_err();
        assert!(error.to_string().ends_with("play fewer at a time"), "{error}");
        let error = ManyRun::from_game(many.clone(), Tier::best(), u64::MAX, 1).unwrap_err();
        assert!(matches!(error, ManyRunError::Numbers(_)), "{error}");
        let last = ManyRun::from_game(many, Tier::best(), u64::MAX - 3, 3).unwrap();
        assert!(
            last.play(&workers(2), |_| ())
                .tallies
                .iter()
                .all(|tally| tally.games == 3)
        );
    }
}
