//! A policy that picks plays by an evaluator.

use std::sync::Arc;

use tavli_backgammon::Stopped;
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator};
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::RollBatch;

/// Picks the play that leaves the opponent the least equity by an evaluator; among equally good plays, the first in the
/// order of [`Plays`](tavli_backgammon::Plays).
///
/// The policy has the name of the evaluator.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::evaluators::Sampled;
/// use tavli_backgammon::policies::Policy;
/// use tavli_players::Greedy;
/// let player = Greedy::new(Arc::new(Sampled::default()));
/// assert_eq!(player.name(), "sampled:36:uniform");
/// ```
#[derive(Clone, Debug)]
pub struct Greedy {
    evaluator: Arc<dyn Evaluator>,
}

impl Greedy {
    /// Picks by this evaluator.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>) -> Greedy {
        Greedy { evaluator }
    }
}

impl Policy for Greedy {
    fn name(&self) -> &str {
        self.evaluator.name()
    }

    fn view(&self) -> View {
        self.evaluator.view_of_plays()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let conditions = EvaluationConditions::new(decisions.rules(), decisions.tier()).with_stop(stop);
        let best = self.evaluator.best_plays(&conditions, decisions)?;
        for (pick, best) in picks.iter_mut().zip(best) {
            *pick = best.index;
        }
        Ok(())
    }

    // An evaluator may play games for each position.
    fn first_games(&self) -> u64 {
        1
    }

    fn evaluator(self: Arc<Self>) -> Option<Arc<dyn Evaluator>> {
        Some(Arc::clone(&self.evaluator))
    }
}
