//! Playouts of any game on every core.

use core::convert::Infallible;
use std::sync::Arc;

use tavli_game::{Game, Tally, playouts};
use tavli_run::{Cancel, Limit, Progress, Scheduler, Workers};

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
    position: G::Position,
    chance: Option<usize>,
    first_game: u64,
    limit: Limit,
    cancel: Cancel,
}

impl<G: Game> GameRun<G> {
    /// The first games, from game 0, from a position in which the game goes on.
    #[must_use]
    pub fn new(game: Arc<G>, position: G::Position, limit: Limit) -> GameRun<G> {
        GameRun {
            game,
            position,
            chance: None,
            first_game: 0,
            limit,
            cancel: Cancel::new(),
        }
    }

    /// Begins each game with this chance.
    #[must_use]
    pub fn after_chance(self, chance: usize) -> GameRun<G> {
        GameRun {
            chance: Some(chance),
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
        let (game, position, chance) = (Arc::clone(&self.game), self.position, self.chance);
        let cancel = self.cancel.clone();
        let mut tally = Tally::default();
        let scheduler = Scheduler::new(workers, self.first_game, self.limit, &self.cancel)
            .with_first_items(FIRST_GAMES_A_WORKER_AT_RANDOM);
        let Ok(spent) = scheduler.each(
            move |games| playouts(&*game, &position, chance, games, &|| cancel.is_cancelled()).ok(),
            |part| {
                tally.merge(&part);
                Ok::<(), Infallible>(())
            },
            &mut progress,
        );
        Report::new(tally, spent, self.limit, &self.cancel)
    }
}
