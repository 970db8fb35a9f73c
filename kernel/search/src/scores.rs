//! The heuristic of pubeval.

use tavli_backgammon::policies::Pubeval;
use tavli_backgammon::{Planes, RuleSet, Stopped};

use crate::heuristic::{Heuristic, UNIT};

/// The score of [`Pubeval`] as a heuristic of backgammon positions: it ranks plays and is not an equity. One point is 1
/// in the scale of the published weights.
#[derive(Clone, Copy, Debug)]
pub struct Scores {
    rules: RuleSet,
}

/// Scores are clamped to this many points: positions with many checkers on the bar have more.
const MOST: i64 = 127;

impl Scores {
    /// The heuristic under these rules.
    #[must_use]
    pub fn new(rules: RuleSet) -> Scores {
        Scores { rules }
    }
}

impl Heuristic<Planes> for Scores {
    fn most(&self) -> i64 {
        MOST * UNIT
    }

    fn values(&self, positions: &[Planes], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        for (value, position) in values.iter_mut().zip(positions) {
            let of_opponent = i64::from(Pubeval::score(position, self.rules));
            let own = -of_opponent * UNIT / i64::from(Pubeval::SCORE_UNIT);
            *value = own.clamp(-self.most(), self.most());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::games::Decisions;
    use tavli_backgammon::playout::Throw;
    use tavli_backgammon::policies::Policy;
    use tavli_backgammon::{Board, Roll};

    /// From the opening, where the function is the same before and after the play.
    #[test]
    fn the_play_of_the_highest_score_is_pubevals() {
        let scores = Scores::new(RuleSet::Backgammon);
        let mut decisions = Decisions::new(RuleSet::Backgammon);
        for roll in Roll::ALL {
            let pushed = decisions.push(&Board::START, Throw { roll, fraction: 0 });
            pushed.expect("the game goes on");
        }
        decisions.list(Pubeval.view());
        let mut picks = vec![0; Roll::ALL.len()];
        let picked = Pubeval.pick(&decisions, &mut picks, &|| false);
        picked.expect("nothing stops it");
        for (decision, (roll, pick)) in Roll::ALL.into_iter().zip(picks).enumerate() {
            let after = decisions.results_of(decision);
            let mut values = vec![0; after.len()];
            let valued = scores.values(after, &mut values, &|| false);
            valued.expect("nothing stops it");
            // Those of the player next on roll: the least is the best for who makes the play.
            assert_eq!(Some(&values[pick as usize]), values.iter().min(), "{roll}");
            assert!(values.iter().all(|value| value.abs() <= scores.most()));
        }
    }
}
