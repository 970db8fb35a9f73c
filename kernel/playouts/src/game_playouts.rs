//! Playouts of any game, as workers count them.

use core::ops::Range;
use std::sync::Arc;

use tavli_base::Stopped;

use tavli_game::{Game, PlayoutEnd, PlayoutStart, Tally, playouts_of_rows};

use crate::count_games::{CountGames, CountGamesWithEnds, CountRows};

/// Some milliseconds of a game that is played one by one.
const FIRST_GAMES_A_WORKER_AT_RANDOM: u64 = 1024;

/// Playouts of a game from a [`PlayoutStart`], or from a vector of them, which are all cut off after the same number of
/// plies, or all played to their ends.
///
/// ```
/// use std::sync::Arc;
/// use tavli_base::NO_STOP;
/// use tavli_game::{Game, PlayableGame, PlayoutStart};
/// use tavli_playouts::{GamePlayouts, Run};
/// use tavli_run::{Cpus, Limit, Pinning, Placement, Workers};
/// use tavli_simd::Tier;
/// use tavli_tictactoe::TicTacToe;
///
/// let game = Arc::new(TicTacToe::by_rules("standard", Tier::best(), 1)?);
/// let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
/// let start = PlayoutStart::new(game.start());
/// let run = Run::new(GamePlayouts::new(Arc::clone(&game), start), Limit::Items(10_000));
/// assert_eq!(run.play(&workers, |_| ()).results.count(1), 5810);
///
/// let rows: Vec<_> = game.results(&game.start(), 0).into_iter().map(PlayoutStart::new).collect();
/// let run = Run::from_rows(GamePlayouts::new(Arc::clone(&game), rows.clone()), 5, 100)?;
/// assert_eq!(run.play(&workers, |_| ()).results[8], rows[8].run(&*game, 5..105, NO_STOP)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GamePlayouts<G, S> {
    /// The game.
    pub game: Arc<G>,
    /// Where playouts begin.
    pub start: S,
    /// [`CountGames::first_games_a_worker`]: few, if a game takes long. It changes no result.
    pub first_games_a_worker: u64,
}

impl<G, S> GamePlayouts<G, S> {
    /// Playouts at random, thousands of which take some milliseconds.
    #[must_use]
    pub fn new(game: Arc<G>, start: S) -> GamePlayouts<G, S> {
        GamePlayouts { game, start, first_games_a_worker: FIRST_GAMES_A_WORKER_AT_RANDOM }
    }
}

impl<G: Game> CountGames for GamePlayouts<G, PlayoutStart<G::Position>> {
    type Counts = Tally;

    fn first_games_a_worker(&self) -> u64 {
        self.first_games_a_worker
    }

    fn count(&self, games: Range<u64>, stop: &dyn Fn() -> bool) -> Result<Tally, Stopped> {
        self.start.run(&*self.game, games, stop)
    }

    fn merge(&self, tally: &mut Tally, _first: u64, part: Tally) {
        tally.merge(&part);
    }
}

impl<G: Game> CountGamesWithEnds for GamePlayouts<G, PlayoutStart<G::Position>> {
    /// The number of the game, and its end.
    type End = (u64, PlayoutEnd);

    fn count_with_ends(
        &self,
        games: Range<u64>,
        each: &mut dyn FnMut(&(u64, PlayoutEnd)),
        stop: &dyn Fn() -> bool,
    ) -> Result<Tally, Stopped> {
        let ends = self.start.run_with_ends(&*self.game, games.clone(), stop)?;
        let mut tally = Tally::default();
        for (number, end) in games.zip(ends) {
            tally.add_end(end);
            each(&(number, end));
        }
        Ok(tally)
    }
}

/// Counting panics if the rows differ in their truncation.
impl<G: Game> CountRows for GamePlayouts<G, Vec<PlayoutStart<G::Position>>> {
    type Tally = Tally;

    fn rows(&self) -> usize {
        self.start.len()
    }

    fn first_games_a_worker(&self) -> u64 {
        self.first_games_a_worker
    }

    fn count_rows(
        &self,
        games: Range<u64>,
        trials: Range<u64>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Tally>, Stopped> {
        playouts_of_rows(&*self.game, &self.start, games, trials, stop)
    }

    fn merge(tally: &mut Tally, more: &Tally) {
        tally.merge(more);
    }
}
