//! The dice of games: each ply's throw, and the fraction that draws its play.

use rand_xoshiro::Xoshiro128PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::stream::{StreamKey, generator};
use super::throws::Preset;
use super::{FirstRoll, StratifiedThrows};
use crate::dice::Roll;

/// The dice of the games of a seed, as [playouts](crate::playout) throw them.
///
/// ```
/// use tavli_backgammon::playout::{Dice, FirstRoll};
/// let dice = Dice::new(42, FirstRoll::Any);
/// let rolls: Vec<String> = dice.of_game(7).take(3).map(|throw| throw.roll.to_string()).collect();
/// assert_eq!(rolls, ["21", "63", "31"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dice {
    key: StreamKey,
    first_roll: FirstRoll,
    /// The throws that begin each game, if they are stratified.
    stratified: Option<StratifiedThrows>,
}

/// What one ply takes of its game's stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Throw {
    /// The roll.
    pub roll: Roll,
    /// A fraction of 2^32, which draws the play: of `n` plays that of index `fraction * n / 2^32`.
    pub fraction: u32,
}

impl Throw {
    /// What a word draws from the rolls of a ply.
    #[inline(always)]
    fn drawn(word: u32, rolls: &[Roll]) -> Throw {
        let product = u64::from(word) * rolls.len() as u64;
        Throw {
            roll: rolls[(product >> 32) as usize],
            fraction: product as u32,
        }
    }

    /// The index that the fraction draws from `plays` plays, each as likely as any other.
    #[must_use]
    #[inline]
    pub const fn draw(self, plays: usize) -> usize {
        ((self.fraction as u64 * plays as u64) >> 32) as usize
    }
}

/// The throws of one game, ply after ply, without end.
#[derive(Clone, Debug)]
pub struct Throws {
    stream: Xoshiro128PlusPlus,
    /// What the rolls of the next two plies are drawn from.
    rolls: [&'static [Roll]; 2],
}

impl Dice {
    /// The dice of the games of a seed that begin so.
    #[must_use]
    pub fn new(seed: u64, first_roll: FirstRoll) -> Dice {
        let stratified = first_roll == FirstRoll::Stratified;
        Dice {
            key: StreamKey::new(seed),
            first_roll,
            stratified: stratified.then(|| StratifiedThrows::new(seed)),
        }
    }

    /// The throws of the game of a number.
    #[must_use]
    pub fn of_game(&self, game: u64) -> Throws {
        Throws::new(self.key.state(game), self.preset(game))
    }

    /// The state with which the stream of a game begins.
    #[inline]
    pub(super) fn state(&self, game: u64) -> [u32; 4] {
        self.key.state(game)
    }

    /// The preset throws of a game.
    #[inline]
    pub(super) fn preset(&self, game: u64) -> Preset {
        Preset::new(self.first_roll, self.stratified.as_ref(), game)
    }

    /// The stream of a game.
    #[inline]
    pub(crate) fn stream(&self, game: u64) -> Xoshiro128PlusPlus {
        generator(self.key.state(game))
    }

    /// The throw that a game's stream draws for a ply, the first being 0.
    #[inline(always)]
    pub(crate) fn draw(&self, stream: &mut Xoshiro128PlusPlus, game: u64, ply: u32) -> Throw {
        Throw::drawn(stream.next_u32(), self.rolls(game, ply))
    }

    /// What the roll of a ply is drawn from.
    #[inline(always)]
    fn rolls(&self, game: u64, ply: u32) -> &'static [Roll] {
        match ply {
            0 | 1 => self.beginning(game, ply),
            _ => &Roll::THROWS,
        }
    }

    /// What the roll of one of the first two plies is drawn from.
    fn beginning(&self, game: u64, ply: u32) -> &'static [Roll] {
        self.preset(game).rolls()[ply as usize]
    }
}

impl Throws {
    #[inline(always)]
    pub(super) fn new(state: [u32; 4], preset: Preset) -> Throws {
        Throws {
            stream: generator(state),
            rolls: preset.rolls(),
        }
    }

    /// The next throw.
    #[inline(always)]
    pub(super) fn throw(&mut self) -> Throw {
        let [rolls, next] = self.rolls;
        self.rolls = [next, &Roll::THROWS];
        Throw::drawn(self.stream.next_u32(), rolls)
    }
}

impl Iterator for Throws {
    type Item = Throw;

    #[inline(always)]
    fn next(&mut self) -> Option<Throw> {
        Some(self.throw())
    }
}
