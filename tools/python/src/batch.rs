//! Playouts of many positions at a time, arrays in and out.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use numpy::{
    IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tavli::{Board, Outcome, Playouts, RuleSet, Tier};

use crate::arguments::{AnyPosition, Machine, whole, word};
use crate::errors::{PositionError, bad_setting};
use crate::listener::{Listener, Progress};
use crate::playout;
use crate::tally::shares;
use crate::workers::Workers;

/// Games of a position that a thread plays at a time, some hundredths of a second: few enough for Ctrl-C to be heard.
const PIECE: u64 = 32 * 1296;
/// The time between two calls of the progress function.
const TELLING: Duration = Duration::from_millis(100);

/// Play random games from each of many positions.
///
/// All positions meet the same dice: trial number n of each is game number n of the seed. A row of the result is what
/// `Rollout(position, trials=trials, ...)` counts, divided by the trials, to the last bit.
///
/// Args:
///     positions: An int8 array of shape (n, 26), one position a row, in the order of `Position.points`.
///     trials: Games of each position.
///     seed: Seed of the random streams, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     first_roll: "any" of 36 throws, "stratified" (any 36 consecutive trials begin with each throw once), "open", or a roll.
///     plies: Cut each game off after so many plies; such games count in no column.
///     progress: Called with a Progress about ten times a second and once at the end; what it raises ends the games.
///     workers: Workers that play, instead of threads of this call.
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
///     TypeError: The positions are no int8 array of two dimensions.
#[pyfunction]
#[pyo3(signature = (positions, trials=None, *, seed=None, rules="backgammon", first_roll="any", plies=None, progress=None, workers=None, threads=None, isa=None))]
#[pyo3(
    text_signature = "(positions, trials=1296, *, seed=1, rules='backgammon', first_roll='any', plies=None, progress=None, workers=None, threads=None, isa=None)"
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
    workers: Option<&Bound<'py, Workers>>,
    threads: Option<&Bound<'py, PyAny>>,
    isa: Option<&str>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let most = tavli::rollout::Rollout::MOST_TRIALS;
    let trials = trials.map_or(Ok(1296), |trials| whole(trials, "trials are", 1, most))?;
    let machine = Machine::new(workers, threads, "none", isa)?;
    let boards = boards(positions)?;
    let rule_set: RuleSet = word(rules)?;
    let mut rows = Vec::with_capacity(boards.len());
    for (row, board) in boards.into_iter().enumerate() {
        if let Some(outcome) = rule_set.outcome(&board) {
            rows.push(Row::Over(outcome));
            continue;
        }
        let position = AnyPosition(board.into());
        let playouts = playout::playouts(&position, seed, rules, first_roll, plies);
        rows.push(Row::Played(
            playouts.map_err(|error| in_row(py, row, error))?,
        ));
    }
    let mut listener = Listener::new(progress);
    let outcomes = py.detach(|| {
        let batch = Batch {
            rows: &rows,
            trials,
            tier: machine.tier,
        };
        let outcomes = batch.play(machine.threads(), &mut listener);
        listener.finish().map(|()| outcomes)
    })?;
    let shares: Vec<f64> = outcomes
        .iter()
        .flat_map(|counts| shares(counts, trials))
        .collect();
    shares
        .into_pyarray(py)
        .reshape([outcomes.len(), Outcome::COUNT])
}

/// The positions of an array.
fn boards(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Board>> {
    let Ok(array) = positions.extract::<PyReadonlyArray2<'_, i8>>() else {
        let found = match positions.cast::<PyUntypedArray>() {
            Ok(array) => format!("{} dimensions of {}", array.ndim(), array.dtype()),
            Err(_) => positions.get_type().name()?.to_string(),
        };
        return Err(PyTypeError::new_err(format!(
            "positions are an int8 array of shape (n, 26), such as numpy.stack([position.points]), not {found}"
        )));
    };
    let array = array.as_array();
    if array.ncols() != 26 {
        return Err(bad_setting(format_args!(
            "positions are an array of shape (n, 26), not {:?}",
            array.dim()
        )));
    }
    let mut boards = Vec::with_capacity(array.nrows());
    for (row, numbers) in array.rows().into_iter().enumerate() {
        let board = Board::from_points(&std::array::from_fn(|point| numbers[point]));
        boards.push(board.map_err(|error| PositionError::new_err(format!("row {row}: {error}")))?);
    }
    Ok(boards)
}

/// An error with the number of the row that it is about.
fn in_row(py: Python<'_>, row: usize, error: PyErr) -> PyErr {
    if error.is_instance_of::<PositionError>(py) {
        PositionError::new_err(format!("row {row}: {}", error.value(py)))
    } else {
        error
    }
}

/// How the games of a position are played.
enum Row {
    /// From the position on.
    Played(Playouts),
    /// Not at all, since they have ended.
    Over(Outcome),
}

impl Row {
    /// The number of games with each outcome.
    fn play(&self, tier: Tier, games: Range<u64>) -> [u64; Outcome::COUNT] {
        match self {
            Row::Played(playouts) => playouts.run(tier, games).tally.outcomes,
            Row::Over(end) => {
                let count = games.end - games.start;
                std::array::from_fn(|at| if at == *end as usize { count } else { 0 })
            }
        }
    }
}

/// Games of many positions.
struct Batch<'a> {
    rows: &'a [Row],
    trials: u64,
    tier: Tier,
}

impl Batch<'_> {
    /// A piece of the work: the row, and games of it.
    fn piece(&self, number: u64) -> Option<(usize, Range<u64>)> {
        let of_row = self.trials.div_ceil(PIECE);
        let row = usize::try_from(number / of_row)
            .ok()
            .filter(|&row| row < self.rows.len())?;
        let first = number % of_row * PIECE;
        Some((row, first..self.trials.min(first + PIECE)))
    }

    /// Games of each row by outcome; incomplete if the listener cancels.
    fn play(&self, threads: usize, listener: &mut Listener) -> Vec<[u64; Outcome::COUNT]> {
        let mut outcomes = vec![[0; Outcome::COUNT]; self.rows.len()];
        let mut games = 0;
        let start = Instant::now();
        let all = self.rows.len() as u64 * self.trials;
        let progress = |games: u64| {
            let elapsed = start.elapsed().as_secs_f64();
            let rate = games as f64 / elapsed;
            Progress {
                done: games / self.trials,
                total: Some(self.rows.len() as u64),
                games_per_second: rate,
                seconds: elapsed,
                seconds_left: (games > 0).then(|| (all - games) as f64 / rate),
                fraction: if all > 0 {
                    games as f64 / all as f64
                } else {
                    1.0
                },
                standings: None,
            }
        };
        let next = AtomicU64::new(0);
        let cancel = listener.cancel().clone();
        thread::scope(|scope| {
            let (done, pieces) = mpsc::channel();
            for _ in 0..threads.min(self.rows.len()) {
                let (done, next, cancel) = (done.clone(), &next, &cancel);
                scope.spawn(move || {
                    while !cancel.is_cancelled()
                        && let Some((row, games)) = self.piece(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let number = games.end - games.start;
                        let ends = self.rows[row].play(self.tier, games);
                        // Nobody listens any more when the listener's thread panicked.
                        let _ = done.send((row, number, ends));
                    }
                });
            }
            drop(done);
            let mut told = start;
            loop {
                match pieces.recv_timeout(TELLING) {
                    Ok((row, number, ends)) => {
                        games += number;
                        for (sum, count) in outcomes[row].iter_mut().zip(ends) {
                            *sum += count;
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if told.elapsed() >= TELLING {
                    listener.tell(progress(games));
                    told = Instant::now();
                }
            }
        });
        listener.tell(progress(games));
        outcomes
    }
}
