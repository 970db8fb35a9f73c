//! The heuristic.

use tavli_base::Stopped;

use tavli_game::{Heuristic, POINT};

use super::policy::Pubeval;
use crate::board::Planes;
use crate::rules::RuleSet;

/// The score of [`Pubeval`] as a heuristic of backgammon positions: it ranks plays and is not an equity. One point is 1
/// in the scale of the published weights.
#[derive(Clone, Copy, Debug)]
pub struct PubevalHeuristic {
    rules: RuleSet,
}

/// Scores are clamped to this many points: positions with many checkers on the bar have more.
const MAX_POINTS: i64 = 127;

impl PubevalHeuristic {
    /// The heuristic under these rules.
    #[must_use]
    pub fn new(rules: RuleSet) -> PubevalHeuristic {
        PubevalHeuristic { rules }
    }
}

impl Heuristic<Planes> for PubevalHeuristic {
    fn most(&self) -> i64 {
        MAX_POINTS * POINT
    }

    fn values(&self, positions: &[Planes], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        for (value, position) in values.iter_mut().zip(positions) {
            let of_opponent = i64::from(Pubeval::score(position, self.rules));
            // 64 bits are enough: a score has 31, and a point 30.
            let own = -of_opponent * POINT / i64::from(Pubeval::SCORE_UNIT);
            *value = own.clamp(-self.most(), self.most());
        }
        Ok(())
    }
}
