//! Playouts of many positions at a time, arrays in and out.

use std::fmt::Display;

use numpy::{
    IntoPyArray, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tavli::playout::ManyPlayouts;
use tavli::run::{Limit, ManyRun, Progress};
use tavli::{Board, Outcome, PointsError};

use crate::arguments::{AnyPosition, Machine, whole};
use crate::errors::{PositionError, bad_setting};
use crate::listener::{self, Listener};
use crate::playout;
use crate::tally::shares;

/// Play random games from each of many positions and count their outcomes.
///
/// Row i counts what `playout(position i, games, ...)` counts with the same settings, game by game. All positions
/// share the same dice: game number n has the same random stream for each. A batch plays them together: a thousand
/// positions of 36 games each take as long as one position of 36,000 games. Other Python threads run meanwhile. Ctrl-C,
/// or what `progress` raises, ends the games within a few tenths of a second and is raised here; the attribute `counts`
/// of the exception has the rows that are whole, from the first on.
///
/// Args:
///     points: An array of integers of shape (n, 26), int8 without a copy, one position a row, in the order of
///         `Position.points`; or a sequence of positions: Position, text in any format, or 26 numbers.
///     games: Games from each position.
///     first_game: Number of the first game, 0 to 2**64 - 2.
///     seed: Seed of the random streams, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     first_roll: "any" of 36 throws, "open" (no double), "stratified", or a roll such as "31".
///     plies: Cut each game off after so many plies; such games count in no column.
///     progress: Called with a Progress, in positions, about ten times a second and once at the end; what it raises ends
///         the games.
///     threads: Worker threads; None is one for each place that `pin` names, within the grant of control groups.
///     pin: What workers are bound to, as in `playout`.
///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
///
/// Returns:
///     An int64 array of shape (n, 6): for the player on roll of each row, the games with each outcome, in the order of
///     `tavli.OUTCOMES`. Where the game is over all games count as its outcome.
///
/// Raises:
///     PositionError: A row is not a position, or its game can never end; the message names the row.
///     SettingsError: A setting is out of range.
///     TypeError: The positions are not an array of integers of two dimensions, or a sequence of positions.
#[pyfunction]
#[pyo3(signature = (points, games=None, *, first_game=None, seed=None, rules="backgammon", first_roll="any", plies=None, progress=None, threads=None, pin="none", isa=None))]
#[pyo3(
    text_signature = "(points, games=36, *, first_game=0, seed=1, rules='backgammon', first_roll='any', plies=None, progress=None, threads=None, pin='none', isa=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    points: &Bound<'py, PyAny>,
    games: Option<&Bound<'py, PyAny>>,
    first_game: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    rules: &str,
    first_roll: &str,
    plies: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
    threads: Option<&Bound<'py, PyAny>>,
    pin: &str,
    isa: Option<&str>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let most = i64::MAX as u64;
    let games = games.map_or(Ok(36), |games| whole(games, "games are", 1, most))?;
    let first_game = playout::first_game(first_game)?;
    let machine = Machine::new(threads, pin, isa)?;
    let playouts = rows(points, seed, rules, first_roll, plies)?;
    let run = ManyRun::from_game(playouts, machine.tier, first_game, games).map_err(bad_setting)?;
    let (counts, heard) = play(py, run, games, &machine, Listener::new(progress))?;
    let rows = counts.len();
    // None is above the number of games.
    let counts: Vec<i64> = counts
        .as_flattened()
        .iter()
        .map(|&count| count as i64)
        .collect();
    let counts = counts.into_pyarray(py).reshape([rows, Outcome::COUNT])?;
    match heard {
        Ok(()) => Ok(counts),
        Err(error) => {
            // What takes no attribute is raised as it is.
            let _ = error.value(py).setattr("counts", counts);
            Err(error)
        }
    }
}

/// Play random games from each of many positions and estimate the probabilities of their outcomes.
///
/// All positions meet the same dice: trial number n of each is game number n of the seed. A row of the result is what
/// `Rollout(position, trials=trials, ...)` counts, divided by the trials, to the last bit.
///
/// Args:
///     positions: As the points of `playouts`.
///     trials: Games of each position.
///     seed: Seed of the random streams, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     first_roll: "any" of 36 throws, "stratified" (any 36 consecutive trials begin with each throw once), "open", or a roll.
///     plies: Cut each game off after so many plies; such games count in no column.
///     progress: Called with a Progress about ten times a second and once at the end; what it raises ends the games.
///     threads: Worker threads; None is one for each CPU, within the grant of control groups.
///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
///
/// Returns:
///     A float64 array of shape (n, 6): for the player on roll of each row, the probability of each outcome, 0 to 1, in
///     the order of `tavli.OUTCOMES`. Outcomes exclude one another: a gammon is not counted as a single win too. The
///     equity is `result @ [1, 2, 3, -1, -2, -3]`. Where the game is over its outcome has the probability 1.
///
/// Raises:
///     PositionError: A row is not a position, or its game can never end; the message names the row.
///     SettingsError: A setting is out of range.
///     TypeError: The positions are not an array of integers of two dimensions, or a sequence of positions.
#[pyfunction]
#[pyo3(signature = (positions, trials=None, *, seed=None, rules="backgammon", first_roll="any", plies=None, progress=None, threads=None, isa=None))]
#[pyo3(
    text_signature = "(positions, trials=1296, *, seed=1, rules='backgammon', first_roll='any', plies=None, progress=None, threads=None, isa=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn probabilities<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    trials: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    rules: &str,
    first_roll: &str,
    plies: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
    threads: Option<&Bound<'py, PyAny>>,
    isa: Option<&str>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let most = tavli::rollout::Rollout::MOST_TRIALS;
    let trials = trials.map_or(Ok(1296), |trials| whole(trials, "trials are", 1, most))?;
    let machine = Machine::new(threads, "none", isa)?;
    let playouts = rows(positions, seed, rules, first_roll, plies)?;
    let run = ManyRun::new(playouts, machine.tier, 0..trials).map_err(bad_setting)?;
    let (outcomes, heard) = play(py, run, trials, &machine, Listener::new(progress))?;
    heard?;
    let shares: Vec<f64> = outcomes
        .iter()
        .flat_map(|counts| shares(counts, trials))
        .collect();
    shares
        .into_pyarray(py)
        .reshape([outcomes.len(), Outcome::COUNT])
}

/// Plays a run without the interpreter's lock. Returns the outcomes of the rows that are whole, and what was raised
/// meanwhile.
fn play(
    py: Python<'_>,
    run: ManyRun,
    games: u64,
    machine: &Machine,
    mut listener: Listener,
) -> PyResult<(Vec<[u64; Outcome::COUNT]>, PyResult<()>)> {
    let run = run.cancelled_by(listener.cancel());
    let rows = run.playouts().rows().len() as u64;
    py.detach(|| {
        let workers = machine.start()?;
        let report = run.play(&workers, |progress| {
            listener.tell(in_positions(progress, games))
        });
        let last = Progress {
            games: report.tallies.len() as u64 * games,
            elapsed: report.elapsed,
            limit: Limit::Games(rows * games),
        };
        listener.tell(in_positions(&last, games));
        let outcomes = report.tallies.iter().map(|tally| tally.outcomes);
        Ok((outcomes.collect(), listener.finish()))
    })
}

/// How far a run of so many games of each position is, in positions.
fn in_positions(progress: &Progress, games: u64) -> listener::Progress {
    let progress = listener::Progress::from(progress);
    listener::Progress {
        done: progress.done / games,
        total: progress.total.map(|all| all / games),
        ..progress
    }
}

/// The playouts of each position.
fn rows(
    positions: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    rules: &str,
    first_roll: &str,
    plies: Option<&Bound<'_, PyAny>>,
) -> PyResult<ManyPlayouts> {
    let settings = playout::settings(seed, rules, first_roll, plies)?;
    let boards = boards(positions)?.into_iter().enumerate();
    let rows = boards.map(|(row, board)| settings.row(board).map_err(|error| of_row(row, error)));
    let rows = rows.collect::<PyResult<Vec<_>>>()?;
    ManyPlayouts::new(rows).map_err(bad_setting)
}

/// The positions of an array or a sequence.
pub(crate) fn boards(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Board>> {
    let py = positions.py();
    if let Ok(array) = positions.extract::<PyReadonlyArray2<'_, i8>>() {
        let array = array.as_array();
        check_columns(array.dim())?;
        let rows = array.rows().into_iter().enumerate();
        return rows
            .map(|(row, numbers)| board(row, |index| numbers[index].into()))
            .collect();
    }
    if let Ok(array) = positions.cast::<PyUntypedArray>()
        && array.dtype().kind() != b'O'
    {
        let as_whole = || {
            let options = pyo3::types::PyDict::new(py);
            options.set_item("casting", "safe")?;
            let array = array.call_method("astype", ("int64",), Some(&options))?;
            array.extract::<PyReadonlyArray2<'_, i64>>()
        };
        let array = as_whole().map_err(|_: PyErr| {
            let found = format!("{} dimensions of {}", array.ndim(), array.dtype());
            no_positions(&found)
        })?;
        let array = array.as_array();
        check_columns(array.dim())?;
        let rows = array.rows().into_iter().enumerate();
        return rows
            .map(|(row, numbers)| board(row, |index| numbers[index]))
            .collect();
    }
    let kind = || {
        positions
            .get_type()
            .name()
            .map_or_else(|error| error.to_string(), |name| name.to_string())
    };
    if positions.extract::<&str>().is_ok() {
        return Err(no_positions(&kind()));
    }
    let items = positions.try_iter().map_err(|_| no_positions(&kind()))?;
    let boards = items.enumerate().map(|(row, item)| {
        let position = item?.extract::<AnyPosition>();
        let position = position.map_err(|error| in_row(py, row, error))?;
        Ok(*position.0.board())
    });
    boards.collect()
}

fn no_positions(found: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "positions are an array of integers of shape (n, 26), such as numpy.stack([position.points]), or a sequence of \
         positions, not {found}"
    ))
}

fn check_columns(shape: (usize, usize)) -> PyResult<()> {
    match shape {
        (_, 26) => Ok(()),
        shape => Err(bad_setting(format_args!(
            "positions are an array of shape (n, 26), not {shape:?}"
        ))),
    }
}

/// The position of the numbers of a row.
fn board(row: usize, number: impl Fn(usize) -> i64) -> PyResult<Board> {
    let mut points = [0; 26];
    for (index, point) in points.iter_mut().enumerate() {
        *point = i8::try_from(number(index)).map_err(|_| {
            let text = number(index).to_string();
            of_row(row, PointsError::Number { index, text })
        })?;
    }
    Board::from_points(&points).map_err(|error| of_row(row, error))
}

/// An error in a row.
fn of_row(row: usize, error: impl Display) -> PyErr {
    PositionError::new_err(format!("row {row}: {error}"))
}

/// An error with the number of the row that it is about.
fn in_row(py: Python<'_>, row: usize, error: PyErr) -> PyErr {
    if error.is_instance_of::<PositionError>(py) {
        of_row(row, error.value(py))
    } else {
        error
    }
}
