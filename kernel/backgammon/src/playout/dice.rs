//! The dice of games: each ply's throw, and the fraction that draws its play.

use rand_xoshiro::Xoshiro128PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::{StreamKey, generator};

use super::throws::Preset;
use crate::dice::Roll;
use crate::playout::first_roll::FirstRoll;
use crate::playout::stratified::StratifiedThrows;

/// The dice of the games of a seed, as [playouts](crate::playout) throw them.
///
/// ```
/// use tavli_backgammon::playout::{Dice, FirstRoll};
/// let dice = Dice::new(42, FirstRoll::Any);
/// let rolls: Vec<String> = dice.of_game(7).take(3).map(|throw| throw.roll.to_string()).collect();
/// assert_eq!(rolls, ["65", "41", "54"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dice {
    key: StreamKey,
    first_roll: FirstRoll,
    /// The throws that begin each game, if they are stratified.
    stratified: Option<StratifiedThrows>,
}

/// The dice and the fraction that one ply takes from its game's stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Throw {
    /// The two dice, in no order.
    pub roll: Roll,
    /// A fraction of 2^32, which draws the play: of `n` plays the one of index `fraction * n / 2^32`.
    pub fraction: u32,
}

impl Throw {
    /// The index that the fraction draws from `plays` plays, each as likely as any other.
    #[must_use]
    #[inline]
    pub const fn draw(self, plays: usize) -> usize {
        // No fraction is rejected to make plays exactly even, so that a ply takes one word.
        ((self.fraction as u64 * plays as u64) >> 32) as usize
    }
}

/// The throws of one game, ply after ply, without end.
#[derive(Clone, Debug)]
pub struct Throws<'a> {
    dice: &'a Dice,
    stream: Xoshiro128PlusPlus,
    game: u64,
    ply: u32,
}

impl Dice {
    /// The dice of the games of a seed, with this first roll.
    #[must_use]
    pub fn new(seed: u64, first_roll: FirstRoll) -> Dice {
        let stratified = first_roll == FirstRoll::Stratified;
        Dice { key: StreamKey::new(seed), first_roll, stratified: stratified.then(|| StratifiedThrows::new(seed)) }
    }

    /// The throws of the game of a number.
    #[must_use]
    pub fn of_game(&self, game: u64) -> Throws<'_> {
        Throws { dice: self, stream: self.stream(game), game, ply: 0 }
    }

    #[inline]
    pub(crate) fn stream(&self, game: u64) -> Xoshiro128PlusPlus {
        generator(self.state(game))
    }

    /// The throw that a game's stream draws for a ply, the first being 0.
    #[inline(always)]
    pub(crate) fn draw(&self, stream: &mut Xoshiro128PlusPlus, game: u64, ply: u32) -> Throw {
        let rolls = match ply {
            // As many plies as `Preset::MAX_PLIES`.
            0 | 1 => self.preset(game).rolls()[ply as usize],
            _ => &Roll::THROWS,
        };
        let product = u64::from(stream.next_u32()) * rolls.len() as u64;
        Throw { roll: rolls[(product >> 32) as usize], fraction: product as u32 }
    }

    /// The initial state of a game's stream.
    #[inline]
    pub(super) fn state(&self, game: u64) -> [u32; 4] {
        self.key.state(game)
    }

    /// The preset throws of a game, which are not drawn from all 36.
    #[inline]
    pub(super) fn preset(&self, game: u64) -> Preset {
        Preset::new(self.first_roll, self.stratified.as_ref(), game)
    }
}

impl Iterator for Throws<'_> {
    type Item = Throw;

    #[inline(always)]
    fn next(&mut self) -> Option<Throw> {
        let throw = self.dice.draw(&mut self.stream, self.game, self.ply);
        // Throws have no end: after a wrap, the first ones would be preset again.
        self.ply = self.ply.saturating_add(1);
        Some(throw)
    }
}
