//! Playouts of games that have no batch of their own.

use rand_xoshiro::Xoshiro128PlusPlus;
use rand_xoshiro::rand_core::Rng;

use crate::game::{Game, GameSource, GameStart};
use crate::playout_end::PlayoutEnd;
use crate::streams::{StreamKey, generator};

/// Plays the games of a source one after the other, each evenly over the chances by their weights and over the choices:
/// [`Game::play_out`] of a game without a faster way.
///
/// A ply takes one 32-bit word `w` of the game's stream. The high word of `W w`, where `W` is the sum of the weights,
/// draws the chance, in their order; the low word draws the choice: with `n` choices, that of index `low * n / 2^32`.
pub fn play_out_one_by_one<G: Game>(
    game: &G,
    key: &StreamKey,
    source: &mut dyn GameSource<G::Position>,
    stop: &dyn Fn() -> bool,
) {
    play_out_by(game, key, source, stop, |ply, _| {
        let choice = pick(ply.fraction, game.choices(&ply.position, ply.chance));
        Some(game.result(&ply.position, ply.chance, choice))
    });
}

/// A ply of a game that is played on its own.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a, P> {
    /// The start of the game.
    pub start: &'a GameStart<P>,
    /// The plies before.
    pub plies: u32,
    /// The position.
    pub position: P,
    /// The chance in it.
    pub chance: usize,
    /// The fraction of 2^32 that is left of the word that drew the chance, and [draws](pick) a choice.
    pub fraction: u32,
}

/// Plays the games of a source one after the other, with chances as in [`play_out_one_by_one`]. `choose` returns the
/// position after its choice, which may take more words of the game's stream, or `None` to stop all games.
pub fn play_out_by<G: Game>(
    game: &G,
    key: &StreamKey,
    source: &mut dyn GameSource<G::Position>,
    stop: &dyn Fn() -> bool,
    mut choose: impl FnMut(&Ply<'_, G::Position>, &mut Xoshiro128PlusPlus) -> Option<G::Position>,
) {
    let max_plies = source.max_plies();
    while let Some(start) = source.next() {
        let mut words = generator(key.state(start.game));
        let (mut position, mut given, mut plies) = (start.position, start.chance, 0);
        let points = loop {
            // Before the bound on plies: a game that ends with its last ply is not cut off.
            let points = game.points(&position);
            if points.is_some() || plies == max_plies {
                break points;
            }
            // At every ply: nothing here bounds the length of a game.
            if stop() {
                return;
            }
            // A given chance takes its word, too: the low half draws the choice, and later plies keep their words.
            let (drawn, fraction) = draw(game.chances(), words.next_u32());
            let ply = Ply { start: &start, plies, position, chance: given.take().unwrap_or(drawn), fraction };
            let Some(next) = choose(&ply, &mut words) else {
                return;
            };
            position = next;
            plies += 1;
        };
        source.record_end(start.tag, PlayoutEnd::after_last_ply(points, plies));
    }
}

/// Draws from a word: a chance by its weight, and the fraction of 2^32 that draws the choice.
#[must_use]
pub fn draw(weights: &[u32], word: u32) -> (usize, u32) {
    let sum: u32 = weights.iter().sum();
    let product = u64::from(word) * u64::from(sum);
    let (drawn, fraction) = ((product >> 32) as u32, product as u32);
    let mut below = 0;
    let chance = weights.iter().position(|weight| {
        below += weight;
        drawn < below
    });
    (chance.expect("the number is below the sum of the weights"), fraction)
}

/// The index that a fraction of 2^32 draws from `choices` choices, each as likely as any other.
#[must_use]
pub fn pick(fraction: u32, choices: usize) -> usize {
    // No fraction is rejected to make choices exactly even, so that a ply takes one word.
    ((u64::from(fraction) * choices as u64) >> 32) as usize
}
