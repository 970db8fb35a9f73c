//! A policy that picks plays by an evaluator.

use std::sync::Arc;

use tavli_backgammon::Stopped;
use tavli_backgammon::evaluators::{Conditions, Evaluator};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;

use crate::choice::{self, EvaluatorMoveFilter};

/// Picks the play after which the opponent has the least equity by an evaluator. Of equally good plays it picks the
/// first in the order of [`Plays`](tavli_backgammon::Plays).
///
/// The policy has the name of the evaluator. So an evaluator with a move filter should have the filter in its name, as
/// [`LookAhead`](crate::LookAhead) has.
///
/// ```
/// use std::sync::Arc;
/// use tavli_backgammon::evaluators::Sampled;
/// use tavli_backgammon::policies::Policy;
/// use tavli_players::Greedy;
/// let player = Greedy::new(Arc::new(Sampled::default()), None);
/// assert_eq!(player.name(), "sampled:36:uniform");
/// ```
#[derive(Clone, Debug)]
pub struct Greedy {
    evaluator: Arc<dyn Evaluator>,
    filter: Option<EvaluatorMoveFilter>,
}

impl Greedy {
    /// Picks by this evaluator among all plays, or among those that pass a move filter.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, filter: Option<EvaluatorMoveFilter>) -> Greedy {
        Greedy { evaluator, filter }
    }
}

impl Policy for Greedy {
    fn name(&self) -> &str {
        self.evaluator.name()
    }

    fn view(&self) -> View {
        choice::view(self.evaluator.as_ref(), self.filter.as_ref())
    }

    fn pick(&self, decisions: &Decisions, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let conditions = Conditions::new(decisions.rules(), decisions.tier()).unless(stop);
        let (evaluator, filter) = (self.evaluator.as_ref(), self.filter.as_ref());
        let best = choice::best(&conditions, decisions, evaluator, filter)?;
        for (pick, best) in picks.iter_mut().zip(best) {
            *pick = best.index;
        }
        Ok(())
    }
}
