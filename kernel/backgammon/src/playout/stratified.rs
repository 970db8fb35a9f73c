//! Stratified first rolls: the throws with which each game begins, spread evenly.
//!
//! [`FirstRoll::Stratified`](super::FirstRoll::Stratified) is the promise that this keeps.

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
    /// Those of a seed.
    #[must_use]
    pub fn new(seed: u64) -> StratifiedThrows {
        let mut split = SplitMix64::from_seed(seed.to_le_bytes());
        let _of_the_streams = [split.next_u64(), split.next_u64()];
        StratifiedThrows {
            first: shuffled(&mut split),
            second: shuffled(&mut split),
        }
    }

    /// The throws of a game's first and second ply.
    #[inline]
    #[must_use]
    pub fn of_game(&self, game: u64) -> [usize; 2] {
        let (row, place) = (game / THROWS, game % THROWS);
        [
            usize::from(self.first[place as usize]),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_36_games_begin_with_each_throw_and_any_1296_with_each_pair() {
        for seed in [0, 1, u64::MAX] {
            let throws = StratifiedThrows::new(seed);
            for begin in [0, 1, 35, 700, (1 << 32) - 20, u64::MAX - 1296] {
                let mut firsts = [0; 36];
                let mut pairs = [[0; 36]; 36];
                for game in begin..begin + 36 {
                    firsts[throws.of_game(game)[0]] += 1;
                }
                for game in begin..begin + 1296 {
                    let [first, second] = throws.of_game(game);
                    pairs[first][second] += 1;
                }
                assert_eq!(firsts, [1; 36], "seed {seed}, from {begin}");
                assert_eq!(pairs, [[1; 36]; 36], "seed {seed}, from {begin}");
            }
            let mut seconds = [0; 36];
            (0..36).for_each(|game| seconds[throws.of_game(game)[1]] += 1);
            assert_eq!(seconds, [1; 36], "of 36 games from a multiple of 36 on");
        }
    }

    /// Each of the 1,296 pairs is as likely as any other in each of some games: chi-square over the seeds.
    #[test]
    fn the_pair_of_a_game_is_uniform_over_the_seeds() {
        const SEEDS: u64 = 129_600;
        for game in [0, 7, 35, 36, 1295] {
            let mut pairs = vec![0_u64; 1296];
            for seed in 0..SEEDS {
                let [first, second] = StratifiedThrows::new(seed).of_game(game);
                pairs[36 * first + second] += 1;
            }
            let expected = SEEDS as f64 / 1296.0;
            let square = |&count: &u64| (count as f64 - expected).powi(2) / expected;
            let chi_square: f64 = pairs.iter().map(square).sum();
            // 1,295 degrees of freedom: mean 1,295, standard deviation 50.9.
            assert!(
                (1050.0..1550.0).contains(&chi_square),
                "game {game}: {chi_square}"
            );
        }
    }
}
