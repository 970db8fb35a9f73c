//! Progressive bias and unpruning, as a user asks for them and as a search reports them.

use tavli_backgammon::{Planes, RuleSet, Tier};
use tavli_search::ProgressiveBias;

use super::named_heuristic::NamedHeuristic;

/// A request for progressive bias, progressive unpruning or both: see [`ProgressiveBias`].
#[derive(Clone, Debug)]
pub struct ProgressiveBiasRequest {
    /// Values the plays when they join a tree.
    pub heuristic: NamedHeuristic,
    /// The factor of progressive bias, 0 to 1,000; 0 for progressive unpruning alone.
    pub bias: f64,
    /// Progressive unpruning: whether trees begin with the best plays only.
    pub unprunes: bool,
}

impl ProgressiveBiasRequest {
    pub(super) fn of_trees(&self, rules: RuleSet, tier: Tier) -> ProgressiveBias<Planes> {
        ProgressiveBias {
            heuristic: self.heuristic.heuristic(rules, tier),
            bias: self.bias,
            unprunes: self.unprunes,
        }
    }
}

/// The [`ProgressiveBiasRequest`] of a finished search, with the heuristic's name instead of the heuristic, so that it
/// can be saved and compared.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgressiveBiasRecord {
    /// The heuristic's name.
    pub heuristic: String,
    /// The factor of progressive bias.
    pub bias: f64,
    /// Whether trees began with the best plays only.
    pub unprunes: bool,
}

impl From<&ProgressiveBiasRequest> for ProgressiveBiasRecord {
    fn from(request: &ProgressiveBiasRequest) -> ProgressiveBiasRecord {
        ProgressiveBiasRecord {
            heuristic: request.heuristic.name().to_owned(),
            bias: request.bias,
            unprunes: request.unprunes,
        }
    }
}
