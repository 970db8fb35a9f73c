//! The heuristic of an evaluator.

use core::fmt;
use std::sync::Arc;

use tavli_base::Stopped;

use tavli_game::{Heuristic, POINT};
use tavli_simd::Tier;

use crate::board::{Board, Planes};
use crate::evaluation_conditions::EvaluationConditions;
use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::policies::{Policy, Pubeval};
use crate::probabilities::Probabilities;
use crate::rules::RuleSet;
use crate::stepping::RollBatch;

/// The cubeless equity of backgammon positions by an evaluator. [`Pubeval`], which is cheap, picks the plays that Star2
/// probes.
#[derive(Clone)]
pub struct EquityHeuristic {
    rules: RuleSet,
    tier: Tier,
    evaluator: Arc<dyn Evaluator>,
}

impl fmt::Debug for EquityHeuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EquityHeuristic")
            .field("rules", &self.rules)
            .field("evaluator", &self.evaluator.name())
            .finish_non_exhaustive()
    }
}

impl EquityHeuristic {
    /// The equity by this evaluator under these rules. The tier changes the speed only.
    #[must_use]
    pub fn new(rules: RuleSet, tier: Tier, evaluator: Arc<dyn Evaluator>) -> EquityHeuristic {
        EquityHeuristic { rules, tier, evaluator }
    }

    /// The evaluator whose equities are the values.
    #[must_use]
    pub fn evaluator(&self) -> &Arc<dyn Evaluator> {
        &self.evaluator
    }
}

/// The equity of outcome probabilities, in [`POINT`]s.
fn points(value: &Probabilities) -> i64 {
    let numbers = value.numbers();
    let of = |outcome: &Outcome| i64::from(outcome.points()) * i64::from(numbers[*outcome as usize]);
    Outcome::ALL.iter().map(of).sum()
}

const _: () = assert!(POINT == Probabilities::ONE as i64);

impl Heuristic<Planes> for EquityHeuristic {
    /// Three points, even under rules without backgammons: evaluators need not know the rules.
    fn most(&self) -> i64 {
        3 * POINT
    }

    // Conditions without seeds: a position has the same value wherever the search meets it.
    fn values(&self, positions: &[Planes], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let conditions = EvaluationConditions::new(self.rules, self.tier).with_stop(stop);
        let found = self.evaluator.evaluated(&conditions, positions)?;
        for (value, found) in values.iter_mut().zip(&found) {
            *value = points(found);
        }
        Ok(())
    }

    fn likely(&self, position: &Planes, results: &[Vec<Planes>]) -> Vec<usize> {
        let mut decisions = RollBatch::new(self.rules).with_tier(self.tier);
        let pushed = decisions.push_rolls(&Board::from(*position));
        pushed.expect("the game goes on in a position with results");
        decisions.list(Pubeval.view());
        let mut picks = vec![0; results.len()];
        Pubeval.pick_best(&decisions, &mut picks);
        picks.into_iter().map(|pick| pick as usize).collect()
    }
}
