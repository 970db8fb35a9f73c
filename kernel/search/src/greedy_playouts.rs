//! Playouts in which a player makes the best choices.

use std::sync::Arc;

use rand_xoshiro::rand_core::Rng;

use tavli_game::streams::{StreamKey, generator};
use tavli_game::{Game, Stopped, draw};

use crate::look_ahead::LookAhead;

/// Playouts in which both sides look ahead in every ply and make the best choice, the first of equal ones.
///
/// A ply takes one word of the game's stream, which draws the chance as in [`tavli_game::play_out_one_by_one`]. So
/// games of the same number have the same dice, whoever makes the choices.
#[derive(Debug)]
pub struct GreedyPlayouts<G: Game> {
    game: Arc<G>,
    player: LookAhead<G>,
    key: StreamKey,
    measures_luck: bool,
}

/// How a playout ended, for the player whose turn it was in its first position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GreedyPlayout {
    /// The points.
    pub points: i32,
    /// The plies.
    pub plies: u32,
    /// The [luck](LookAhead::luck) of all chances, in [`tavli_game::POINT`]s of a point, if it was measured. Its mean
    /// over all games is 0.
    pub luck: Option<i64>,
}

impl<G: Game> GreedyPlayouts<G> {
    /// The playouts of a game by a player, of this seed.
    #[must_use]
    pub fn new(game: Arc<G>, player: LookAhead<G>, seed: u64) -> GreedyPlayouts<G> {
        GreedyPlayouts {
            game,
            player,
            key: StreamKey::new(seed),
            measures_luck: false,
        }
    }

    /// Measures luck, or not. A game with luck takes several times as long.
    #[must_use]
    pub fn measuring_luck(mut self, measures_luck: bool) -> GreedyPlayouts<G> {
        self.measures_luck = measures_luck;
        self
    }

    /// Plays the game of a number from a position. The game may be over there.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    pub fn play(&self, position: &G::Position, number: u64, stop: &dyn Fn() -> bool) -> Result<GreedyPlayout, Stopped> {
        let mut words = generator(self.key.state(number));
        let mut position = *position;
        let (mut plies, mut sign, mut luck) = (0, 1, 0_i64);
        loop {
            if let Some(points) = self.game.points(&position) {
                let points = sign as i32 * points;
                let luck = self.measures_luck.then_some(luck);
                return Ok(GreedyPlayout { points, plies, luck });
            }
            if stop() {
                return Err(Stopped);
            }
            let (chance, _) = draw(self.game.chances(), words.next_u32());
            if self.measures_luck {
                luck += sign * self.player.luck(&position, chance, stop)?;
            }
            let results = self.game.results(&position, chance);
            position = results[self.player.best_result(&position, &results, stop)?];
            plies += 1;
            sign = -sign;
        }
    }
}
