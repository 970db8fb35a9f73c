//! Playouts of games that have no batch of their own.

use rand_xoshiro::rand_core::Rng;

use crate::game::{Game, Leaves};
use crate::streams::{StreamKey, generator};

/// Plays the leaves' games one after the other, each evenly over the chances by their weights and over the choices:
/// [`Game::play_out`] of a game without a faster way.
///
/// A ply takes one 32-bit word `w` of the game's stream. The high word of `W w`, where `W` is the sum of the weights,
/// draws the chance, in their order; the low word draws the choice, of `n` choices the one of index `low * n / 2^32`.
pub fn play_out_one_by_one<G: Game>(
    game: &G,
    key: &StreamKey,
    leaves: &mut dyn Leaves<G::Position>,
    stop: &dyn Fn() -> bool,
) {
    let sum: u32 = game.chances().iter().sum();
    while let Some(leaf) = leaves.next() {
        let mut words = generator(key.state(leaf.game));
        let (mut position, mut given, mut plies) = (leaf.position, leaf.chance, 0);
        let points = loop {
            if let Some(points) = game.points(&position) {
                break points;
            }
            if stop() {
                return;
            }
            let product = u64::from(words.next_u32()) * u64::from(sum);
            let (drawn, fraction) = ((product >> 32) as u32, u64::from(product as u32));
            let chance = given.take().unwrap_or_else(|| chance_of(game.chances(), drawn));
            let choices = game.choices(&position, chance) as u64;
            let choice = (fraction * choices) >> 32;
            position = game.result(&position, chance, choice as usize);
            plies += 1;
        };
        let sign = if plies % 2 == 0 { 1 } else { -1 };
        leaves.end(leaf.tag, sign * points, plies);
    }
}

/// The chance whose weights, added up in order, hold the number `drawn`.
fn chance_of(weights: &[u32], drawn: u32) -> usize {
    let mut below = 0;
    let held = weights.iter().position(|weight| {
        below += weight;
        drawn < below
    });
    held.expect("the number is below the sum of the weights")
}
