//! Two tables of known values in one.

use std::sync::Arc;

use tavli_backgammon::evaluators::{Knowledge, KnownValues, Probabilities};
use tavli_backgammon::{Planes, RuleSet};

/// The positions that either of two tables knows.
#[derive(Debug)]
pub(crate) struct KnownValuesChain {
    name: String,
    /// The table that is asked first.
    first: Arc<dyn KnownValues>,
    others: Arc<dyn KnownValues>,
}

impl KnownValuesChain {
    /// Joins a table to one that a player has. If both know a position, the added table decides.
    pub(crate) fn new(known: &Arc<dyn KnownValues>, added: Arc<dyn KnownValues>) -> KnownValuesChain {
        KnownValuesChain { name: format!("{}+{}", known.name(), added.name()), first: added, others: Arc::clone(known) }
    }
}

impl KnownValues for KnownValuesChain {
    fn name(&self) -> &str {
        &self.name
    }

    fn value(&self, rules: RuleSet, position: &Planes) -> Option<Probabilities> {
        let value = self.first.value(rules, position);
        value.or_else(|| self.others.value(rules, position))
    }

    fn knowledge(&self, rules: RuleSet, position: &Planes) -> Knowledge {
        match self.first.knowledge(rules, position) {
            Knowledge::Unknown => self.others.knowledge(rules, position),
            known => known,
        }
    }

    fn may_know_after_play(&self, rules: RuleSet, position: &Planes) -> bool {
        self.first.may_know_after_play(rules, position) || self.others.may_know_after_play(rules, position)
    }
}
