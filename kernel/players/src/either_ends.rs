//! Ends of two kinds.

use std::sync::Arc;

use tavli_backgammon::evaluators::{KnownValues, Probabilities};
use tavli_backgammon::{Planes, RuleSet};

/// The positions of either of two kinds of ends.
#[derive(Debug)]
pub(crate) struct EitherEnds {
    name: String,
    /// Those asked first.
    first: Arc<dyn KnownValues>,
    others: Arc<dyn KnownValues>,
}

impl EitherEnds {
    /// The positions that are known already, and those that are added, which decide where both are.
    pub(crate) fn new(known: &Arc<dyn KnownValues>, added: Arc<dyn KnownValues>) -> EitherEnds {
        EitherEnds {
            name: format!("{}+{}", known.name(), added.name()),
            first: added,
            others: Arc::clone(known),
        }
    }
}

impl KnownValues for EitherEnds {
    fn name(&self) -> &str {
        &self.name
    }

    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities> {
        let value = self.first.value(rules, position);
        value.or_else(|| self.others.value(rules, position))
    }
}
