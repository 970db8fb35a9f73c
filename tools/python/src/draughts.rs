//! Many games of draughts played ply by ply, arrays in and out.

use std::fmt::Display;
use std::num::NonZeroU32;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};
use rand_xoshiro::Xoshiro128PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tavli::Tier;
use tavli::draughts::{Draughts, Position, Side, Square};
use tavli::games::streams::{StreamKey, generator};
use tavli::games::{Game, PlayableGame, ReadTurn, START};
use tavli::text::bare;

use crate::arguments::{self, RulesArgument, Seed, whole};
use crate::dice_and_picks::read_picks;
use crate::ending;
use crate::errors::{PlayError, PositionError, RecordError, bad_setting, raise};
use crate::exclusive::SharedGames;
use crate::interrupt;
use crate::memory::check_room;
use crate::pickled::{Pickled, Reduced, class_of_members};
use crate::position;
use crate::rows;

/// Many games of draughts side by side, a ply of each at a time; the plays are up to the caller.
///
/// A game that ends is counted, and the next number begins in its place. There is no luck in draughts: the seed is for
/// the random numbers that come with the plays. If they pick the plays, the games are those that `tavli playout --game
/// draughts` plays with the same numbers.
///
/// A copy (by `clone` or the module `copy`) and an unpickled one go on independently with the same numbers. While one
/// thread plays the games, they raise a TavliError in another.
///
/// Args:
///     n: How many games are played side by side.
///     position: Where they start: a FEN, or a `tavli.Position` of draughts; None is the start of a game.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     rules: "english" (captures are compulsory, 80 plies without progress are a draw), "optional" (as "english", but
///         a side may step instead of capturing) or "report" (captures are optional and may stop after any jump, 20
///         plies of kings without a capture are a draw).
///     truncate: Cut each game off after this many plies; None plays to the end.
///     first_game: Number of the first game, 0 to 2**64 - 2.
///
/// Raises:
///     PositionError: It is not a position of draughts, or the game is over in it.
///     SettingsError: A setting is out of range.
///
/// Examples:
///     >>> import numpy as np
///     >>> games = tavli.DraughtsGames(1000, seed=1)
///     >>> random = np.random.default_rng(1)
///     >>> while games.finished < 1000:
///     ...     plays = games.plays()
///     ...     ended = games.make(random.integers(np.diff(plays.offsets)))
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct DraughtsGames {
    games: SharedGames<SideBySide>,
}

class_of_members! {
    /// All plays of games side by side.
    ///
    /// The plays of game i are rows `offsets[i]` to `offsets[i + 1]` of `squares`, in the order in which playouts count
    /// them.
    pub(crate) struct DraughtsPlays {
        /// Where the plays of each game begin, and where the last game's end: an int64 array of shape (n + 1,).
        offsets: Py<PyArray1<i64>>,
        /// The position after each play, seen by the next player: an int8 array of shape (m, 32), as
        /// `DraughtsGames.squares`.
        squares: Py<PyArray2<i8>>,
        /// A random number of each game, 0 to 2**32 - 1, of its own stream: a uint32 array of shape (n,). The playout
        /// of that number makes the play `fractions * np.diff(offsets) >> 32`, computed in 64 bits.
        fractions: Py<PyArray1<u32>>,
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.offsets.bind(py).dims()[0] - 1
    }
}

class_of_members! {
    /// The games of draughts that a ply ended.
    pub(crate) struct FinishedDraughts {
        /// Their places among the games: an int64 array of shape (k,).
        places: Py<PyArray1<i64>>,
        /// Their numbers: a uint64 array of shape (k,).
        numbers: Py<PyArray1<u64>>,
        /// How they ended for the player who moved first: an int8 array of shape (k,), 0 won, 1 drawn, 2 lost, or -1
        /// for a game cut off.
        outcomes: Py<PyArray1<i8>>,
        /// The points of the player who made the last play, 1 or 0: an int8 array of shape (k,).
        rewards: Py<PyArray1<i8>>,
        /// Their plies: a uint32 array of shape (k,).
        plies: Py<PyArray1<u32>>,
        /// Their last positions, seen by the player who would be next: an int8 array of shape (k, 32).
        squares: Py<PyArray2<i8>>,
        /// The plies of the last positions that count towards a draw: a uint8 array of shape (k,).
        quiet: Py<PyArray1<u8>>,
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.places.bind(py).dims()[0]
    }
}

/// Bytes of a game, mostly of its plays.
const BYTES_PER_GAME: u64 = 1024;

/// A game that goes on.
#[derive(Clone, Debug)]
struct Ongoing {
    position: Position,
    number: u64,
    plies: u32,
    /// The rest of the game's stream, one word a ply.
    words: Xoshiro128PlusPlus,
    /// The word of this ply.
    fraction: u32,
}

/// Games side by side, with the plays of all of them.
#[derive(Debug)]
struct SideBySide {
    game: Draughts,
    seed: u64,
    start: Position,
    truncation: Option<NonZeroU32>,
    ongoing: Vec<Ongoing>,
    next: u64,
    /// Games won, drawn and lost by the player who moved first.
    outcomes: [u64; 3],
    finished: u64,
    plies: u64,
    /// Where the plays of each game begin, and where the last game's end; nothing until they are listed.
    offsets: Vec<i64>,
    results: Vec<Position>,
}

/// A game that has ended in a place, with the points of the player who would be next; None if it was cut off.
struct Finished {
    place: usize,
    game: Ongoing,
    points: Option<i32>,
}

impl Finished {
    /// The index of the outcome for the player who moved first.
    fn outcome(&self) -> Option<usize> {
        // The player who moved first is the next after an even ply.
        let of_first = |points: i32| {
            if self.game.plies.is_multiple_of(2) { points } else { -points }
        };
        Some((1 - of_first(self.points?)) as usize)
    }
}

impl Ongoing {
    fn new(key: &StreamKey, position: Position, number: u64, plies: u32) -> Ongoing {
        let mut words = generator(key.state(number));
        for _ in 0..plies {
            words.next_u32();
        }
        let fraction = words.next_u32();
        Ongoing { position, number, plies, words, fraction }
    }
}

impl SideBySide {
    /// Lists the plays of all games if they are not yet listed; Ctrl-C ends it.
    fn list(&mut self) -> PyResult<()> {
        if self.offsets.len() == self.ongoing.len() + 1 {
            return Ok(());
        }
        self.offsets.clear();
        self.offsets.push(0);
        self.results.clear();
        interrupt::for_each(&self.ongoing, |_, one| {
            self.results.extend(self.game.results(&one.position, 0));
            self.offsets.push(self.results.len() as i64);
            Ok(())
        })
    }

    /// Makes the play of each game that its index picks. Nothing is played if one of the games lacks its index.
    fn make(&mut self, picks: &[u32]) -> PyResult<Vec<Finished>> {
        self.list()?;
        let plays = |place: usize| (self.offsets[place + 1] - self.offsets[place]) as usize;
        for (place, &pick) in picks.iter().enumerate() {
            if pick as usize >= plays(place) {
                return Err(PlayError::new_err(format!(
                    "game {place} has {} plays, numbered from 0, not {pick}",
                    plays(place)
                )));
            }
        }
        let key = StreamKey::new(self.seed);
        let (mut ended, mut gone) = (Vec::new(), Vec::new());
        for (place, (one, &pick)) in self.ongoing.iter_mut().zip(picks).enumerate() {
            one.position = self.results[self.offsets[place] as usize + pick as usize];
            one.plies += 1;
            one.fraction = one.words.next_u32();
            let points = self.game.points(&one.position);
            let is_cut_off = self.truncation.is_some_and(|plies| one.plies >= plies.get());
            if points.is_none() && !is_cut_off {
                continue;
            }
            let game = one.clone();
            let end = Finished { place, game, points };
            if let Some(outcome) = end.outcome() {
                self.outcomes[outcome] += 1;
            }
            self.finished += 1;
            self.plies += u64::from(one.plies);
            ended.push(end);
            // The last game has been begun: the others go on in fewer places.
            if self.next == u64::MAX {
                gone.push(place);
                continue;
            }
            *one = Ongoing::new(&key, self.start, self.next, 0);
            self.next += 1;
        }
        for place in gone.into_iter().rev() {
            self.ongoing.remove(place);
        }
        self.offsets.clear();
        Ok(ended)
    }
}

/// The pieces of a position as the player to move sees them: 1 for a man of his own and 2 for a king, -1 and -2 for the
/// opponent's, by the numbers of PDN as Black counts them; White counts from the other side of the board.
fn squares(position: &Position) -> [i8; 32] {
    let seen = match position.side() {
        Side::Black => *position,
        Side::White => position.turned(),
    };
    let mut pieces = [0; 32];
    for (set, piece) in [(seen.pieces(Side::Black), 1), (seen.pieces(Side::White), -1)] {
        for square in Square::all(set) {
            let is_king = seen.kings() & square.set() != 0;
            pieces[square.number() as usize - 1] = if is_king { 2 * piece } else { piece };
        }
    }
    pieces
}

/// A position in which a game may start.
fn start(game: &Draughts, text: &str) -> PyResult<ReadTurn<Position>> {
    if bare(text) == START {
        return Ok(game.start().into());
    }
    let read = game.read_turn(text).map_err(raise(PositionError::new_err))?;
    match game.points(&read.position) {
        None => Ok(read),
        Some(_) => Err(PositionError::new_err(format!(
            "the game is already over in the position {}; name one in which it goes on",
            read.position
        ))),
    }
}

/// The text of the position of an argument, with the plies that count towards a draw.
fn state_of(position: &Bound<'_, PyAny>) -> PyResult<String> {
    match position::held(position) {
        Some(held) => Ok(position::position_of_game(&held, Draughts::NAME)?.state()),
        None => Ok(position::text_of(position, Draughts::NAME)?.to_owned()),
    }
}

impl DraughtsGames {
    fn from_games(games: SideBySide) -> DraughtsGames {
        DraughtsGames { games: SharedGames::new(games) }
    }
}

/// Games as a pickle holds them: seed, rules, start, and the plies after which they are cut off; the position, number
/// and plies of each game; the number that begins next; the games won, drawn and lost, all that have ended, and their
/// plies.
type State = ((u64, String, String, Option<u32>), Py<PyList>, u64, ([u64; 3], u64, u64));

#[pymethods]
impl DraughtsGames {
    #[new]
    #[pyo3(signature = (n, position=None, *, seed=Seed::DEFAULT, rules=RulesArgument("english"), truncate=None, first_game=None))]
    #[pyo3(text_signature = "(n, position=None, *, seed=1, rules='english', truncate=None, first_game=0)")]
    fn new(
        n: &Bound<'_, PyAny>,
        position: Option<&Bound<'_, PyAny>>,
        seed: Seed,
        rules: RulesArgument<'_>,
        truncate: Option<&Bound<'_, PyAny>>,
        first_game: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<DraughtsGames> {
        let n = whole(n, "games side by side are", 1, 1 << 32)?;
        check_room(n, BYTES_PER_GAME)?;
        let Seed(seed) = seed;
        // The games are played one by one, on no tier.
        let game = Draughts::by_rules(rules.0, Tier::Portable, seed).map_err(bad_setting)?;
        let start = match position {
            Some(position) => {
                let text = state_of(position)?;
                let read = start(&game, &text)?;
                if let Some(remark) = read.remark {
                    position::warn_of(position.py(), &text, remark)?;
                }
                read.position
            }
            None => game.start(),
        };
        let numbers = arguments::numbers(first_game, n)?;
        let key = StreamKey::new(seed);
        let games = SideBySide {
            game,
            seed,
            start,
            truncation: arguments::truncation(truncate)?,
            ongoing: interrupt::collect(numbers.clone(), |_, number| Ok(Ongoing::new(&key, start, number, 0)))?,
            next: numbers.end,
            outcomes: [0; 3],
            finished: 0,
            plies: 0,
            offsets: Vec::new(),
            results: Vec::new(),
        };
        Ok(DraughtsGames::from_games(games))
    }

    /// Games that go on by themselves from here, with the same random numbers.
    ///
    /// Returns:
    ///     DraughtsGames: A copy.
    fn clone(&self) -> PyResult<DraughtsGames> {
        let games = self.games.lock()?;
        Ok(DraughtsGames::from_games(SideBySide {
            ongoing: interrupt::collect(&games.ongoing, |_, one| Ok(one.clone()))?,
            offsets: interrupt::collect(&games.offsets, |_, &offset| Ok(offset))?,
            results: interrupt::collect(&games.results, |_, &result| Ok(result))?,
            ..*games
        }))
    }

    fn __copy__(&self) -> PyResult<DraughtsGames> {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<DraughtsGames> {
        self.clone()
    }

    /// The games that were pickled.
    #[classmethod]
    fn _of(class: &Bound<'_, PyType>, state: Pickled<State>) -> PyResult<DraughtsGames> {
        let damaged =
            |error: &dyn Display| RecordError::new_err(format!("the pickle of these games is damaged: {error}"));
        let Pickled(((seed, rules, start, truncation), ongoing, next, (outcomes, finished, plies))) = state;
        let game = Draughts::by_rules(&rules, Tier::Portable, seed).map_err(|error| damaged(&error))?;
        let read = |text: &str| match self::start(&game, text) {
            Ok(read) => Ok(read.position),
            Err(error) => Err(damaged(&error)),
        };
        let key = StreamKey::new(seed);
        let ongoing = interrupt::collect(ongoing.bind(class.py()), |_, one| {
            let (text, number, plies): (String, u64, u32) = one.extract()?;
            Ok(Ongoing::new(&key, read(&text)?, number, plies))
        })?;
        let games = SideBySide {
            game,
            seed,
            start: read(&start)?,
            truncation: truncation.and_then(NonZeroU32::new),
            ongoing,
            next,
            outcomes,
            finished,
            plies,
            offsets: Vec::new(),
            results: Vec::new(),
        };
        Ok(DraughtsGames::from_games(games))
    }

    fn __reduce__<'py>(slf: &Bound<'py, DraughtsGames>) -> Reduced<'py, State> {
        let games = slf.get().games.lock()?;
        let ongoing = PyList::empty(slf.py());
        interrupt::for_each(&games.ongoing, |_, one| {
            ongoing.append((one.position.to_string(), one.number, one.plies))
        })?;
        let state = (
            (
                games.seed,
                games.game.rules().to_string(),
                games.start.to_string(),
                games.truncation.map(NonZeroU32::get),
            ),
            ongoing.unbind(),
            games.next,
            (games.outcomes, games.finished, games.plies),
        );
        Ok((slf.get_type().getattr("_of")?, (Pickled(state),)))
    }

    /// List all plays of every game.
    ///
    /// Returns:
    ///     DraughtsPlays: The plays.
    fn plays(&self, py: Python<'_>) -> PyResult<DraughtsPlays> {
        let games = &mut *self.games.lock()?;
        ending::detach(py, || games.list())??;
        Ok(DraughtsPlays {
            offsets: games.offsets.clone().into_pyarray(py).unbind(),
            squares: rows::array(py, games.results.iter().map(squares))?.unbind(),
            fractions: rows::column(py, games.ongoing.iter().map(|one| one.fraction))?,
        })
    }

    /// Make a play in every game.
    ///
    /// Args:
    ///     picks: Which play in each game, an array of shape (n,) of whole numbers from 0 on.
    ///
    /// Returns:
    ///     FinishedDraughts: The games that ended with these plays. The next games have begun in their places.
    ///
    /// Raises:
    ///     PlayError: A game has no such play; nothing is then played.
    fn make(&self, py: Python<'_>, picks: &Bound<'_, PyAny>) -> PyResult<FinishedDraughts> {
        // Before the games are locked: converting the picks may run Python code that looks at the games.
        let picks = read_picks(picks, self.__len__()?)?;
        let games = &mut *self.games.lock()?;
        let ended = ending::detach(py, || games.make(&picks))??;
        let of_each = || ended.iter();
        Ok(FinishedDraughts {
            places: rows::column(py, of_each().map(|end| end.place as i64))?,
            numbers: rows::column(py, of_each().map(|end| end.game.number))?,
            outcomes: rows::column(py, of_each().map(|end| end.outcome().map_or(-1, |outcome| outcome as i8)))?,
            rewards: rows::column(py, of_each().map(|end| end.points.map_or(0, |points| -points as i8)))?,
            plies: rows::column(py, of_each().map(|end| end.game.plies))?,
            squares: rows::array(py, of_each().map(|end| squares(&end.game.position)))?.unbind(),
            quiet: rows::column(py, of_each().map(|end| end.game.position.quiet()))?,
        })
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.games.lock()?.ongoing.len())
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyResult<String> {
        Ok(self.games.lock()?.game.rules().to_string())
    }

    /// The seed of the random numbers.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.games.lock()?.seed)
    }

    /// The pieces on the squares, seen by the player to move: a new int8 array of shape (n, 32).
    ///
    /// 1 is a man of his own and 2 a king, -1 and -2 are the opponent's. Index i is square i + 1 of PDN for Black, and
    /// square 32 - i for White, who sees the board from the other side: men move to higher indices.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let games = self.games.lock()?;
        rows::array(py, games.ongoing.iter().map(|one| squares(&one.position)))
    }

    /// The plies in a row that count towards a draw: a new uint8 array of shape (n,).
    #[getter]
    fn quiet(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u8>>> {
        rows::column(py, self.games.lock()?.ongoing.iter().map(|one| one.position.quiet()))
    }

    /// The positions as FEN, followed by the plies that count towards a draw.
    #[getter]
    fn positions(&self) -> PyResult<Vec<String>> {
        interrupt::collect(&self.games.lock()?.ongoing, |_, one| Ok(one.position.to_string()))
    }

    /// The numbers of the games: a new uint64 array of shape (n,).
    #[getter]
    fn numbers(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u64>>> {
        rows::column(py, self.games.lock()?.ongoing.iter().map(|one| one.number))
    }

    /// The plies that each game has had so far: a new uint32 array of shape (n,).
    #[getter]
    fn plies(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u32>>> {
        rows::column(py, self.games.lock()?.ongoing.iter().map(|one| one.plies))
    }

    /// How many games have ended, truncated ones included.
    #[getter]
    fn finished(&self) -> PyResult<u64> {
        Ok(self.games.lock()?.finished)
    }

    /// The games that have ended by outcome for the player who moved first: "win", "draw" and "lose"; games cut off
    /// count in none.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let games = self.games.lock()?;
        let by_name = PyDict::new(py);
        for (outcome, count) in Draughts::OUTCOMES.iter().zip(games.outcomes) {
            by_name.set_item(outcome.name, count)?;
        }
        Ok(by_name)
    }

    /// The plies of the games that have ended.
    #[getter]
    fn finished_plies(&self) -> PyResult<u64> {
        Ok(self.games.lock()?.plies)
    }

    fn __repr__(&self) -> PyResult<String> {
        let games = self.games.lock()?;
        Ok(format!(
            "<tavli.DraughtsGames {} of {}, {} finished>",
            games.ongoing.len(),
            games.game.rules(),
            games.finished
        ))
    }
}
