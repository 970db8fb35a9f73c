//! A net of any game, for programs that learn the game at run time.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use tavli_game::{Heuristic, PlayableGame};

/// A trained net of a game, read by [`AnyPosition::net`](super::AnyPosition::net).
#[derive(Clone)]
pub struct AnyNet {
    game: &'static str,
    /// The heuristic of the game's positions, as an `Arc<dyn Heuristic<_>>`.
    net: Arc<dyn Any + Send + Sync>,
}

impl AnyNet {
    pub(super) fn new<G: PlayableGame>(net: Arc<dyn Heuristic<G::Position>>) -> AnyNet {
        AnyNet { game: G::NAME, net: Arc::new(net) }
    }

    /// The name of its game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The net for positions of the game `G`; `None` if it is a net of another game.
    pub(super) fn heuristic<G: PlayableGame>(&self) -> Option<Arc<dyn Heuristic<G::Position>>> {
        // Plakoto and Fevga have one type of positions.
        let net = self.net.downcast_ref::<Arc<dyn Heuristic<G::Position>>>()?;
        (self.game == G::NAME).then(|| Arc::clone(net))
    }
}

impl fmt::Debug for AnyNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a net of {}", self.game)
    }
}
