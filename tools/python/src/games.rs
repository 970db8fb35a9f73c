//! Many games played ply by ply, arrays in and out.

use std::iter;
use std::num::NonZeroU32;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};
use tavli::plays::View;
use tavli::rollout::PlayoutSettings;
use tavli::stepping::{EndedGame, Games as KernelGames, OngoingGame, RollBatch};
use tavli::{Board, Planes, Roll, RuleSet, Stopped};

use crate::arguments::{self, Seed, Word, whole};
use crate::boards;
use crate::dice_and_picks::{dice, read_picks};
use crate::ending;
use crate::errors::{PlayError, PositionError, RecordError, bad_setting, raise};
use crate::exclusive::SharedGames;
use crate::interrupt::{self, Interrupt};
use crate::memory::check_room;
use crate::pickled::{Pickled, Reduced, class_of_members};
use crate::position::AnyPosition;
use crate::rows;
use crate::tally::{Counts, by_name, counts, outcome_number, tally_from_counts};

/// Many games of backgammon side by side, a ply of each at a time; the plays are up to the caller.
///
/// Game number g of a seed has the dice of `tavli.playout` of that number, whoever picks the plays. A game that ends is
/// counted, and the next number begins in its place.
///
/// A copy (by `clone` or the module `copy`) and an unpickled one go on independently with the same dice. While one
/// thread plays the games, they raise a TavliError in another.
///
/// Args:
///     n: How many games are played side by side.
///     points: Where they start: one position for all, or an array of shape (n, 26) or a sequence with a position for
///         each place; None is the start of the rules.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     first_roll: "any" of 36 throws, "open" (no double), "stratified", or a roll such as "31"; None is the dice of
///         the positions, or "any" if they have none.
///     truncate: Cut each game off after this many plies; None plays to the end.
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
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Games {
    games: SharedGames<KernelGames>,
    settings: PlayoutSettings,
}

/// Games as a pickle holds them: seed, rules, first roll, and the plies after which they are cut off; the start,
/// position, number and plies of each game, and the plays offered in them; the number that begins next, the counts of
/// those that have ended, and whether the dice of this ply are thrown.
type State = (
    (u64, String, String, Option<u32>),
    Py<PyArray2<i8>>,
    Py<PyArray2<i8>>,
    Py<PyArray1<u64>>,
    Py<PyArray1<u32>>,
    Py<PyArray1<u64>>,
    u64,
    Counts,
    bool,
);

class_of_members! {
    /// The dice and all plays of games side by side.
    ///
    /// The plays of game i are rows `offsets[i]` to `offsets[i + 1]` of `points`, in the order in which playouts count
    /// them. A forced pass is one play.
    pub(crate) struct Plays {
        /// The dice of each game, the larger first: a uint8 array of shape (n, 2).
        rolls: Py<PyArray2<u8>>,
        /// Where the plays of each game begin, and where the last game's end: an int64 array of shape (n + 1,).
        offsets: Py<PyArray1<i64>>,
        /// The position after each play, seen by the next player: an int8 array of shape (m, 26).
        points: Py<PyArray2<i8>>,
        /// A random number of each game, 0 to 2**32 - 1, of its own stream: a uint32 array of shape (n,). The playout
        /// of that number makes the play `fractions * np.diff(offsets) >> 32`, computed in 64 bits.
        fractions: Py<PyArray1<u32>>,
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.rolls.bind(py).dims()[0]
    }
}

class_of_members! {
    /// The games that a ply ended.
    pub(crate) struct FinishedGames {
        /// Their places among the games: an int64 array of shape (k,).
        places: Py<PyArray1<i64>>,
        /// Their numbers: a uint64 array of shape (k,).
        numbers: Py<PyArray1<u64>>,
        /// How they ended for the player who was on roll first: an int8 array of shape (k,) of indices of
        /// `tavli.OUTCOMES`, or -1 for a game cut off.
        outcomes: Py<PyArray1<i8>>,
        /// The points of the player who made the last play, 1 to 3, or 0 for a game cut off: an int8 array of shape
        /// (k,).
        rewards: Py<PyArray1<i8>>,
        /// Their plies: a uint32 array of shape (k,).
        plies: Py<PyArray1<u32>>,
        /// Their last positions, seen by the player who would be next: an int8 array of shape (k, 26).
        points: Py<PyArray2<i8>>,
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.places.bind(py).dims()[0]
    }
}

/// Bytes of a game, mostly of its plays.
const BYTES_PER_GAME: u64 = 2048;

impl Games {
    fn from_kernel(games: KernelGames, settings: PlayoutSettings) -> Games {
        Games { games: SharedGames::new(games), settings }
    }
}

/// Throws the dice and lists all plays; Ctrl-C ends it.
fn roll(games: &mut KernelGames) -> PyResult<&RollBatch> {
    let interrupt = Interrupt::new();
    match games.roll_unless(View::RESULTS, &|| interrupt.is_raised()) {
        Ok(decisions) => Ok(decisions),
        Err(Stopped) => Err(interrupt.into_raised()),
    }
}

/// Whether the dice of this ply are thrown, and its plays listed.
fn are_rolled(games: &KernelGames) -> bool {
    games.plays().len() == games.len()
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (n, points=None, *, seed=Seed::DEFAULT, rules=Word(RuleSet::Backgammon), first_roll=None, truncate=None, first_game=None))]
    #[pyo3(
        text_signature = "(n, points=None, *, seed=1, rules='backgammon', first_roll=None, truncate=None, first_game=0)"
    )]
    fn new(
        n: &Bound<'_, PyAny>,
        points: Option<&Bound<'_, PyAny>>,
        seed: Seed,
        rules: Word<RuleSet>,
        first_roll: Option<&Bound<'_, PyAny>>,
        truncate: Option<&Bound<'_, PyAny>>,
        first_game: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Games> {
        let n = whole(n, "games side by side are", 1, 1 << 32)?;
        check_room(n, BYTES_PER_GAME)?;
        let kind = rules.0;
        let (starts, dice) = match points {
            Some(points) => starts(points, n as usize)?,
            None => (Starts::One(kind.start()), None),
        };
        let settings = arguments::settings(seed, kind, first_roll, dice, truncate)?;
        let numbers = arguments::numbers(first_game, n)?;
        let playouts = settings.playouts(kind.start());
        let playouts = playouts.map_err(raise(PositionError::new_err))?;
        let mut games = KernelGames::new(&playouts, numbers.start..u64::MAX, 0);
        let push = |row, start| games.push_start(start).map_err(|error| boards::row_error(row, error));
        match &starts {
            Starts::One(start) => interrupt::for_each(iter::repeat_n(start, n as usize), push)?,
            Starts::Each(starts) => interrupt::for_each(starts, push)?,
        }
        Ok(Games::from_kernel(games, settings))
    }

    /// Games that go on by themselves from here, with the same dice.
    ///
    /// Returns:
    ///     Games: A copy.
    fn clone(&self) -> PyResult<Games> {
        let interrupt = Interrupt::new();
        match self.games.lock()?.clone_unless(&|| interrupt.is_raised()) {
            Ok(games) => Ok(Games::from_kernel(games, self.settings)),
            Err(Stopped) => Err(interrupt.into_raised()),
        }
    }

    fn __copy__(&self) -> PyResult<Games> {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Games> {
        self.clone()
    }

    /// The games that were pickled.
    #[classmethod]
    fn _of(class: &Bound<'_, PyType>, state: Pickled<State>) -> PyResult<Games> {
        let py = class.py();
        let damaged = || RecordError::new_err("the pickle of these games is damaged");
        let Pickled((settings, starts, positions, numbers, plies, plays, next, counts, rolled)) = state;
        let (seed, rules, first_roll, truncation) = settings;
        let settings = PlayoutSettings {
            seed,
            rules: arguments::word(&rules)?,
            first_roll: arguments::word(&first_roll)?,
            truncation: truncation.map(|plies| plies.try_into().map_err(|_| damaged())).transpose()?,
        };
        let starts = boards::read(starts.bind(py))?;
        let positions = boards::read(positions.bind(py))?;
        let numbers: PyReadonlyArray1<'_, u64> = numbers.bind(py).extract()?;
        let plies: PyReadonlyArray1<'_, u32> = plies.bind(py).extract()?;
        let plays: PyReadonlyArray1<'_, u64> = plays.bind(py).extract()?;
        let (numbers, plies, plays) = (numbers.as_array(), plies.as_array(), plays.as_array());
        let lengths = [positions.len(), numbers.len(), plies.len(), plays.len()];
        if lengths.iter().any(|&length| length != starts.len()) {
            return Err(damaged());
        }
        let boards = starts.iter().zip(&positions);
        let counted = numbers.iter().zip(plies).zip(plays);
        let playouts = settings.playouts(settings.rules.start());
        let playouts = playouts.map_err(raise(PositionError::new_err))?;
        let waiting = next..u64::MAX;
        let games = KernelGames::resume(&playouts, &[], waiting, tally_from_counts(counts));
        let mut games = games.map_err(raise(RecordError::new_err))?;
        interrupt::for_each(boards.zip(counted), |_, ((&start, &position), ((&number, &plies), &plays))| {
            let ongoing = OngoingGame { start, position, number, plies, plays };
            games.push_ongoing(&ongoing).map_err(raise(RecordError::new_err))
        })?;
        if rolled {
            roll(&mut games)?;
        }
        Ok(Games::from_kernel(games, settings))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Games>) -> Reduced<'py, State> {
        let py = slf.py();
        let PlayoutSettings { rules, seed, first_roll, truncation } = slf.get().settings;
        let games = slf.get().games.lock()?;
        let of_each = || games.ongoing();
        let state = (
            (seed, rules.name().to_owned(), first_roll.to_string(), truncation.map(NonZeroU32::get)),
            rows::array(py, of_each().map(|game| game.start.points()))?.unbind(),
            rows::array(py, of_each().map(|game| game.position.points()))?.unbind(),
            rows::column(py, of_each().map(|game| game.number))?,
            rows::column(py, of_each().map(|game| game.plies))?,
            rows::column(py, of_each().map(|game| game.plays))?,
            games.waiting().start,
            counts(games.tally()),
            are_rolled(&games),
        );
        Ok((slf.get_type().getattr("_of")?, (Pickled(state),)))
    }

    /// Throw the dice of every game, if they are not yet thrown, and list all plays.
    ///
    /// Returns:
    ///     Plays: The dice and the plays.
    fn roll(&self, py: Python<'_>) -> PyResult<Plays> {
        let games = &mut *self.games.lock()?;
        let (rolls, offsets, points, fractions) = ending::detach(py, || {
            let decisions = roll(games)?;
            let rolls = interrupt::gather(decisions.rolls().iter().map(dice))?;
            let offsets = interrupt::gather(decisions.offsets().iter().map(|&at| at as i64))?;
            let points = interrupt::gather(Planes::rows(decisions.results()))?;
            let fractions = interrupt::gather(decisions.fractions().iter().copied())?;
            PyResult::Ok((rolls, offsets, points, fractions))
        })??;
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
    fn make(&self, py: Python<'_>, picks: &Bound<'_, PyAny>) -> PyResult<FinishedGames> {
        // Before the games are locked: converting the picks may run Python code that looks at the games.
        let picks = read_picks(picks, self.__len__()?)?;
        let games = &mut *self.games.lock()?;
        if !are_rolled(games) {
            return Err(PlayError::new_err("the dice are not rolled: call roll() before each make()"));
        }
        let ended = ending::detach(py, || games.make(&picks).map(<[EndedGame]>::to_vec))?;
        let ended = ended.map_err(|error| {
            PlayError::new_err(format!(
                "game {} has {} plays, numbered from 0, not {}",
                error.decision, error.plays, error.pick
            ))
        })?;
        let ends = ended.iter().map(|finished| &finished.end);
        let outcomes = ends.clone().map(|end| outcome_number(end.outcome));
        let rewards = ends.clone().map(|end| {
            let points = end.outcome.map_or(0, |outcome| outcome.points());
            // The first player makes the odd plies.
            let by_first = end.plies % 2 == 1;
            (if by_first { points } else { -points }) as i8
        });
        let points = ends.clone().map(|end| end.board.points());
        Ok(FinishedGames {
            places: rows::column(py, ended.iter().map(|end| end.place as i64))?,
            numbers: rows::column(py, ends.clone().map(|end| end.game))?,
            outcomes: rows::column(py, outcomes)?,
            rewards: rows::column(py, rewards)?,
            plies: rows::column(py, ends.map(|end| end.plies))?,
            points: rows::array(py, points)?.unbind(),
        })
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.games.lock()?.len())
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> &'static str {
        self.settings.rules.name()
    }

    /// The seed of the random streams.
    #[getter]
    fn seed(&self) -> u64 {
        self.settings.seed
    }

    /// The positions, each seen by its player on roll: a new int8 array of shape (n, 26).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let games = self.games.lock()?;
        let points = games.positions().map(|position| position.points());
        rows::array(py, points)
    }

    /// The numbers of the games: a new uint64 array of shape (n,).
    #[getter]
    fn numbers(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u64>>> {
        rows::column(py, self.games.lock()?.numbers())
    }

    /// The plies that each game has had so far: a new uint32 array of shape (n,).
    #[getter]
    fn plies(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u32>>> {
        rows::column(py, self.games.lock()?.plies())
    }

    /// How many games have ended, those that were cut off included.
    #[getter]
    fn finished(&self) -> PyResult<u64> {
        Ok(self.games.lock()?.tally().games)
    }

    /// The games that have ended by outcome, with the names of `tavli.OUTCOMES`; those cut off are in none.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, &self.games.lock()?.tally().outcomes)
    }

    /// The plies of the games that have ended.
    #[getter]
    fn finished_plies(&self) -> PyResult<u128> {
        Ok(self.games.lock()?.tally().plies)
    }

    fn __repr__(&self) -> PyResult<String> {
        let games = self.games.lock()?;
        Ok(format!("<tavli.Games {} of {}, {} finished>", games.len(), self.settings.rules, games.tally().games))
    }
}

/// Where games start.
enum Starts {
    One(Board),
    /// A position for each place.
    Each(Vec<Board>),
}

/// Whether a value stands for one position, though perhaps for none that there is: a text, or a sequence of numbers.
fn is_one_position(points: &Bound<'_, PyAny>) -> bool {
    let is_number = |item: Bound<'_, PyAny>| item.len().is_err() && item.extract::<f64>().is_ok();
    points.is_instance_of::<PyString>() || points.get_item(0).is_ok_and(is_number)
}

/// Where `n` games start, and with which dice.
fn starts(points: &Bound<'_, PyAny>, n: usize) -> PyResult<(Starts, Option<Roll>)> {
    match points.extract::<AnyPosition>() {
        Ok(position) => return Ok((Starts::One(*position.0.board()), position.0.roll())),
        Err(error) if is_one_position(points) => return Err(error),
        Err(_) => {}
    }
    let (boards, dice) = boards::with_dice(points)?;
    if boards.len() != n {
        return Err(bad_setting(format_args!("{n} games need {n} starts, not {}", boards.len())));
    }
    Ok((Starts::Each(boards), dice))
}
