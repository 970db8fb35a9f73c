//! How an evaluator guides the trees of a search.

use std::sync::Arc;

use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::{Planes, RuleSet, Tier};
use tavli_search::{Guide, Values};

/// The progressive strategies by which an evaluator guides trees, as they are asked for: see [`Guide`].
#[derive(Clone, Debug)]
pub struct Guiding {
    /// Who values the plays.
    pub evaluator: Arc<dyn Evaluator>,
    /// The factor of progressive bias, 0 or more.
    pub bias: f64,
    /// Whether only the best plays take part at first.
    pub unprunes: bool,
}

impl Guiding {
    /// The guide of trees under these rules.
    pub(super) fn guide(&self, rules: RuleSet, tier: Tier) -> Guide<Planes> {
        Guide {
            heuristic: Arc::new(Values::new(rules, tier, Arc::clone(&self.evaluator))),
            bias: self.bias,
            unprunes: self.unprunes,
        }
    }
}

/// The same, by the evaluator's name.
#[derive(Clone, PartialEq, Debug)]
pub struct Guided {
    /// The evaluator's name.
    pub evaluator: String,
    /// The factor of progressive bias.
    pub bias: f64,
    /// Whether only the best plays took part at first.
    pub unprunes: bool,
}

impl From<&Guiding> for Guided {
    fn from(guiding: &Guiding) -> Guided {
        Guided {
            evaluator: guiding.evaluator.name().to_owned(),
            bias: guiding.bias,
            unprunes: guiding.unprunes,
        }
    }
}
