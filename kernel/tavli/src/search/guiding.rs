//! How a judge of positions guides the trees of a search.

use tavli_backgammon::{Planes, RuleSet, Tier};
use tavli_search::Guide;

use super::judge::Judge;

/// The progressive strategies by which a judge of positions guides trees, as they are asked for: see [`Guide`].
#[derive(Clone, Debug)]
pub struct Guiding {
    /// Who values the plays.
    pub judge: Judge,
    /// The factor of progressive bias, 0 to 1,000.
    pub bias: f64,
    /// Whether only the best plays take part at first.
    pub unprunes: bool,
}

impl Guiding {
    /// The guide of trees under these rules.
    pub(super) fn guide(&self, rules: RuleSet, tier: Tier) -> Guide<Planes> {
        Guide {
            heuristic: self.judge.heuristic(rules, tier),
            bias: self.bias,
            unprunes: self.unprunes,
        }
    }
}

/// The same, by the judge's name.
#[derive(Clone, PartialEq, Debug)]
pub struct Guided {
    /// The judge's name.
    pub judge: String,
    /// The factor of progressive bias.
    pub bias: f64,
    /// Whether only the best plays took part at first.
    pub unprunes: bool,
}

impl From<&Guiding> for Guided {
    fn from(guiding: &Guiding) -> Guided {
        Guided {
            judge: guiding.judge.name().to_owned(),
            bias: guiding.bias,
            unprunes: guiding.unprunes,
        }
    }
}
