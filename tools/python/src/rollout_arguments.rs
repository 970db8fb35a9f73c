//! The arguments of a rollout in Python: the keywords of `tavli.Rollout` and `tavli.Rollout.to_decide`.

use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tavli::cube::{CubeInPlay, CubeState};
use tavli::rollout::{
    EndRulesRequest, OptionTexts, OptionValue, Options, PlanError, RequestedPlay, Rollout, RolloutError, RolloutRequest,
};
use tavli::text::printable;

use crate::arguments::{RollArgument, Seed, whole};
use crate::boards;
use crate::errors::{self, PlayError, PlayerWarning, bad_setting, raise};
use crate::evaluator::EvaluatorArgument;
use crate::interrupt;
use crate::named;
use crate::player::{BothPolicies, PolicyArgument};
use crate::position::AnyPosition;
use crate::warning::warn;

/// Plays of a roll in any of their forms: texts, which are moves or positions after them, or positions.
pub(crate) struct PlaysArgument(Vec<RequestedPlay>);

impl<'py> FromPyObject<'_, 'py> for PlaysArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<PlaysArgument> {
        if value.cast::<PyUntypedArray>().is_ok() {
            let boards = boards::read(&value)?.into_iter();
            return Ok(PlaysArgument(boards.map(RequestedPlay::After).collect()));
        }
        if value.extract::<&str>().is_ok() {
            return Err(PyTypeError::new_err(printable(format_args!(
                "plays are a sequence of plays, such as ['{}'], not one text",
                *value
            ))));
        }
        let plays = interrupt::collect(value.try_iter()?, |_, play| {
            let play = play?;
            if let Ok(text) = play.extract::<&str>() {
                return Ok(RequestedPlay::from(text));
            }
            let AnyPosition(position) = play.extract()?;
            Ok(RequestedPlay::After(*position.board()))
        });
        plays.map(PlaysArgument)
    }
}

/// An evaluator, or "none", which turns it off.
pub(crate) struct EvaluatorOrNone(Option<EvaluatorArgument>);

impl<'py> FromPyObject<'_, 'py> for EvaluatorOrNone {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<EvaluatorOrNone> {
        match value.extract::<&str>() {
            Ok("none") => Ok(EvaluatorOrNone(None)),
            _ => value.extract().map(|evaluator| EvaluatorOrNone(Some(evaluator))),
        }
    }
}

/// The options of keywords that are texts and numbers. None leaves an option out, except the seed.
pub(crate) fn option_texts(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<OptionTexts> {
    let mut texts = OptionTexts::default();
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        if !OptionTexts::names().any(|known| known == name) {
            return Err(PyTypeError::new_err(format!("there is no option '{}'", printable(name))));
        }
        match value.extract::<bool>() {
            Ok(value) => texts.set(&name, value),
            Err(_) if !value.is_none() => texts.set(&name, value.str()?),
            Err(_) if name == "seed" => drop(value.extract::<Seed>()?),
            Err(_) => {}
        }
    }
    Ok(texts)
}

/// A rollout with the policies and the evaluator that were given to it.
pub(crate) type RolloutWithPlayers = (Rollout, BothPolicies, Option<EvaluatorArgument>);

pub(crate) struct RolloutArguments {
    position: AnyPosition,
    options: Options,
    /// The policies, if one is given.
    policies: Option<BothPolicies>,
    evaluator: Option<EvaluatorArgument>,
}

impl RolloutArguments {
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    pub(crate) fn new(
        py: Python<'_>,
        position: AnyPosition,
        roll: Option<RollArgument>,
        plays: Option<PlaysArgument>,
        [policy, policy_opponent]: [Option<PolicyArgument>; 2],
        evaluator: Option<EvaluatorOrNone>,
        luck: Option<&str>,
        cube: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<RolloutArguments> {
        let options = option_texts(options)?.options().map_err(refused)?;
        let is_named = policy.is_some() || policy_opponent.is_some();
        let policies = is_named.then(|| BothPolicies::for_rollouts(py, policy, policy_opponent, options.rules));
        let is_off = matches!(evaluator, Some(EvaluatorOrNone(None)));
        let evaluator = evaluator.and_then(|EvaluatorOrNone(evaluator)| evaluator);
        let evaluator = evaluator.map(|evaluator| evaluator.for_games(py));
        let state = cube.then(|| CubeState::from_context(position.0.context()));
        let state = state.transpose().map_err(raise(errors::RolloutError::new_err))?;
        let options = Options {
            roll: roll.map(|RollArgument(roll)| roll),
            plays: plays.map(|PlaysArgument(plays)| plays),
            cube: state.map(|state| CubeInPlay { state, efficiency: None }),
            players: policies.as_ref().map(BothPolicies::players),
            evaluator: match &evaluator {
                _ if is_off => OptionValue::Off,
                evaluator => evaluator.as_ref().map(EvaluatorArgument::evaluator).into(),
            },
            luck: luck.map(|name| named::evaluator(py, name)).transpose()?,
            ..options
        };
        Ok(RolloutArguments { position, options, policies, evaluator })
    }

    /// The rollout of a request that is made of the options, and its policies and evaluator.
    fn rollout_of(self, py: Python<'_>, request: Result<RolloutRequest, RolloutError>) -> PyResult<RolloutWithPlayers> {
        let rollout = request.and_then(|request| request.rollout(&self.position.0)).map_err(refused)?;
        if let Some(remark) = rollout.remark() {
            warn::<PlayerWarning>(py, remark)?;
        }
        let policies = self.policies.unwrap_or_else(|| BothPolicies::named(rollout.players()));
        Ok((rollout, policies, self.evaluator))
    }

    /// The rollout that `tavli.Rollout` makes.
    pub(crate) fn rollout(self, py: Python<'_>) -> PyResult<RolloutWithPlayers> {
        let request = self.options.request();
        self.rollout_of(py, request)
    }

    /// The rollout that `tavli.Rollout.to_decide` makes.
    pub(crate) fn decision(self, py: Python<'_>) -> PyResult<RolloutWithPlayers> {
        let request = self.options.decision();
        self.rollout_of(py, request)
    }
}

/// The rules that end a rollout, if they are given.
pub(crate) fn end_rules_request(
    trials: Option<&Bound<'_, PyAny>>,
    standard_error: Option<f64>,
    jsd: Option<f64>,
    seconds: Option<f64>,
) -> PyResult<EndRulesRequest> {
    let most = Rollout::MAX_TRIALS;
    let trials = trials.map(|trials| whole(trials, "trials are", 1, most));
    Ok(EndRulesRequest { trials: trials.transpose()?, standard_error, jsd, seconds })
}

/// The exception for a request that is refused.
pub(crate) fn refused(error: RolloutError) -> PyErr {
    match error {
        RolloutError::Play { .. } | RolloutError::NoPlay { .. } => raise(PlayError::new_err)(error),
        RolloutError::Plan(PlanError::Seconds(_) | PlanError::Within(_) | PlanError::Trials(_))
        | RolloutError::Margin(_)
        | RolloutError::Players(_)
        | RolloutError::Option { .. } => bad_setting(error),
        error => raise(errors::RolloutError::new_err)(error),
    }
}
