//! A player: who picks plays, and perhaps values positions.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, EvaluatorError};
use tavli_backgammon::policies::Policy;

use crate::choice::Kept;
use crate::greedy::Greedy;
use crate::look_ahead::LookAhead;

/// Who picks plays, and values positions if he can.
#[derive(Clone, Debug)]
pub struct Named {
    /// Picks the plays.
    pub policy: Arc<dyn Policy>,
    /// Values positions; `None` if the player only ranks plays.
    pub evaluator: Option<Arc<dyn Evaluator>>,
}

impl Named {
    /// A player who picks plays, and does not value positions.
    #[must_use]
    pub fn of_policy(policy: impl Policy) -> Named {
        Named {
            policy: Arc::new(policy),
            evaluator: None,
        }
    }

    /// A player who picks plays and values positions.
    #[must_use]
    pub fn of_both<P: Policy + Evaluator>(player: P) -> Named {
        let player = Arc::new(player);
        Named {
            policy: Arc::clone(&player) as Arc<dyn Policy>,
            evaluator: Some(player),
        }
    }

    /// A player who picks by an evaluator.
    #[must_use]
    pub fn of_evaluator(evaluator: Arc<dyn Evaluator>) -> Named {
        Named {
            policy: Arc::new(Greedy::new(Arc::clone(&evaluator), None)),
            evaluator: Some(evaluator),
        }
    }

    /// A player who picks by an evaluator so many plies ahead, among all plays or those that are kept.
    #[must_use]
    pub fn ahead(evaluator: Arc<dyn Evaluator>, plies: NonZeroU32, kept: Option<Kept>) -> Named {
        let ahead: Arc<dyn Evaluator> = Arc::new(LookAhead::new(evaluator, plies, kept.clone()));
        Named {
            policy: Arc::new(Greedy::new(Arc::clone(&ahead), kept)),
            evaluator: Some(ahead),
        }
    }

    /// The evaluator, where one is needed.
    ///
    /// # Errors
    /// [`EvaluatorError::Policy`] if the player does not value positions.
    pub fn valuing(self) -> Result<Arc<dyn Evaluator>, EvaluatorError> {
        let of_policy = || EvaluatorError::Policy(self.policy.name().to_owned());
        self.evaluator.ok_or_else(of_policy)
    }
}
