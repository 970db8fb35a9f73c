//! The trials of a rollout.

use std::sync::Arc;

use tavli_backgammon::Tier;
use tavli_backgammon::policies::Players;

use crate::ask::candidate::Candidate;
use crate::ask::evaluators::Evaluators;
use crate::estimate::counts::CounterDimensions;
use crate::estimate::strata::Strata;

/// What the trials of a rollout are, and how they are played.
#[derive(Clone, Debug)]
pub(crate) struct TrialRunner {
    pub(crate) candidates: Arc<[Candidate]>,
    pub(crate) players: Players,
    pub(crate) evaluators: Evaluators,
    pub(crate) strata: Strata,
    pub(crate) tier: Tier,
}

impl TrialRunner {
    /// Dimensions of the counters these trials need.
    pub(crate) fn shape(&self) -> CounterDimensions {
        CounterDimensions {
            strata: self.strata,
            valued: self.evaluators.valued(),
        }
    }
}
