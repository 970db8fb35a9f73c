//! Playouts of any game on every core.

use core::convert::Infallible;
use core::num::NonZeroU32;
use core::ops::Range;
use std::io::{self, Write};
use std::sync::Arc;

use tavli_game::{Game, PlayoutEnd, PlayoutStart, Tally, playouts_of_rows};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

use crate::many::{ManyReport, ManyRunError, RowTrials, games_of_row, play_rows};
use crate::recorded::each_recorded;
use crate::report::Report;
use crate::run::GameNumbersError;

/// Games that are handed out to all workers at once, without waiting for their rate ([`Scheduler::with_first_items`]):
/// some milliseconds of a game that is played one by one.
const FIRST_GAMES_A_WORKER_AT_RANDOM: u64 = 1024;

/// Playouts of one position of a game, to play on all workers.
///
/// ```
/// use std::sync::Arc;
/// use tavli_game::NamedGame;
/// use tavli_playouts::GameRun;
/// use tavli_run::{Cpus, Limit, Pinning, Placement, Workers};
/// use tavli_simd::Tier;
/// use tavli_tictactoe::TicTacToe;
///
/// let game = TicTacToe::by_rules("standard", Tier::best(), 1)?;
/// let start = game.start();
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let report = GameRun::new(Arc::new(game), start, Limit::Items(10_000)).play(&workers, |_| ());
/// assert_eq!(report.results.count(1), 5810);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameRun<G: Game> {
    game: Arc<G>,
    start: PlayoutStart<G::Position>,
    first_game: u64,
    first_games_a_worker: u64,
    limit: Limit,
    cancel: Cancel,
}

impl<G: Game> GameRun<G> {
    /// The first games, from game 0, from a position in which the game goes on.
    #[must_use]
    pub fn new(game: Arc<G>, position: G::Position, limit: Limit) -> GameRun<G> {
        GameRun::of(game, PlayoutStart::new(position), limit)
    }

    /// The first games, from game 0.
    #[must_use]
    pub fn of(game: Arc<G>, start: PlayoutStart<G::Position>, limit: Limit) -> GameRun<G> {
        GameRun {
            game,
            start,
            first_game: 0,
            first_games_a_worker: FIRST_GAMES_A_WORKER_AT_RANDOM,
            limit,
            cancel: Cancel::new(),
        }
    }

    /// Begins each game with this chance.
    #[must_use]
    pub fn after_chance(self, chance: usize) -> GameRun<G> {
        GameRun {
            start: self.start.after_chance(chance),
            ..self
        }
    }

    /// Cuts each game off after this many plies.
    #[must_use]
    pub fn truncated_after(self, plies: NonZeroU32) -> GameRun<G> {
        GameRun {
            start: self.start.truncated_after(plies),
            ..self
        }
    }

    /// Begins with another game number.
    ///
    /// # Errors
    /// [`GameNumbersError`] if that many games from there on pass the last game number, 2^64 - 2.
    pub fn from_game(self, first_game: u64) -> Result<GameRun<G>, GameNumbersError> {
        GameNumbersError::check(first_game, self.limit)?;
        Ok(GameRun { first_game, ..self })
    }

    /// Hands out this many games to each worker before their rate is known: few, if a game takes long. It changes no
    /// result.
    #[must_use]
    pub fn with_first_games_a_worker(self, first_games_a_worker: u64) -> GameRun<G> {
        GameRun {
            first_games_a_worker,
            ..self
        }
    }

    /// Lets this switch end the run.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> GameRun<G> {
        GameRun {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// Plays the games, and calls `progress` about ten times a second.
    ///
    /// # Panics
    /// If one of these workers calls this.
    #[must_use]
    pub fn play(&self, workers: &Workers, mut progress: impl FnMut(&Progress)) -> Report<Tally> {
        let (game, start, cancel) = (Arc::clone(&self.game), self.start, self.cancel.clone());
        let mut tally = Tally::default();
        let Ok(spent) = self.scheduler(workers).each(
            move |games| start.run(&*game, games, &|| cancel.is_cancelled()).ok(),
            |part| {
                tally.merge(&part);
                Ok::<(), Infallible>(())
            },
            &mut progress,
        );
        Report::new(tally, spent, self.limit, &self.cancel)
    }

    /// Plays the games and writes a line for each to `output`, in order of their numbers, as
    /// [`Run::play_recorded`](crate::Run::play_recorded) does; `line` appends it, from the number and the end of the
    /// game.
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
        line: impl Fn(u64, PlayoutEnd, &mut Vec<u8>) + Send + Sync + 'static,
        output: &mut dyn Write,
    ) -> io::Result<Report<Tally>> {
        let (game, start, cancel) = (Arc::clone(&self.game), self.start, self.cancel.clone());
        let mut tally = Tally::default();
        let spent = each_recorded(
            self.scheduler(workers),
            workers,
            size_of::<PlayoutEnd>(),
            move |games, lines| {
                let stop = || cancel.is_cancelled();
                let ends = start.run_recorded(&*game, games.clone(), &stop).ok()?;
                let mut part = Tally::default();
                for (number, end) in games.zip(ends) {
                    part.add_end(end);
                    line(number, end, lines);
                }
                Some(part)
            },
            |part| tally.merge(&part),
            progress,
            output,
        )?;
        Ok(Report::new(tally, spent, self.limit, &self.cancel))
    }

    fn scheduler<'a>(&'a self, workers: &'a Workers) -> Scheduler<'a> {
        Scheduler::new(workers, self.first_game, self.limit, &self.cancel).with_first_items(self.first_games_a_worker)
    }
}

/// The same games from each of many positions of a game, to play on all workers.
///
/// Row by row the results are those of a [`GameRun`] of the position alone, whatever the tier and the number of
/// workers.
///
/// ```
/// use std::sync::Arc;
/// use tavli_game::{Game, NO_STOP, NamedGame, PlayoutStart};
/// use tavli_playouts::GameManyRun;
/// use tavli_run::{Cpus, Pinning, Placement, Workers};
/// use tavli_simd::Tier;
/// use tavli_tictactoe::TicTacToe;
///
/// let game = Arc::new(TicTacToe::by_rules("standard", Tier::best(), 1)?);
/// let rows: Vec<_> = game.results(&game.start(), 0).into_iter().map(PlayoutStart::new).collect();
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let report = GameManyRun::from_game(Arc::clone(&game), rows.clone(), 5, 100)?.play(&workers, |_| ());
/// assert_eq!(report.tallies[8], rows[8].run(&*game, 5..105, NO_STOP)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameManyRun<G: Game> {
    game: Arc<G>,
    rows: Arc<Vec<PlayoutStart<G::Position>>>,
    games: Range<u64>,
    first_games_a_worker: u64,
    cancel: Cancel,
}

impl<G: Game> GameManyRun<G> {
    /// `games` games from `first_game` on from each of the positions, which are all cut off after the same number of
    /// plies, or all played to their ends.
    ///
    /// # Errors
    /// [`ManyRunError`] if there are too many games, or they pass the last game number, 2^64 - 2.
    pub fn from_game(
        game: Arc<G>,
        rows: Vec<PlayoutStart<G::Position>>,
        first_game: u64,
        games: u64,
    ) -> Result<GameManyRun<G>, ManyRunError> {
        let games = GameNumbersError::numbers(first_game, games)?;
        ManyRunError::check(&games, rows.len())?;
        Ok(GameManyRun {
            game,
            rows: Arc::new(rows),
            games,
            first_games_a_worker: FIRST_GAMES_A_WORKER_AT_RANDOM,
            cancel: Cancel::new(),
        })
    }

    /// As [`GameRun::with_first_games_a_worker`].
    #[must_use]
    pub fn with_first_games_a_worker(self, first_games_a_worker: u64) -> GameManyRun<G> {
        GameManyRun {
            first_games_a_worker,
            ..self
        }
    }

    /// Lets this switch end the run.
    #[must_use]
    pub fn cancelled_by(self, cancel: &Cancel) -> GameManyRun<G> {
        GameManyRun {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// Plays the games, and calls `progress` about ten times a second.
    ///
    /// # Panics
    /// If one of these workers calls this, or the rows differ in their truncation.
    #[must_use]
    pub fn play(&self, workers: &Workers, progress: impl FnMut(&Progress)) -> ManyReport<Tally> {
        let (game, starts, games) = (Arc::clone(&self.game), Arc::clone(&self.rows), self.games.clone());
        let trials = RowTrials {
            of_row: games_of_row(&games),
            rows: starts.len(),
            first_items: self.first_games_a_worker,
        };
        let part = move |trials: Range<u64>, stop: &dyn Fn() -> bool| {
            playouts_of_rows(&*game, &starts, games.clone(), trials, stop).ok()
        };
        play_rows(&trials, workers, &self.cancel, part, Tally::merge, progress)
    }
}
