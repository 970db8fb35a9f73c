//! Playouts of many positions at a time, arrays in and out.

use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use tavli::playout::ManyPlayouts;
use tavli::run::{BackgammonPlayouts, Limit, Pinning, Progress, Run};
use tavli::{Outcome, RuleSet, Tier};

use crate::arguments::{self, Seed, Word, whole};
use crate::boards;
use crate::ending;
use crate::errors::{bad_setting, unless_raised, with_result};
use crate::interrupt;
use crate::listener::{self, Listener};
use crate::machine::Machine;
use crate::player::{BothPolicies, PolicyArgument};
use crate::tally::shares;
use crate::workers::Workers;

/// Play random games from each of many positions and count their outcomes.
///
/// Row i counts what `playout(position i, games, ...)` counts with the same settings, game by game. All positions share
/// the same dice: game number n has the same random stream for each. A batch plays them together: a thousand positions
/// of 36 games each take as long as one position of 36,000 games. Other Python threads run while it plays. Ctrl-C, or
/// an exception of `progress`, ends the games within a few tenths of a second and is raised here; the attribute
/// `result` of the exception, and `counts`, has the rows that are whole, from the first on.
///
/// Args:
///     points: An array of integers of shape (n, 26), int8 without a copy, one position a row, in the order of
///         `Position.points`; or a sequence of positions: Position, text in any format, or 26 numbers.
///     games: Games from each position.
///     first_game: Number of the first game, 0 to 2**64 - 2.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     first_roll: "any" of 36 throws, "open" (no double), "stratified", or a roll such as "31"; None is the dice of
///         the positions, the same in all of them, or "any" if they have none.
///     truncate: Cut each game off after this many plies; such games count in no column.
///     policy: The player that picks the plays of the player on roll in each row: a Player, or the argument of one,
///         such as "uniform", "pubeval", "td80", "fast" or "strong". An exception of a function ends the games
///         and is raised here.
///     policy_opponent: The player that picks the opponent's plays; None is `policy`.
///     progress: Called with a Progress, in positions, about ten times a second and once at the end; an exception of
///         it ends the games.
///     workers: Workers that play, instead of threads of this call.
///     threads: Worker threads; None is one for each place that `pin` names, within the grant of control groups.
///     pin: The places that workers are bound to, as in `playout`.
///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
///
/// Returns:
///     An int64 array of shape (n, 6): for the player on roll of each row, the games with each outcome, in the order of
///     `tavli.OUTCOMES`. If the game is over, all games count as its outcome.
///
/// Raises:
///     PositionError: A row is not a position, or its game can never end; the message names the row.
///     SettingsError: A setting is out of range.
///     TypeError: The positions are not an array of integers of two dimensions, or a sequence of positions.
#[pyfunction]
#[pyo3(signature = (points, games=None, *, first_game=None, seed=Seed::DEFAULT, rules=Word(RuleSet::Backgammon), first_roll=None, truncate=None, progress=None, workers=None, threads=None, pin=Word(Pinning::Auto), isa=None, policy=None, policy_opponent=None))]
#[pyo3(
    text_signature = "(points, games=36, *, first_game=0, seed=1, rules='backgammon', first_roll=None, truncate=None, progress=None, workers=None, threads=None, pin='auto', isa=None, policy='uniform', policy_opponent=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    points: &Bound<'py, PyAny>,
    games: Option<&Bound<'py, PyAny>>,
    first_game: Option<&Bound<'py, PyAny>>,
    seed: Seed,
    rules: Word<RuleSet>,
    first_roll: Option<&Bound<'py, PyAny>>,
    truncate: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
    workers: Option<&Bound<'py, Workers>>,
    threads: Option<&Bound<'py, PyAny>>,
    pin: Word<Pinning>,
    isa: Option<Word<Tier>>,
    policy: Option<PolicyArgument>,
    policy_opponent: Option<PolicyArgument>,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let most = i64::MAX as u64;
    let games = games.map_or(Ok(36), |games| whole(games, "games are", 1, most))?;
    let first_game = arguments::first_game(first_game)?;
    let machine = Workers::or_own(workers, threads, pin, isa)?;
    let policies = BothPolicies::for_playouts(py, policy, policy_opponent);
    let playouts = rows(points, seed, rules.0, first_roll, truncate)?;
    let (counts, heard) = play(py, playouts, first_game, games, &policies, &machine, progress)?;
    let rows = counts.len();
    // No count is above the number of games.
    let counts: Vec<i64> = counts.as_flattened().iter().map(|&count| count as i64).collect();
    let counts = counts.into_pyarray(py).reshape([rows, Outcome::COUNT])?;
    match heard {
        Ok(()) => Ok(counts),
        Err(error) => {
            // An exception that takes no attributes is raised as it is.
            let _ = error.value(py).setattr("counts", &counts);
            Err(with_result(py, error, counts))
        }
    }
}

/// Play games from each of many positions and estimate the probabilities of their outcomes.
///
/// All positions meet the same dice: trial number n of each is game number n of the seed. A row of the result is what
/// `Rollout(position, trials=trials, ...)` counts, divided by the trials, to the last bit; but a `policy` with a table
/// of bear-offs plays games to their end here, and a Rollout values them where they enter the table. Ctrl-C, or an
/// exception of `progress`, is raised here as by `playouts`; the attribute `result` of the exception has the rows that
/// are whole.
///
/// Args:
///     positions: As the points of `playouts`.
///     trials: Games of each position.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     first_roll: "any" of 36 throws, "stratified" (any 36 consecutive trials begin with each throw once), "open", or
///         a roll; None as in `playouts`.
///     truncate: Cut each game off after this many plies; such games count in no column.
///     policy: The player that picks the plays of the player on roll in each row: a Player, or the argument of one,
///         such as "uniform", "pubeval", "td80", "fast" or "strong". None is "fast"; "uniform" in mcgammon, whose goal
///         no net has learned. An exception of a function ends the games and is raised here.
///     policy_opponent: The player that picks the opponent's plays; None is `policy`.
///     progress: Called with a Progress about ten times a second and once at the end; an exception of it ends the
///         games.
///     workers: Workers that play, instead of threads of this call.
///     threads: Worker threads; None is one for each CPU, within the grant of control groups.
///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
///
/// Returns:
///     A float64 array of shape (n, 6): for the player on roll of each row, the probability of each outcome, 0 to 1, in
///     the order of `tavli.OUTCOMES`. Outcomes exclude one another: a gammon is not counted as a single win too. The
///     equity is `result @ [1, 2, 3, -1, -2, -3]`. If the game is over, its outcome has the probability 1.
///
/// Raises:
///     PositionError: A row is not a position, or its game can never end; the message names the row.
///     SettingsError: A setting is out of range.
///     TypeError: The positions are not an array of integers of two dimensions, or a sequence of positions.
#[pyfunction]
#[pyo3(signature = (positions, trials=None, *, seed=Seed::DEFAULT, rules=Word(RuleSet::Backgammon), first_roll=None, truncate=None, progress=None, workers=None, threads=None, isa=None, policy=None, policy_opponent=None))]
#[pyo3(
    text_signature = "(positions, trials=1296, *, seed=1, rules='backgammon', first_roll=None, truncate=None, progress=None, workers=None, threads=None, isa=None, policy=None, policy_opponent=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn probabilities<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    trials: Option<&Bound<'py, PyAny>>,
    seed: Seed,
    rules: Word<RuleSet>,
    first_roll: Option<&Bound<'py, PyAny>>,
    truncate: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
    workers: Option<&Bound<'py, Workers>>,
    threads: Option<&Bound<'py, PyAny>>,
    isa: Option<Word<Tier>>,
    policy: Option<PolicyArgument>,
    policy_opponent: Option<PolicyArgument>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let most = tavli::rollout::Rollout::MAX_TRIALS;
    let trials = trials.map_or(Ok(1296), |trials| whole(trials, "trials are", 1, most))?;
    let machine = Workers::or_own(workers, threads, Word(Pinning::Auto), isa)?;
    let policies = BothPolicies::for_rollouts(py, policy, policy_opponent, rules.0);
    let playouts = rows(positions, seed, rules.0, first_roll, truncate)?;
    let (outcomes, heard) = play(py, playouts, 0, trials, &policies, &machine, progress)?;
    let shares: Vec<f64> = outcomes.iter().flat_map(|counts| shares(counts, trials)).collect();
    let shares = shares.into_pyarray(py).reshape([outcomes.len(), Outcome::COUNT])?;
    unless_raised(py, heard, shares)
}

/// Plays games of each position without the interpreter's lock. Returns the outcomes of the rows that are whole, and
/// any exception.
fn play(
    py: Python<'_>,
    playouts: ManyPlayouts,
    first_game: u64,
    games: u64,
    policies: &BothPolicies,
    machine: &Machine,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Vec<[u64; Outcome::COUNT]>, PyResult<()>)> {
    let mut listener = Listener::new(progress);
    policies.end_by(listener.cancel());
    let rows = playouts.rows().len() as u64;
    let playouts = BackgammonPlayouts::new(playouts, policies.players(), machine.tier);
    let run = Run::from_rows(playouts, first_game, games).map_err(bad_setting)?;
    let run = run.cancelled_by(listener.cancel());
    ending::detach(py, || {
        let workers = machine.start()?;
        let report = run.play(&workers, |progress| listener.tell(in_positions(progress, games)));
        let last = Progress {
            items: report.results.len() as u64 * games,
            elapsed: report.elapsed,
            limit: Limit::Items(rows * games),
        };
        listener.tell(in_positions(&last, games));
        let outcomes = report.results.iter().map(|tally| tally.outcomes);
        let heard = policies.raised().and_then(|()| listener.finish());
        Ok((outcomes.collect(), heard))
    })?
}

/// The progress of a run with `games` games of each position, in positions.
fn in_positions(progress: &Progress, games: u64) -> listener::Progress {
    let progress = listener::Progress::from(progress);
    listener::Progress { done: progress.done / games, total: progress.total.map(|all| all / games), ..progress }
}

/// The playouts of each position.
fn rows(
    positions: &Bound<'_, PyAny>,
    seed: Seed,
    rules: RuleSet,
    first_roll: Option<&Bound<'_, PyAny>>,
    truncate: Option<&Bound<'_, PyAny>>,
) -> PyResult<ManyPlayouts> {
    let (boards, dice) = boards::with_dice(positions)?;
    let settings = arguments::settings(seed, rules, first_roll, dice, truncate)?;
    let row = |row, board| settings.row(board).map_err(|error| boards::row_error(row, error));
    let rows = interrupt::collect(boards, row)?;
    ManyPlayouts::new(rows).map_err(bad_setting)
}
