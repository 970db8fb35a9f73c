//! What a rollout says about a cube decision.

use tavli_cube::CubeValues;

use crate::ask::cube::CubeChoice;
use crate::estimate::statistic::Statistic;
use crate::estimate::summary::CandidateResult;
use crate::rollout::Rollout;

/// The result of a rollout before the roll with a cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeDecision {
    /// Without a double.
    pub no_double: Statistic,
    /// After a double that is taken, in units of the cube before it; `None` where the player on roll may not double.
    pub double_take: Option<Statistic>,
    /// The means of both, and the right action by them. Where the player may not double, the value after a double is
    /// that without.
    pub values: CubeValues,
}

impl Rollout {
    /// What the trials so far say about doubling; `None` without a cube, with a roll, and before the first trial.
    #[must_use]
    pub fn cube_decision(&self) -> Option<CubeDecision> {
        let state = self.cube()?.state;
        let result = |choice: CubeChoice| {
            let mut results = self.summary().standings.iter();
            results.find(|result| self.candidates()[result.candidate].cube_choice() == Some(choice))
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
}
