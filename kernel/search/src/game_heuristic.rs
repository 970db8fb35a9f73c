//! A game's own heuristics.

use core::fmt;
use std::sync::Arc;

use tavli_base::Stopped;
use tavli_game::PlayableGame;

use tavli_game::{Heuristic, POINT};

/// A heuristic of a game, from its [`PlayableGame::HEURISTICS`].
pub struct GameHeuristic<G> {
    game: Arc<G>,
    index: usize,
}

impl<G: PlayableGame> GameHeuristic<G> {
    /// The heuristic with the index `index`.
    ///
    /// # Panics
    /// If the game has fewer.
    #[must_use]
    pub fn new(game: Arc<G>, index: usize) -> GameHeuristic<G> {
        assert!(index < G::HEURISTICS.len(), "an evaluator of {}", G::NAME);
        GameHeuristic { game, index }
    }
}

impl<G: PlayableGame> fmt::Debug for GameHeuristic<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", G::HEURISTICS[self.index], G::NAME)
    }
}

impl<G: PlayableGame> Heuristic<G::Position> for GameHeuristic<G> {
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
