//! The heuristic of a game's evaluator.

use core::fmt;
use std::sync::Arc;

use tavli_game::PlayableGame;
use tavli_game::Stopped;

use tavli_game::{Heuristic, POINT};

/// An evaluator of a game, from its [`PlayableGame::EVALUATORS`].
pub struct GameEvaluator<G> {
    game: Arc<G>,
    index: usize,
}

impl<G: PlayableGame> GameEvaluator<G> {
    /// The evaluator with the index `index`.
    ///
    /// # Panics
    /// If the game has fewer.
    #[must_use]
    pub fn new(game: Arc<G>, index: usize) -> GameEvaluator<G> {
        assert!(index < G::EVALUATORS.len(), "an evaluator of {}", G::NAME);
        GameEvaluator { game, index }
    }
}

impl<G: PlayableGame> fmt::Debug for GameEvaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", G::EVALUATORS[self.index], G::NAME)
    }
}

impl<G: PlayableGame> Heuristic<G::Position> for GameEvaluator<G> {
    /// The points of the best end: no position has a higher value.
    fn most(&self) -> i64 {
        let points = G::OUTCOMES.iter().map(|outcome| i64::from(outcome.points.abs()));
        POINT * points.max().expect("a game can end")
    }

    fn values(&self, positions: &[G::Position], values: &mut [i64], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        for (value, position) in values.iter_mut().zip(positions) {
            let points = self.game.value(position, self.index);
            // Within `most`: searches leave positions out by this bound.
            *value = ((points * POINT as f64) as i64).clamp(-self.most(), self.most());
        }
        Ok(())
    }
}
