//! The doubling cube.

use serde::{Deserialize, Serialize};
use tavli::cube::{self, CubeInPlay, CubeState, CubeValues, OutcomeProbabilities};
use tavli::evaluation::RolledError;
use tavli::rollout::CubeDecision;
use tavli::{Position, RuleSet};
use tavli_web_module::{Failure, Kind, number};

use crate::positions::PositionInput;

/// A position to be valued with its cube, by chances.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CubeRow {
    chances: [f64; 5],
    position: PositionInput,
}

/// The values of a position by the actions with the cube, in money games in units of the cube, in matches equivalent to
/// that.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CubeJson {
    no_double: f64,
    double_take: f64,
    double_pass: f64,
    cubeless: f64,
    action: &'static str,
}

/// The decision of a rollout about a double; `double_take` is absent if the player may not double.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CubeDecisionJson {
    no_double: f64,
    double_take: Option<f64>,
    double_pass: f64,
    /// Standard errors; absent if there are too few trials.
    se_no_double: Option<f64>,
    se_double_take: Option<f64>,
    action: &'static str,
}

impl From<CubeValues> for CubeJson {
    fn from(values: CubeValues) -> CubeJson {
        CubeJson {
            no_double: values.no_double,
            double_take: values.double_take,
            double_pass: values.double_pass,
            cubeless: values.cubeless,
            action: values.action.text(),
        }
    }
}

impl From<CubeDecision> for CubeDecisionJson {
    fn from(decision: CubeDecision) -> CubeDecisionJson {
        let (no_double, double_take) = (decision.no_double, decision.double_take);
        CubeDecisionJson {
            no_double: no_double.mean,
            double_take: double_take.map(|value| value.mean),
            double_pass: decision.values.double_pass,
            se_no_double: number(no_double.standard_error),
            se_double_take: double_take.and_then(|value| number(value.standard_error)),
            action: decision.values.action.text(),
        }
    }
}

/// The cube and score of a position, if values are `wanted` with them.
pub(crate) fn in_play(position: &Position, wanted: bool) -> Result<Option<CubeInPlay>, Failure> {
    let state = wanted.then(|| CubeState::from_context(position.context())).transpose()?;
    Ok(state.map(|state| CubeInPlay { state, efficiency: None }))
}

/// [`in_play`] under rules for which an efficiency of the cube must be known.
pub(crate) fn known(position: &Position, wanted: bool, rules: RuleSet) -> Result<Option<CubeInPlay>, Failure> {
    if wanted && !rules.has_cube_efficiency() {
        let message = format!("no efficiency of the cube is known for {rules}: leave cube out");
        return Err(Failure::new(Kind::Settings, message));
    }
    in_play(position, wanted)
}

/// The values of positions with their cubes, from their chances.
pub(crate) fn values(rows: &[CubeRow]) -> Result<Vec<CubeJson>, Failure> {
    let value = |(index, row): (usize, &CubeRow)| {
        let in_row =
            |kind: Kind, error: &dyn ToString| Failure::new(kind, format_args!("row {index}: {}", error.to_string()));
        let chances = OutcomeProbabilities::new(row.chances).map_err(|error| in_row(Kind::Settings, &error))?;
        let position = row.position.read().map_err(|error| in_row(Kind::Position, &error))?;
        RolledError::check(&position).map_err(|error| in_row(Kind::Position, &error))?;
        let values = cube::values(&position, &chances).map_err(|error| in_row(Kind::Position, &error))?;
        Ok(values.into())
    };
    rows.iter().enumerate().map(value).collect()
}
