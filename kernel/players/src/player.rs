//! A player: a policy, and perhaps an evaluator.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, EvaluatorError};
use tavli_backgammon::policies::Policy;

use crate::greedy::Greedy;
use crate::look_ahead::LookAhead;
use crate::move_filters::MoveFilters;

/// A player as a name or a file gives it: it picks plays, and perhaps values positions.
#[derive(Clone, Debug)]
pub struct NamedPlayer {
    /// Picks the plays.
    pub policy: Arc<dyn Policy>,
    /// Values positions; `None` if the player only ranks plays.
    pub evaluator: Option<Arc<dyn Evaluator>>,
}

impl NamedPlayer {
    /// A player that only picks plays.
    #[must_use]
    pub(crate) fn from_policy(policy: impl Policy) -> NamedPlayer {
        NamedPlayer { policy: Arc::new(policy), evaluator: None }
    }

    /// A player that picks plays and values positions.
    #[must_use]
    pub(crate) fn from_policy_and_evaluator<P: Policy + Evaluator>(player: P) -> NamedPlayer {
        let player = Arc::new(player);
        NamedPlayer { policy: Arc::clone(&player) as Arc<dyn Policy>, evaluator: Some(player) }
    }

    /// A player that picks plays by an evaluator.
    #[must_use]
    pub fn from_evaluator(evaluator: Arc<dyn Evaluator>) -> NamedPlayer {
        NamedPlayer { policy: Arc::new(Greedy::new(Arc::clone(&evaluator))), evaluator: Some(evaluator) }
    }

    /// A player that looks `plies` plies ahead by an evaluator, at the plays that pass these filters.
    #[must_use]
    pub fn looking_ahead(evaluator: Arc<dyn Evaluator>, plies: NonZeroU32, filters: MoveFilters) -> NamedPlayer {
        NamedPlayer::from_policy_and_evaluator(LookAhead::new(evaluator, plies, filters))
    }

    /// The player's evaluator.
    ///
    /// # Errors
    /// [`EvaluatorError::Policy`] if the player does not value positions.
    pub fn valuing(self) -> Result<Arc<dyn Evaluator>, EvaluatorError> {
        let no_evaluator = || EvaluatorError::Policy(self.policy.name().to_owned());
        self.evaluator.ok_or_else(no_evaluator)
    }
}
