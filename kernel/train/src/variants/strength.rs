//! How well a net plays against Tavli3D.

use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::{StreamKey, generator};
use tavli_game::{PlayableGame, draw, pick};
use tavli_run::{Cancel, Workers};
use tavli_simd::Tier;
use tavli_variants::Position;
use tavli_variants::nets::{Net, NetBuffers};

use super::learner::{ChoiceRule, best};
use crate::parallel_parts::each_part;
use crate::strength::{Opponent, Strength};

/// A game with known choices by Tavli3D.
pub(super) trait Tavli3dGame: PlayableGame<Position = Position> {
    /// The choices that Tavli3D rates highest.
    fn tavli3d(&self, position: &Position, chance: usize) -> Vec<usize>;
}

impl Tavli3dGame for tavli_variants::Fevga {
    fn tavli3d(&self, position: &Position, chance: usize) -> Vec<usize> {
        self.tavli3d_best(position, chance).1
    }
}

impl Tavli3dGame for tavli_variants::Plakoto {
    fn tavli3d(&self, position: &Position, chance: usize) -> Vec<usize> {
        self.tavli3d_best(position, chance).1
    }
}

/// Plays pairs of games on the same dice, with the sides exchanged; `None` if it is cancelled before the end.
pub(super) fn measure<G: Tavli3dGame + Clone>(
    workers: &Workers,
    tier: Tier,
    (game, seed): (&G, u64),
    (net, choice): (&Net, ChoiceRule),
    pairs: u64,
    cancel: &Cancel,
) -> Option<Strength> {
    let (game, net) = (game.clone(), net.clone());
    let key = StreamKey::new(seed);
    let points_of_pairs = each_part((workers, cancel), (0..pairs).collect(), move |&pair| {
        let mut room = NetBuffers::default();
        let games = [true, false].map(|begins| play(&game, (&net, tier, choice), &mut room, &key, pair, begins));
        Some(games.into_iter().map(i64::from).sum())
    });
    Some(Strength::from_pairs(Opponent::Tavli3d, points_of_pairs?.into_iter()))
}

/// The points of the net in a game.
fn play<G: Tavli3dGame>(
    game: &G,
    player: (&Net, Tier, ChoiceRule),
    room: &mut NetBuffers,
    key: &StreamKey,
    pair: u64,
    begins: bool,
) -> i32 {
    let mut words = generator(key.state(pair));
    let mut position = game.start();
    let mut is_nets_turn = begins;
    loop {
        let (chance, _) = draw(game.chances(), words.next_u32());
        // Drawn by both players, so that the dice stay the same.
        let fraction = words.next_u32();
        position = if is_nets_turn {
            best(game, player, &position, &game.results(&position, chance), room).0
        } else {
            let choices = game.tavli3d(&position, chance);
            game.result(&position, chance, choices[pick(fraction, choices.len())])
        };
        is_nets_turn = !is_nets_turn;
        if let Some(points) = game.points(&position) {
            return if is_nets_turn { points } else { -points };
        }
    }
}
