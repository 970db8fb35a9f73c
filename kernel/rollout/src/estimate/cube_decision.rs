//! The cube decision of a rollout.

use tavli_cube::CubeValues;
use tavli_trials::Statistic;

use crate::ask::checked_request::CheckedRequest;
use crate::ask::cube::CubeChoice;
use crate::estimate::summary::{CandidateResult, Summary};

/// The result of a rollout before the roll with a cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeDecision {
    /// Without a double.
    pub no_double: Statistic,
    /// After a double that is taken, in units of the cube before it; `None` if the player on roll may not double.
    pub double_take: Option<Statistic>,
    /// The means of both, and the right action by them. Where the player may not double, the value after a double is
    /// the value without a double.
    pub values: CubeValues,
}

impl CubeDecision {
    /// The decision by the results of a rollout; `None` without a cube, with a roll, and before the first trial.
    pub(crate) fn new(checked: &CheckedRequest, summary: &Summary) -> Option<CubeDecision> {
        let state = checked.cube.as_ref()?.in_play.state;
        let result = |choice: CubeChoice| {
            let mut results = summary.standings.iter();
            results.find(|result| checked.candidates[result.candidate].cube_choice() == Some(choice))
        };
        let value = |result: &CandidateResult| result.cubeful.filter(|_| result.trials > 0);
        let kept = result(CubeChoice::NoDouble)?;
        let no_double = value(kept)?;
        let double_take = result(CubeChoice::DoubleTake).and_then(value);
        let means = [no_double.mean, double_take.unwrap_or(no_double).mean];
        Some(CubeDecision {
            no_double,
            double_take,
            values: CubeValues::from_equities(means, kept.equity.mean, kept.win_gammon.mean > 0.0, &state),
        })
    }

    /// The value with the right action, and how far it may be off. A double that is right to pass has the value of the
    /// pass. It is as uncertain as the take, unless the take's whole interval is worse for the opponent.
    #[must_use]
    pub fn best(&self) -> Statistic {
        let doubled = self.double_take.filter(|_| self.values.action.doubles());
        let Some(taken) = doubled else {
            return self.no_double;
        };
        let pass = self.values.double_pass;
        if taken.low >= pass {
            return Statistic::certain(pass);
        }
        Statistic {
            mean: taken.mean.min(pass),
            raw_mean: taken.raw_mean.min(pass),
            low: taken.low.min(pass),
            high: taken.high.min(pass),
            ..taken
        }
    }
}

#[cfg(test)]
mod tests {
    use tavli_cube::{CubeState, CubeValues};

    use super::*;

    /// A decision for money whose double, take has the mean `double_take`, with intervals of 0.4 to either side.
    fn decision(double_take: f64) -> CubeDecision {
        let about = |mean: f64| Statistic {
            mean,
            raw_mean: mean,
            standard_deviation: 1.2,
            standard_error: 0.2,
            low: mean - 0.4,
            high: mean + 0.4,
        };
        let no_double = 0.8;
        CubeDecision {
            no_double: about(no_double),
            double_take: Some(about(double_take)),
            values: CubeValues::from_equities([no_double, double_take], 0.6, true, &CubeState::default()),
        }
    }

    #[test]
    fn a_pass_is_certain_where_the_whole_interval_of_the_take_is_beyond_it() {
        for (double_take, mean, error, low, high) in [
            (0.7, 0.8, 0.2, 0.4, 1.2), // no double
            (0.9, 0.9, 0.2, 0.5, 1.0),
            (1.1, 1.0, 0.2, 0.7, 1.0),
            (1.5, 1.0, 0.0, 1.0, 1.0),
        ] {
            let decision = decision(double_take);
            let best = decision.best();
            assert_eq!(best.mean, decision.values.best(), "double, take {double_take}");
            let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
            assert!(close(best.mean, mean) && close(best.standard_error, error), "{best:?}");
            assert!(close(best.low, low) && close(best.high, high), "{best:?}");
        }
    }
}
