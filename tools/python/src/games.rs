//! Many games played ply by ply, arrays in and out.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tavli::games::{Decisions, FinishedGame, Games as KernelGames};
use tavli::{Board, Planes, Playouts, RuleSet};

use crate::arguments::{self, whole};
use crate::boards;
use crate::decisions::{dice, read_picks};
use crate::errors::{PlayError, PositionError, bad_setting, raise};
use crate::position::AnyPosition;
use crate::rows;
use crate::tally::by_name;

/// The outcome of a game that was cut off, where outcomes are numbers.
const UNFINISHED: i8 = -1;

/// Many games of backgammon side by side, a ply of each at a time; the plays are up to the caller.
///
/// Game number g of a seed has the dice of `tavli.playout` of that number, whoever picks the plays. A game that ends is
/// counted, and the next number begins in its place.
///
/// Args:
///     n: How many games are played side by side.
///     points: Where they start: one position for all, or an array of shape (n, 26) or a sequence with a position for
///         each place; None is the start of the rules.
///     seed: Seed of the random streams, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     first_roll: "any" of 36 throws, "open" (no double), "stratified", or a roll such as "31".
///     plies: Cut each game off after this many plies; None plays to the end.
///     first_game: Number of the first game, 0 to 2**64 - 2.
///
/// Raises:
///     PositionError: No game starts from a position.
///     SettingsError: A setting is out of range.
///
/// Examples:
///     >>> import numpy as np
///     >>> games = tavli.Games(1000, seed=1)
///     >>> random = np.random.default_rng(1)
///     >>> while games.finished < 1000:
///     ...     plays = games.roll()
///     ...     ended = games.make(random.integers(np.diff(plays.offsets)))
#[pyclass(module = "tavli")]
pub(crate) struct Games {
    games: Box<KernelGames>,
}

/// The dice and all plays of games side by side.
///
/// The plays of game i are rows `offsets[i]` to `offsets[i + 1]` of `points`, in the order in which playouts count
/// them. A forced pass is one play.
#[pyclass(frozen, get_all, module = "tavli")]
pub(crate) struct Plays {
    /// The dice of each game, the larger first: a uint8 array of shape (n, 2).
    rolls: Py<PyArray2<u8>>,
    /// Where the plays of each game begin, and where those of the last end: an int64 array of shape (n + 1,).
    offsets: Py<PyArray1<i64>>,
    /// The position after each play, seen by the next player: an int8 array of shape (m, 26).
    points: Py<PyArray2<i8>>,
    /// A random number of each game, 0 to 2**32 - 1, of its own stream: a uint32 array of shape (n,). The playout of
    /// that number makes the play `fractions * np.diff(offsets) >> 32`, computed in 64 bits.
    fractions: Py<PyArray1<u32>>,
}

/// The games that a ply ended.
#[pyclass(frozen, get_all, module = "tavli")]
pub(crate) struct FinishedGames {
    /// Their places among the games: an int64 array of shape (k,).
    places: Py<PyArray1<i64>>,
    /// Their numbers: a uint64 array of shape (k,).
    numbers: Py<PyArray1<u64>>,
    /// How they ended for the player who was on roll first: an int8 array of shape (k,) of indices of
    /// `tavli.OUTCOMES`, or -1 for a game cut off.
    outcomes: Py<PyArray1<i8>>,
    /// What they are worth to the player who made the last play, 1 to 3, or 0 for a game cut off: an int8 array of
    /// shape (k,).
    worth: Py<PyArray1<i8>>,
    /// Their plies: a uint32 array of shape (k,).
    plies: Py<PyArray1<u32>>,
    /// Their last positions, seen by the player who would be next: an int8 array of shape (k, 26).
    points: Py<PyArray2<i8>>,
}

#[pymethods]
impl Plays {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.rolls.bind(py).dims()[0]
    }
}

#[pymethods]
impl FinishedGames {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.places.bind(py).dims()[0]
    }
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (n, points=None, *, seed=None, rules="backgammon", first_roll="any", plies=None, first_game=None))]
    #[pyo3(
        text_signature = "(n, points=None, *, seed=1, rules='backgammon', first_roll='any', plies=None, first_game=0)"
    )]
    fn new(
        n: &Bound<'_, PyAny>,
        points: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        rules: &str,
        first_roll: &str,
        plies: Option<&Bound<'_, PyAny>>,
        first_game: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Games> {
        let n = whole(n, "games side by side are", 1, 1 << 32)? as usize;
        let settings = arguments::settings(seed, rules, first_roll, plies)?;
        let rules = settings.rules;
        let first_game = arguments::first_game(first_game)?;
        let playouts = settings.playouts(rules.start());
        let playouts = playouts.map_err(raise(PositionError::new_err))?;
        let starts = match points {
            Some(points) => starts(points, n, rules)?,
            None => vec![rules.start(); n],
        };
        let games = KernelGames::from_starts(&playouts, &starts, first_game..u64::MAX);
        let games = games.map_err(raise(PositionError::new_err))?;
        Ok(Games {
            games: Box::new(games),
        })
    }

    /// Throw the dice of every game, unless they lie there already, and list all plays.
    ///
    /// Returns:
    ///     Plays: The dice and the plays.
    fn roll(&mut self, py: Python<'_>) -> PyResult<Plays> {
        let games = &mut self.games;
        let (rolls, offsets, points, fractions) = py.detach(|| {
            let decisions: &Decisions = games.roll();
            let rolls: Vec<[u8; 2]> = decisions.rolls().iter().map(dice).collect();
            let offsets: Vec<i64> = decisions.offsets().iter().map(|&at| at as i64).collect();
            let points: Vec<[i8; 26]> = Planes::rows(decisions.results()).collect();
            (rolls, offsets, points, decisions.fractions().to_vec())
        });
        Ok(Plays {
            rolls: rows::into_array(py, rolls)?.unbind(),
            offsets: offsets.into_pyarray(py).unbind(),
            points: rows::into_array(py, points)?.unbind(),
            fractions: fractions.into_pyarray(py).unbind(),
        })
    }

    /// Make a play in every game.
    ///
    /// Args:
    ///     picks: Which play in each game, an array of shape (n,) of whole numbers from 0 on.
    ///
    /// Returns:
    ///     FinishedGames: The games that ended with these plays. The next games have begun in their places.
    ///
    /// Raises:
    ///     PlayError: A game has no such play, or `roll` was not called since the last plays; nothing is then played.
    fn make(&mut self, py: Python<'_>, picks: &Bound<'_, PyAny>) -> PyResult<FinishedGames> {
        if self.games.plays().len() != self.games.len() {
            return Err(PlayError::new_err(
                "the dice are not rolled: call roll() before each make()",
            ));
        }
        let picks = read_picks(picks, self.games.len())?;
        let games = &mut self.games;
        let ended = py.detach(|| games.make(&picks).map(<[FinishedGame]>::to_vec));
        let ended = ended.map_err(|error| {
            PlayError::new_err(format!(
                "game {} has {} plays, numbered from 0, not {}",
                error.decision, error.plays, error.pick
            ))
        })?;
        let column = ended.iter().map(|end| &end.record);
        let outcomes = column
            .clone()
            .map(|record| record.outcome.map_or(UNFINISHED, |outcome| outcome as i8));
        let worth = column.clone().map(|record| {
            let points = record.outcome.map_or(0, |outcome| outcome.points());
            // The first player makes the odd plies.
            let by_first = record.plies % 2 == 1;
            (if by_first { points } else { -points }) as i8
        });
        let points: Vec<[i8; 26]> = column.clone().map(|record| record.board.points()).collect();
        Ok(FinishedGames {
            places: ended
                .iter()
                .map(|end| end.place as i64)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind(),
            numbers: column
                .clone()
                .map(|record| record.game)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind(),
            outcomes: outcomes.collect::<Vec<_>>().into_pyarray(py).unbind(),
            worth: worth.collect::<Vec<_>>().into_pyarray(py).unbind(),
            plies: column
                .map(|record| record.plies)
                .collect::<Vec<_>>()
                .into_pyarray(py)
                .unbind(),
            points: rows::into_array(py, points)?.unbind(),
        })
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> &'static str {
        self.games.rules().name()
    }

    /// The positions, each seen by its player on roll: a new int8 array of shape (n, 26).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let points = self.games.positions().map(|position| position.points());
        rows::into_array(py, points.collect())
    }

    /// The numbers of the games: a new uint64 array of shape (n,).
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.games.numbers().collect::<Vec<_>>().into_pyarray(py)
    }

    /// The plies that each game has had so far: a new uint32 array of shape (n,).
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.games.plies().collect::<Vec<_>>().into_pyarray(py)
    }

    /// How many games have ended, those that were cut off included.
    #[getter]
    fn finished(&self) -> u64 {
        self.games.tally().games
    }

    /// The games that have ended by outcome, with the names of `tavli.OUTCOMES`; those cut off are in none.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, &self.games.tally().outcomes)
    }

    /// The plies of the games that have ended.
    #[getter]
    fn finished_plies(&self) -> u128 {
        self.games.tally().plies
    }

    fn __repr__(&self) -> String {
        format!(
            "<tavli.Games {} of {}, {} finished>",
            self.games.len(),
            self.games.rules(),
            self.games.tally().games
        )
    }
}

/// A start for each of `n` places.
fn starts(points: &Bound<'_, PyAny>, n: usize, rules: RuleSet) -> PyResult<Vec<Board>> {
    let boards = match points.extract::<AnyPosition>() {
        Ok(position) => vec![*position.0.board(); n],
        Err(_) => boards::read(points)?,
    };
    if boards.len() != n {
        return Err(bad_setting(format_args!(
            "{n} games need {n} starts, not {}",
            boards.len()
        )));
    }
    for (row, board) in boards.iter().enumerate() {
        Playouts::new(*board, rules, 0).map_err(|error| boards::of_row(row, error))?;
    }
    Ok(boards)
}
