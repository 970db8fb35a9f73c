//! Heuristics of backgammon positions by name.

use std::sync::Arc;

use tavli_backgammon::evaluators::{EquityHeuristic, Evaluator};
use tavli_backgammon::policies::{Pubeval, PubevalHeuristic};
use tavli_backgammon::{Planes, RuleSet, Tier};
use tavli_players::named::{self, NamedError};
use tavli_search::Heuristic;

/// A heuristic of backgammon positions that has a name: for the leaves of a search to a limited depth, and for
/// progressive bias.
#[derive(Clone, Debug)]
pub enum NamedHeuristic {
    /// The equity of an evaluator.
    Evaluator(Arc<dyn Evaluator>),
    /// The linear function of [`Pubeval`], which ranks plays and is not an equity.
    Pubeval,
}

impl NamedHeuristic {
    /// Looks up a name: `pubeval`, or an [evaluator](named::evaluator), with its `stop`.
    ///
    /// ```
    /// use tavli_analysis::search::NamedHeuristic;
    /// use tavli_backgammon::NO_STOP;
    /// assert_eq!(NamedHeuristic::named("pubeval", NO_STOP)?.name(), "pubeval");
    /// assert_eq!(NamedHeuristic::named("fast", NO_STOP)?.name(), "fast");
    /// assert!(NamedHeuristic::named("uniform", NO_STOP).is_err());
    /// # Ok::<(), tavli_players::named::NamedError>(())
    /// ```
    ///
    /// # Errors
    /// As [`named::evaluator`].
    pub fn named(text: &str, stop: &dyn Fn() -> bool) -> Result<NamedHeuristic, NamedError> {
        if text == Pubeval::NAME {
            return Ok(NamedHeuristic::Pubeval);
        }
        named::evaluator(text, stop).map(NamedHeuristic::Evaluator)
    }

    /// The name by which [`NamedHeuristic::named`] finds it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            NamedHeuristic::Evaluator(evaluator) => evaluator.name(),
            NamedHeuristic::Pubeval => Pubeval::NAME,
        }
    }

    /// The heuristic under these rules. The tier changes only the speed.
    #[must_use]
    pub fn heuristic(&self, rules: RuleSet, tier: Tier) -> Arc<dyn Heuristic<Planes>> {
        match self {
            NamedHeuristic::Evaluator(evaluator) => Arc::new(EquityHeuristic::new(rules, tier, Arc::clone(evaluator))),
            NamedHeuristic::Pubeval => Arc::new(PubevalHeuristic::new(rules)),
        }
    }
}
