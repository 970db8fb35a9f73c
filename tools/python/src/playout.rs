//! Playouts of one position.

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use tavli::run::{BackgammonPlayouts, Limit, Pinning, Run};
use tavli::{RuleSet, Tier};

use crate::arguments::{self, Seed, Word, whole};
use crate::ending;
use crate::errors::{PositionError, bad_setting, raise, unless_raised, with_result};
use crate::listener::Listener;
use crate::memory::check_room;
use crate::player::{BothPolicies, PolicyArgument};
use crate::position::{AnyPosition, warn_of_cube};
use crate::tally::{Tally, outcome_number};
use crate::workers::Workers;

/// Play random games from a position and count their outcomes.
///
/// Every ply is drawn evenly from the distinct resulting positions. A game is decided by position, rules, first roll,
/// seed and its number alone, not by threads, tier or machine. Other Python threads run while it plays. Ctrl-C, or an
/// exception of `progress`, ends the games within a few tenths of a second and is raised here; the attribute `result`
/// of the exception, and `tally`, is the Tally of the games played so far, an unbroken range.
///
/// Args:
///     position: Position, text in any format, or 26 numbers.
///     games: How many games; or leave it out and name `seconds`.
///     seconds: For how long, in seconds; the games are one unbroken range of numbers.
///     first_game: Number of the first game, 0 to 2**64 - 2.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     policy: The player that picks the plays of the player on roll: a Player, or the argument of one, such as
///         "uniform", "pubeval", "td80", "fast" or "strong".
///     policy_opponent: The player that picks the opponent's plays; None is `policy`.
///     first_roll: "any" of 36 throws, "open" (no double), "stratified", or a roll such as "31"; None is the dice of
///         the position, or "any" if it has none.
///     truncate: Cut each game off after this many plies; None plays to the end.
///     progress: Called with a Progress about ten times a second and once at the end; an exception of it ends the
///         games.
///     workers: Workers that play, instead of threads of this call.
///     threads: Worker threads; None is one for each place that `pin` names, within the grant of control groups.
///     pin: The places that workers are bound to, in the words of `tavli playout --pin`: "none", "cores", "threads",
///         "l3", "numa", "sockets", or a list of CPUs such as "0,2-5". "auto" is "cores" if every core gets a worker
///         and no CPU gets two, and otherwise "none".
///     isa: Instruction-set tier, "avx512", "x86-64-v4", "avx2", "neon", "simd128" or "portable"; None is the
///         environment variable TAVLI_ISA, or the fastest that this CPU has. It changes the speed, never the results.
///
/// Returns:
///     Tally: The counts and statistics.
///
/// Raises:
///     PositionError: It is not a position, or the game is over in it or can never end.
///     SettingsError: A setting is out of range; the message names the range.
///
/// Warns:
///     PositionWarning: The position has a turned cube or the score of a match, which the games ignore.
#[pyfunction]
#[pyo3(signature = (position, games=None, *, seconds=None, first_game=None, seed=Seed::DEFAULT, rules=Word(RuleSet::Backgammon), first_roll=None, truncate=None, progress=None, workers=None, threads=None, pin=Word(Pinning::Auto), isa=None, policy=None, policy_opponent=None))]
#[pyo3(
    text_signature = "(position, games=None, *, seconds=None, first_game=0, seed=1, rules='backgammon', first_roll=None, truncate=None, progress=None, workers=None, threads=None, pin='auto', isa=None, policy='uniform', policy_opponent=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn playout(
    py: Python<'_>,
    position: AnyPosition,
    games: Option<&Bound<'_, PyAny>>,
    seconds: Option<f64>,
    first_game: Option<&Bound<'_, PyAny>>,
    seed: Seed,
    rules: Word<RuleSet>,
    first_roll: Option<&Bound<'_, PyAny>>,
    truncate: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    workers: Option<&Bound<'_, Workers>>,
    threads: Option<&Bound<'_, PyAny>>,
    pin: Word<Pinning>,
    isa: Option<Word<Tier>>,
    policy: Option<PolicyArgument>,
    policy_opponent: Option<PolicyArgument>,
) -> PyResult<Tally> {
    let policies = BothPolicies::for_playouts(py, policy, policy_opponent);
    let settings = arguments::settings(seed, rules.0, first_roll, position.0.roll(), truncate)?;
    let playouts = settings.playouts(*position.0.board());
    let playouts = playouts.map_err(raise(PositionError::new_err))?;
    warn_of_cube(py, &position.0)?;
    let machine = Workers::or_own(workers, threads, pin, isa)?;
    let limit = match (games, seconds) {
        (Some(games), None) => Limit::Items(whole(games, "games are", 1, u64::MAX)?),
        (None, Some(time)) => Limit::Time(arguments::seconds(time)?),
        _ => return Err(bad_setting("name either a number of games or seconds")),
    };
    let mut listener = Listener::new(progress);
    policies.end_by(listener.cancel());
    let playouts = BackgammonPlayouts::new(playouts, policies.players(), machine.tier);
    let run = run(playouts, limit, first_game)?.cancelled_by(listener.cancel());
    let report = ending::detach(py, || -> PyResult<_> {
        let workers = machine.start()?;
        let report = run.play(&workers, |progress| listener.tell(progress));
        listener.tell(&tavli::run::Progress {
            items: report.results.tally.games,
            elapsed: report.elapsed,
            limit: Limit::Items(report.results.tally.games),
        });
        Ok((report, listener.finish()))
    })??;
    let (report, heard) = report;
    let tally = Tally::new(&report);
    match policies.raised().and(heard) {
        Ok(()) => Ok(tally),
        Err(error) => {
            let tally = Bound::new(py, tally)?;
            let _ = error.value(py).setattr("tally", &tally);
            Err(with_result(py, error, tally))
        }
    }
}

/// Bytes of the outcome and the plies of a game.
const GAME: usize = size_of::<i8>() + size_of::<u32>();

/// Play random games from a position and return how each of them ended.
///
/// Ctrl-C, or an exception of `progress`, is raised here as by `playout`; the attribute `result` of the exception has
/// the arrays of the games played so far, from the first on.
///
/// Args:
///     position: As in `playout`, like the other settings.
///     games: How many games.
///
/// Returns:
///     tuple: Two arrays of shape (games,), in the order of the games' numbers: int8 outcomes, which are indices of
///     `tavli.OUTCOMES` or -1 for a game cut off, and uint32 plies.
///
/// Raises:
///     PositionError: As in `playout`.
///     SettingsError: As in `playout`.
///
/// Warns:
///     PositionWarning: As in `playout`.
#[pyfunction]
#[pyo3(signature = (position, games, *, first_game=None, seed=Seed::DEFAULT, rules=Word(RuleSet::Backgammon), first_roll=None, truncate=None, progress=None, workers=None, threads=None, pin=Word(Pinning::Auto), isa=None, policy=None, policy_opponent=None))]
#[pyo3(
    text_signature = "(position, games, *, first_game=0, seed=1, rules='backgammon', first_roll=None, truncate=None, progress=None, workers=None, threads=None, pin='auto', isa=None, policy='uniform', policy_opponent=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
#[expect(clippy::type_complexity, reason = "two arrays")]
pub(crate) fn playout_games<'py>(
    py: Python<'py>,
    position: AnyPosition,
    games: &Bound<'py, PyAny>,
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
) -> PyResult<(Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<u32>>)> {
    let policies = BothPolicies::for_playouts(py, policy, policy_opponent);
    let settings = arguments::settings(seed, rules.0, first_roll, position.0.roll(), truncate)?;
    let playouts = settings.playouts(*position.0.board());
    let playouts = playouts.map_err(raise(PositionError::new_err))?;
    warn_of_cube(py, &position.0)?;
    let machine = Workers::or_own(workers, threads, pin, isa)?;
    let games = whole(games, "games are", 1, u64::MAX)?;
    let mut listener = Listener::new(progress);
    policies.end_by(listener.cancel());
    let playouts = BackgammonPlayouts::new(playouts, policies.players(), machine.tier);
    let run = run(playouts, Limit::Items(games), first_game)?.cancelled_by(listener.cancel());
    // Memory for two copies: the games as they are counted, and both arrays.
    check_room(games, 2 * GAME as u64)?;
    let ((outcomes, plies), heard) = ending::detach(py, || -> PyResult<_> {
        let workers = machine.start()?;
        let mut lines = Vec::with_capacity(GAME * games as usize);
        let report = run.play_with_lines(
            &workers,
            |progress| listener.tell(progress),
            |record, line| {
                let outcome = outcome_number(record.outcome);
                line.extend(outcome.to_ne_bytes());
                line.extend(record.plies.to_ne_bytes());
            },
            &mut lines,
        );
        report.map_err(raise(PyOSError::new_err))?;
        let games = lines
            .as_chunks::<GAME>()
            .0
            .iter()
            .map(|&[outcome, a, b, c, d]| (outcome as i8, u32::from_ne_bytes([a, b, c, d])))
            .unzip::<i8, u32, Vec<i8>, Vec<u32>>();
        Ok((games, listener.finish()))
    })??;
    let games = (outcomes.into_pyarray(py), plies.into_pyarray(py));
    unless_raised(py, policies.raised().and(heard), games)
}

fn run(playouts: BackgammonPlayouts, limit: Limit, first_game: Option<&Bound<'_, PyAny>>) -> PyResult<Run> {
    Run::new(playouts, limit).from_game(arguments::first_game(first_game)?).map_err(bad_setting)
}
