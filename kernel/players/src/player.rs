//! A player: who picks plays, and perhaps values positions.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, EvaluatorError};
use tavli_backgammon::policies::Policy;

use crate::choice::EvaluatorMoveFilter;
use crate::greedy::Greedy;
use crate::look_ahead::LookAhead;

/// Who picks plays, and values positions if he can.
#[derive(Clone, Debug)]
pub struct NamedPlayer {
    /// Picks the plays.
    pub policy: Arc<dyn Policy>,
    /// Values positions; `None` if the player only ranks plays.
    pub evaluator: Option<Arc<dyn Evaluator>>,
}

impl NamedPlayer {
    /// A player who picks plays, and does not value positions.
    #[must_use]
    pub fn from_policy(policy: impl Policy) -> NamedPlayer {
        NamedPlayer {
            policy: Arc::new(policy),
            evaluator: None,
        }
    }

    /// A player who picks plays and values positions.
    #[must_use]
    pub fn from_policy_and_evaluator<P: Policy + Evaluator>(player: P) -> NamedPlayer {
        let player = Arc::new(player);
        NamedPlayer {
            policy: Arc::clone(&player) as Arc<dyn Policy>,
            evaluator: Some(player),
        }
    }

    /// A player who picks by an evaluator.
    #[must_use]
    pub fn from_evaluator(evaluator: Arc<dyn Evaluator>) -> NamedPlayer {
        NamedPlayer {
            policy: Arc::new(Greedy::new(Arc::clone(&evaluator), None)),
            evaluator: Some(evaluator),
        }
    }

    /// A player who picks by an evaluator so many plies ahead, among all plays or those that are filter.
    #[must_use]
    pub fn ahead(evaluator: Arc<dyn Evaluator>, plies: NonZeroU32, filter: Option<EvaluatorMoveFilter>) -> NamedPlayer {
        let ahead: Arc<dyn Evaluator> = Arc::new(LookAhead::new(evaluator, plies, filter.clone()));
        NamedPlayer {
            policy: Arc::new(Greedy::new(Arc::clone(&ahead), filter)),
            evaluator: Some(ahead),
        }
    }

    /// The evaluator, where one is needed.
    ///
    /// # Errors
    /// [`EvaluatorError::Policy`] if the player does not value positions.
    pub fn valuing(self) -> Result<Arc<dyn Evaluator>, EvaluatorError> {
        let no_evaluator = || EvaluatorError::Policy(self.policy.name().to_owned());
        self.evaluator.ok_or_else(no_evaluator)
    }
}
