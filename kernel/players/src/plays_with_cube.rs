//! Players that choose their plays with the cube.

use core::any::Any;
use std::sync::Arc;

use tavli_backgammon::Stopped;
use tavli_backgammon::evaluators::{Evaluator, KnownValues};
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::RollBatch;

use crate::player::NamedPlayer;

/// A player that chooses its plays with the cube. A policy sees no cube, so in games with a cube the caller chooses
/// plays by the evaluator; in games without one the player picks as usual.
#[derive(Debug)]
struct PlaysWithCube {
    name: String,
    policy: Arc<dyn Policy>,
    evaluator: Arc<dyn Evaluator>,
}

/// The addition that names such a player: `fast+cube`.
pub(crate) const ADDITION: &str = "cube";

/// Wraps a player so that games with a cube choose its plays with the cube; `None` if it values no positions.
pub(crate) fn with_cube(player: NamedPlayer) -> Option<NamedPlayer> {
    let NamedPlayer { policy, evaluator } = player;
    let evaluator = evaluator?;
    let player =
        PlaysWithCube { name: format!("{}+{ADDITION}", policy.name()), policy, evaluator: Arc::clone(&evaluator) };
    Some(NamedPlayer { policy: Arc::new(player), evaluator: Some(evaluator) })
}

/// The evaluator that chooses a policy's plays in games with a cube; `None` if the policy also picks its plays there.
#[must_use]
pub fn cubeful_evaluator(policy: &dyn Policy) -> Option<&Arc<dyn Evaluator>> {
    // A downcast, so that the trait of policies, which see no cube, needs no method for it.
    let policy: &dyn Any = policy;
    policy.downcast_ref::<PlaysWithCube>().map(|player| &player.evaluator)
}

impl Policy for PlaysWithCube {
    fn name(&self) -> &str {
        &self.name
    }

    fn view(&self) -> View {
        self.policy.view()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        self.policy.pick(decisions, picks, stop)
    }

    fn first_games(&self) -> u64 {
        self.policy.first_games()
    }

    fn evaluator(self: Arc<Self>) -> Option<Arc<dyn Evaluator>> {
        Some(Arc::clone(&self.evaluator))
    }

    fn known_values(&self) -> Option<&Arc<dyn KnownValues>> {
        self.policy.known_values()
    }
}
