//! Stratified first rolls: the throws with which each game begins, spread evenly.
//!
//! [`FirstRoll::Stratified`](super::FirstRoll::Stratified) has the promise that this module keeps.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// How many throws there are.
const THROWS: u64 = 36;

/// The throws of the first two plies of a seed's games, as indices of [`Roll::THROWS`](crate::Roll::THROWS).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StratifiedThrows {
    first: [u8; THROWS as usize],
    second: [u8; THROWS as usize],
}

impl StratifiedThrows {
    /// The throws of a seed's games.
    #[must_use]
    pub fn new(seed: u64) -> StratifiedThrows {
        let mut split = SplitMix64::from_seed(seed.to_le_bytes());
        // The streams take these outputs, and the shuffles those behind them.
        let _of_the_streams = [split.next_u64(), split.next_u64()];
        StratifiedThrows { first: shuffled(&mut split), second: shuffled(&mut split) }
    }

    /// The throws of a game's first and second ply.
    #[inline]
    #[must_use]
    pub fn of_game(&self, game: u64) -> [usize; 2] {
        let (row, place) = (game / THROWS, game % THROWS);
        [
            usize::from(self.first[place as usize]),
            // Shifted by one from row to row: 36 rows have each pair of throws once.
            usize::from(self.second[((row + place) % THROWS) as usize]),
        ]
    }
}

/// The throws in an order that the next outputs draw.
fn shuffled(split: &mut SplitMix64) -> [u8; THROWS as usize] {
    let mut throws = core::array::from_fn(|throw| throw as u8);
    for last in (1..throws.len()).rev() {
        let fraction = split.next_u64() >> 32;
        throws.swap(last, (((last as u64 + 1) * fraction) >> 32) as usize);
    }
    throws
}
