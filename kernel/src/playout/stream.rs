//! Random streams: each game draws from its own generator, so its course never depends on who plays it.
//!
//! **Value-stability promise.** The stream of game `g` under seed `s` is
//! [xoshiro128++](Xoshiro128PlusPlus) with the state words `[lo(a), hi(a), lo(b) | 1, hi(b)]`, where
//! `a` and `b` are the outputs number `g` (counting from 0) of two [SplitMix64] generators whose states
//! are the first and the second output of SplitMix64 started at `s`. SplitMix64's output function is a
//! bijection, so two games of one seed never share a stream; the set bit keeps the state from being all
//! zero. A change of any of this is a breaking change of the library. The tests hold vectors.
//!
//! Both generators are those of Blackman and Vigna (<https://prng.di.unimi.it>), taken from
//! `rand_xoshiro`.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro128PlusPlus};

/// SplitMix64 adds this constant, 2^64 divided by the golden ratio, to its state before each output.
const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The two SplitMix64 states that the streams of a seed's games are taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StreamKey {
    states: [u64; 2],
}

impl StreamKey {
    pub(crate) fn new(seed: u64) -> StreamKey {
        let mut split = SplitMix64::from_seed(seed.to_le_bytes());
        StreamKey {
            states: [split.next_u64(), split.next_u64()],
        }
    }

    /// The initial generator state of a game.
    #[inline]
    pub(crate) fn state(&self, game: u64) -> [u32; 4] {
        let [a, b] = self.states.map(|state| {
            let skipped = state.wrapping_add(game.wrapping_mul(SPLIT_MIX_STEP));
            SplitMix64::from_seed(skipped.to_le_bytes()).next_u64()
        });
        [a as u32, (a >> 32) as u32, b as u32 | 1, (b >> 32) as u32]
    }

    /// The generator of a game.
    pub(crate) fn stream(&self, game: u64) -> Xoshiro128PlusPlus {
        Xoshiro128PlusPlus::from_seed(bytemuck::cast(self.state(game).map(u32::to_le)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words as the module's promise defines them, written out without `rand_xoshiro`.
    fn promised(seed: u64, game: u64, draws: usize) -> Vec<u32> {
        let output = |state: u64| {
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let nth = |state: u64, n: u64| {
            output(state.wrapping_add(SPLIT_MIX_STEP.wrapping_mul(n.wrapping_add(1))))
        };
        let (a, b) = (nth(nth(seed, 0), game), nth(nth(seed, 1), game));
        let mut s = [a as u32, (a >> 32) as u32, b as u32 | 1, (b >> 32) as u32];
        (0..draws)
            .map(|_| {
                let word = s[0].wrapping_add(s[3]).rotate_left(7).wrapping_add(s[0]);
                let t = s[1] << 9;
                s[2] ^= s[0];
                s[3] ^= s[1];
                s[1] ^= s[2];
                s[0] ^= s[3];
                s[2] ^= t;
                s[3] = s[3].rotate_left(11);
                word
            })
            .collect()
    }

    #[test]
    fn streams_are_as_promised() {
        for seed in [0, 1, 42, u64::from(u32::MAX) + 7, u64::MAX] {
            let key = StreamKey::new(seed);
            for game in [0, 1, 2, 1 << 32, (1 << 32) + 1, u64::MAX] {
                let mut stream = key.stream(game);
                let words: Vec<u32> = (0..8).map(|_| stream.next_u32()).collect();
                assert_eq!(words, promised(seed, game, 8), "seed {seed} game {game}");
            }
        }
    }
}
