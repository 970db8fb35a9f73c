//! Playouts of one position.

use core::ops::Range;

use crate::game::{Game, Leaf, Leaves};
use crate::stopped::Stopped;
use crate::tally::Tally;

/// Plays the games of these numbers from a position in which the game goes on.
///
/// The tally depends on the game, the position and the numbers alone: tallies of neighbouring ranges add up.
///
/// # Errors
/// [`Stopped`] if `stop` returned `true`.
pub fn playouts<G: Game>(
    game: &G,
    position: &G::Position,
    chance: Option<usize>,
    games: Range<u64>,
    stop: &dyn Fn() -> bool,
) -> Result<Tally, Stopped> {
    let asked = games.end - games.start;
    let mut from = FromOnePosition {
        position: *position,
        chance,
        games,
        tally: Tally::default(),
    };
    game.play_out(&mut from, stop);
    if from.tally.games == asked {
        Ok(from.tally)
    } else {
        Err(Stopped)
    }
}

/// The games of consecutive numbers from one position.
struct FromOnePosition<P> {
    position: P,
    chance: Option<usize>,
    games: Range<u64>,
    tally: Tally,
}

impl<P: Copy> Leaves<P> for FromOnePosition<P> {
    fn next(&mut self) -> Option<Leaf<P>> {
        let game = self.games.next()?;
        Some(Leaf {
            position: self.position,
            chance: self.chance,
            game,
            tag: game,
        })
    }

    fn end(&mut self, _: u64, points: i32, plies: u32) {
        self.tally.add(points, plies);
    }
}
