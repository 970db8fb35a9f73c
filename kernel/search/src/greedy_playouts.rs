//! Playouts in which a player makes the best choices.

use std::sync::Arc;

use rand_xoshiro::rand_core::Rng;

use tavli_base::Stopped;
use tavli_game::streams::{StreamKey, generator};
use tavli_game::{Game, POINT, draw};

use crate::look_ahead::GameLookAhead;

/// Playouts in which both sides look ahead in every ply and make the best choice, the first of equal choices.
///
/// A ply takes one word of the game's stream, which draws the chance as in [`tavli_game::play_out_one_by_one`]. So
/// games of the same number have the same dice, whoever makes the choices.
#[derive(Debug)]
pub struct GreedyPlayouts<G: Game> {
    game: Arc<G>,
    player: GameLookAhead<G>,
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
    /// The [luck](GameLookAhead::luck) of all chances, in [`tavli_game::POINT`]s of a point, if it was measured. Its
    /// mean over all games is 0.
    pub luck: Option<i64>,
}

impl<G: Game> GreedyPlayouts<G> {
    /// The playouts of a game by a player, with the seed `seed`.
    #[must_use]
    pub fn new(game: Arc<G>, player: GameLookAhead<G>, seed: u64) -> GreedyPlayouts<G> {
        GreedyPlayouts { game, player, key: StreamKey::new(seed), measures_luck: false }
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
        let (last, points) = self.last_position(position, number, u32::MAX, stop)?;
        Ok(GreedyPlayout {
            points: last.sign as i32 * points.expect("the game is not cut off"),
            plies: last.plies,
            luck: self.measures_luck.then_some(last.luck),
        })
    }

    /// The value of the game of a number for the player whose turn it is in its first position, in [`POINT`]s of a
    /// point: its points, or, if it is cut off after `max_plies` plies, the player's value of the last position. If
    /// luck is measured, it is subtracted.
    ///
    /// # Errors
    /// As [`GreedyPlayouts::play`].
    pub fn value(
        &self,
        position: &G::Position,
        number: u64,
        max_plies: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<i64, Stopped> {
        let (last, points) = self.last_position(position, number, max_plies, stop)?;
        let value = match points {
            Some(points) => i64::from(points) * POINT,
            None => self.player.value(&last.position, stop)?,
        };
        Ok(last.sign * value - last.luck)
    }

    /// Where the game of a number ends, with its points, or is cut off after `max_plies` plies.
    fn last_position(
        &self,
        position: &G::Position,
        number: u64,
        max_plies: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<(LastPosition<G::Position>, Option<i32>), Stopped> {
        let mut words = generator(self.key.state(number));
        let mut last = LastPosition { position: *position, plies: 0, sign: 1, luck: 0 };
        loop {
            let points = self.game.points(&last.position);
            if points.is_some() || last.plies == max_plies {
                return Ok((last, points));
            }
            if stop() {
                return Err(Stopped);
            }
            let (chance, _) = draw(self.game.chances(), words.next_u32());
            if self.measures_luck {
                last.luck += last.sign * self.player.luck(&last.position, chance, stop)?;
            }
            let results = self.game.results(&last.position, chance);
            last.position = results[self.player.best_result(&last.position, &results, stop)?];
            last.plies += 1;
            last.sign = -last.sign;
        }
    }
}

/// The last position of a game.
struct LastPosition<P> {
    position: P,
    plies: u32,
    /// 1 if it is the turn of the same player as in the first position, otherwise -1.
    sign: i64,
    /// The luck of all chances for the player of the first position; 0 if it is not measured.
    luck: i64,
}
