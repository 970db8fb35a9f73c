//! Who values positions for a search.

use std::sync::Arc;

use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::Pubeval;
use tavli_backgammon::{Planes, RuleSet, Tier};
use tavli_players::named::{self, NamedError};
use tavli_search::{Heuristic, Scores, Values};

/// Who values positions where a search looks no further, or before it has tried them.
#[derive(Clone, Debug)]
pub enum Judge {
    /// An evaluator, by its equity.
    Evaluator(Arc<dyn Evaluator>),
    /// [`Pubeval`], by its linear function, which ranks plays and is not an equity.
    Pubeval,
}

impl Judge {
    /// The judge of a name: `pubeval`, or an [evaluator](named::evaluator).
    ///
    /// ```
    /// use tavli::search::Judge;
    /// assert_eq!(Judge::named("pubeval")?.name(), "pubeval");
    /// assert_eq!(Judge::named("fast")?.name(), "fast");
    /// assert!(Judge::named("uniform").is_err());
    /// # Ok::<(), tavli::named::NamedError>(())
    /// ```
    ///
    /// # Errors
    /// As [`named::evaluator`].
    pub fn named(text: &str) -> Result<Judge, NamedError> {
        if text == Pubeval::NAME {
            return Ok(Judge::Pubeval);
        }
        named::evaluator(text).map(Judge::Evaluator)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Judge::Evaluator(evaluator) => evaluator.name(),
            Judge::Pubeval => Pubeval::NAME,
        }
    }

    /// How it values positions under these rules. The tier changes the speed only.
    #[must_use]
    pub fn heuristic(&self, rules: RuleSet, tier: Tier) -> Arc<dyn Heuristic<Planes>> {
        match self {
            Judge::Evaluator(evaluator) => Arc::new(Values::new(rules, tier, Arc::clone(evaluator))),
            Judge::Pubeval => Arc::new(Scores::new(rules)),
        }
    }
}
