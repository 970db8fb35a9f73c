//! Two tables of known ends in one.

use std::sync::Arc;

use tavli_backgammon::evaluators::{KnownValues, Probabilities};
use tavli_backgammon::{Planes, RuleSet};

/// The positions that either of two tables knows.
#[derive(Debug)]
pub(crate) struct EitherEnds {
    name: String,
    /// The table that is asked first.
    first: Arc<dyn KnownValues>,
    others: Arc<dyn KnownValues>,
}

impl EitherEnds {
    /// Joins a table to one that a player has. Where both know a position, the added one decides.
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
