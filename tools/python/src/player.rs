//! Who picks plays: built-in policies, and functions on arrays.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use tavli::games::Decisions;
use tavli::named;
use tavli::plays::View;
use tavli::policies::{Players, Policy, Uniform};
use tavli::run::Cancel;
use tavli::{Planes, RuleSet, Throw};

use crate::arguments::word;
use crate::boards;
use crate::callback::Callback;
use crate::decisions::{dice, read_picks, read_rolls};
use crate::errors::{PlayError, bad_setting};
use crate::rows;

/// A player who picks one of the plays of a roll.
///
/// A player is a pure function of a decision: the position, the roll, its plays, and a random number. So results do not
/// depend on threads, or on which decisions are asked for together.
///
/// Args:
///     policy: The name of a built-in policy, "uniform" or "pubeval"; or a function of four arrays, which returns an array
///         of shape (n,) with the index of a play of each decision. The arrays are `points` (n, 26), the positions seen by
///         the player on roll, `rolls` (n, 2), `offsets` (n + 1,) and `results` (m, 26): the positions after the plays of
///         decision i, seen by the next player, are `results[offsets[i]:offsets[i + 1]]`.
///     name: The name of a function's policy, which stands in saved rollouts. It is to change when the function does.
///         None is the function's own name.
///
/// Raises:
///     SettingsError: There is no policy of this name.
///
/// Examples:
///     >>> import numpy as np
///     >>> points = np.stack([tavli.Position().points] * 2)
///     >>> after = tavli.Player("pubeval").best(points, np.array([[3, 1], [6, 1]]))
///     >>> [str(tavli.Position(row).position_id) for row in after]
///     ['4HPhASLgc/ABMA', '4HPKATDgc/ABMA']
#[pyclass(frozen, module = "tavli")]
#[derive(Debug)]
pub(crate) struct Player {
    policy: AnyPolicy,
}

/// A policy that was made in Python.
#[derive(Clone, Debug)]
pub(crate) enum AnyPolicy {
    Named(Arc<dyn Policy>),
    Function(Arc<Callback>),
}

impl AnyPolicy {
    pub(crate) fn policy(&self) -> Arc<dyn Policy> {
        match self {
            AnyPolicy::Named(policy) => Arc::clone(policy),
            AnyPolicy::Function(function) => Arc::new(Function(Arc::clone(function))),
        }
    }

    /// The same policy for a series of games of its own: what a function raises there ends these games only.
    fn for_games(&self, py: Python<'_>) -> AnyPolicy {
        match self {
            AnyPolicy::Named(policy) => AnyPolicy::Named(Arc::clone(policy)),
            AnyPolicy::Function(function) => AnyPolicy::Function(function.anew(py)),
        }
    }

    /// What a function has raised.
    fn raised(&self) -> PyResult<()> {
        match self {
            AnyPolicy::Named(_) => Ok(()),
            AnyPolicy::Function(function) => function.raised(),
        }
    }
}

/// The policies of both sides that were made in Python.
#[derive(Clone, Debug)]
pub(crate) struct BothPolicies([AnyPolicy; 2]);

impl BothPolicies {
    /// Those of the player on roll, uniform unless it is named, and of his opponent, the same unless it is named.
    pub(crate) fn new(
        py: Python<'_>,
        policy: Option<AnyPolicy>,
        opponent: Option<AnyPolicy>,
    ) -> BothPolicies {
        let policy = policy.unwrap_or_else(|| AnyPolicy::Named(Arc::new(Uniform)));
        let policy = policy.for_games(py);
        let opponent = opponent.map_or_else(|| policy.clone(), |policy| policy.for_games(py));
        BothPolicies([policy, opponent])
    }

    pub(crate) fn players(&self) -> Players {
        let [policy, opponent] = &self.0;
        Players::new(policy.policy(), opponent.policy())
    }

    /// Whether both are found by their names.
    pub(crate) fn are_named(&self) -> bool {
        let mut both = self.0.iter();
        both.all(|policy| matches!(policy, AnyPolicy::Named(_)))
    }

    /// Has what a function raises end games.
    pub(crate) fn end_by(&self, cancel: &Cancel) {
        for policy in &self.0 {
            if let AnyPolicy::Function(function) = policy {
                function.end_by(cancel);
            }
        }
    }

    /// Raises what a function has raised.
    pub(crate) fn raised(&self) -> PyResult<()> {
        self.0.iter().try_for_each(AnyPolicy::raised)
    }
}

impl<'py> FromPyObject<'_, 'py> for AnyPolicy {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyPolicy> {
        if let Ok(player) = value.cast::<Player>() {
            return Ok(player.get().policy.clone());
        }
        if let Ok(name) = value.extract::<&str>() {
            return named::policy(name)
                .map(AnyPolicy::Named)
                .map_err(bad_setting);
        }
        Callback::new(&value.to_owned(), None, KINDS).map(AnyPolicy::Function)
    }
}

/// A Python function as a policy.
#[derive(Debug)]
struct Function(Arc<Callback>);

/// What a policy is.
const KINDS: &str = "a policy is the name of one, a tavli.Player, or a function of arrays";

impl Policy for Function {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn view(&self) -> View {
        View::RESULTS
    }

    fn pick(&self, decisions: &Decisions, picks: &mut [u32]) {
        if decisions.is_empty() {
            return;
        }
        self.0.call(|py, function| {
            let points: Vec<_> = decisions.positions().iter().map(Planes::points).collect();
            let rolls: Vec<_> = decisions.rolls().iter().map(dice).collect();
            let offsets: Vec<i64> = decisions.offsets().iter().map(|&at| at as i64).collect();
            let results: Vec<_> = Planes::rows(decisions.results()).collect();
            let found = function.call1((
                rows::into_array(py, points)?,
                rows::into_array(py, rolls)?,
                offsets.into_pyarray(py),
                rows::into_array(py, results)?,
            ))?;
            let found = read_picks(&found, picks.len())?;
            for (decision, &pick) in found.iter().enumerate() {
                let plays = decisions.plays_of(decision);
                if pick as usize >= plays {
                    return Err(PlayError::new_err(format!(
                        "policy '{}' picked play {pick} of {plays}, numbered from 0",
                        self.name()
                    )));
                }
            }
            picks.copy_from_slice(&found);
            Ok(())
        });
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (policy, *, name=None))]
    fn new(policy: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Player> {
        let policy = if name.is_some() {
            AnyPolicy::Function(Callback::new(policy, name, KINDS)?)
        } else {
            policy.extract()?
        };
        Ok(Player { policy })
    }

    /// The name of the policy.
    #[getter]
    fn name(&self) -> String {
        self.policy.policy().name().to_owned()
    }

    /// Pick a play in each of many positions.
    ///
    /// Args:
    ///     points: The positions, seen by the player on roll: an array of shape (n, 26), or a sequence of positions.
    ///     rolls: The dice of each: an array of whole numbers of shape (n, 2).
    ///     rules: One of `tavli.RULES`.
    ///
    /// Returns:
    ///     The positions after the picked plays, seen by the next player: a new int8 array of shape (n, 26). The random
    ///     number of each decision is 0.
    ///
    /// Raises:
    ///     PositionError: A row is not a position, or the game is over in it; the message names the row.
    ///     RollError: A row is not a roll.
    #[pyo3(signature = (points, rolls, *, rules="backgammon"))]
    fn best<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        rolls: &Bound<'py, PyAny>,
        rules: &str,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let boards = boards::read(points)?;
        let rolls = read_rolls(rolls, boards.len())?;
        let rules: RuleSet = word(rules)?;
        let policy = self.policy.policy();
        let points = py.detach(|| -> PyResult<Vec<[i8; 26]>> {
            let mut decisions = Decisions::new(rules);
            for (row, (board, roll)) in boards.iter().zip(rolls).enumerate() {
                let throw = Throw { roll, fraction: 0 };
                decisions
                    .push(board, throw)
                    .map_err(|error| boards::of_row(row, error))?;
            }
            decisions.list(policy.view());
            let mut picks = vec![0; decisions.len()];
            policy.pick(&decisions, &mut picks);
            self.policy.raised()?;
            let made = decisions.make(&picks);
            let made = made.map_err(|error| PlayError::new_err(error.to_string()))?;
            Ok(made.iter().map(Planes::points).collect())
        })?;
        rows::into_array(py, points)
    }

    fn __repr__(&self) -> String {
        format!("<tavli.Player {}>", self.policy.policy().name())
    }
}
