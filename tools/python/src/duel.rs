//! Games between two players.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tavli::duel::Duel;
use tavli::run::Pinning;
use tavli::{RuleSet, Tier};

use crate::arguments::{Seed, Word, whole};
use crate::ending;
use crate::errors::{bad_setting, unless_raised};
use crate::listener::Listener;
use crate::player::{BothPolicies, PolicyArgument};
use crate::tally::by_name;
use crate::workers::Workers;

/// Play games between two players, on the same dice from both sides.
///
/// Ctrl-C, or an exception of `progress`, ends the games and is raised here; the attribute `result` of the exception is
/// the dict of the games played so far.
///
/// Games come in pairs with the same dice: `a` moves first in one, `b` in the other. Both players get the same dice
/// luck, and the standard error is computed from the means of the pairs. Games begin at the start, and the first roll
/// is not a double.
///
/// Args:
///     a: A player, as the policies of `playout`.
///     b: The opponent of `a`.
///     games: How many games, an even number.
///     seed: Seed of the random numbers, 0 to 2**64 - 1.
///     rules: One of `tavli.RULES`.
///     progress: Called with a Progress about ten times a second; an exception of it ends the games and is raised
///         here.
///     workers: Workers that play, instead of threads of this call.
///     threads: Worker threads; None is one for each place that `pin` names, within the grant of control groups.
///     pin: The places that workers are bound to, as in `playout`.
///     isa: Instruction-set tier; None is the environment variable TAVLI_ISA, or the fastest.
///
/// Returns:
///     dict: The names `a` and `b`; and of `a` the `games`, `points_per_game` with its `standard_error` (NaN of one
///     pair), `wins`, `gammons`, `backgammons`, `losses`, `lost_gammons` and `lost_backgammons`, where gammons count
///     backgammons too, and games by `outcomes`.
///
/// Raises:
///     SettingsError: A setting is out of range.
///
/// Examples:
///     >>> result = tavli.duel("pubeval", "uniform", games=100)
///     >>> result["points_per_game"] > 2
///     True
#[pyfunction]
#[pyo3(signature = (a, b, games=None, *, seed=Seed::DEFAULT, rules=Word(RuleSet::Backgammon), progress=None, workers=None, threads=None, pin=Word(Pinning::Auto), isa=None))]
#[pyo3(
    text_signature = "(a, b, games=10000, *, seed=1, rules='backgammon', progress=None, workers=None, threads=None, pin='auto', isa=None)"
)]
#[expect(clippy::too_many_arguments, reason = "most are keywords in Python")]
pub(crate) fn duel<'py>(
    py: Python<'py>,
    a: PolicyArgument,
    b: PolicyArgument,
    games: Option<&Bound<'py, PyAny>>,
    seed: Seed,
    rules: Word<RuleSet>,
    progress: Option<Py<PyAny>>,
    workers: Option<&Bound<'py, Workers>>,
    threads: Option<&Bound<'py, PyAny>>,
    pin: Word<Pinning>,
    isa: Option<Word<Tier>>,
) -> PyResult<Bound<'py, PyDict>> {
    let games = games.map_or(Ok(10_000), |games| whole(games, "games are", 2, 1 << 56))?;
    if !games.is_multiple_of(2) {
        return Err(bad_setting(format_args!("games are an even number, two on the same dice, not {games}")));
    }
    let machine = Workers::or_own(workers, threads, pin, isa)?;
    let policies = BothPolicies::new(py, a, Some(b));
    let mut listener = Listener::new(progress);
    policies.end_by(listener.cancel());
    let both = policies.policies();
    let duel = Duel::new(both, rules.0, seed.0, games / 2);
    let duel = duel.cancelled_by(listener.cancel());
    let (score, heard) = ending::detach(py, || -> PyResult<_> {
        let workers = machine.start()?;
        let report = duel.play(machine.tier, &workers, |progress| listener.tell(progress));
        Ok((report.score, listener.finish()))
    })??;
    let result = PyDict::new(py);
    let [a, b] = duel.names();
    let points = score.points.per_game();
    result.set_item("a", a)?;
    result.set_item("b", b)?;
    result.set_item("games", score.points.games())?;
    result.set_item("points_per_game", points.mean)?;
    result.set_item("standard_error", points.standard_error)?;
    for (least, won, lost) in
        [(1, "wins", "losses"), (2, "gammons", "lost_gammons"), (3, "backgammons", "lost_backgammons")]
    {
        result.set_item(won, score.won_by(least))?;
        result.set_item(lost, score.lost_by(least))?;
    }
    result.set_item("outcomes", by_name(py, &score.outcomes)?)?;
    unless_raised(py, policies.raised().and(heard), result)
}
