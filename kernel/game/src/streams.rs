//! Random streams: each game draws from its own generator, so its course never depends on the worker that plays it.
//!
//! **Value-stability promise.** The stream of game `g` under seed `s` is [xoshiro128++](Xoshiro128PlusPlus) with the
//! state words `[lo(a), hi(a), lo(b) | 1, hi(b)]`, where `a` and `b` are the outputs number `g` (counting from 0) of
//! two [SplitMix64] generators whose states are the first and the second output of SplitMix64 started at `s`.
//! SplitMix64's output function is a bijection, so two games of one seed never share a stream; the set bit keeps the
//! state from being all zero. A change of any of this is a breaking change of the library. The `specification.rs` of a
//! game with dice has the same streams in plain loops, and the tests compare the two.
//!
//! Both generators are those of Blackman and Vigna (<https://prng.di.unimi.it>), taken from
//! `rand_xoshiro`.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro128PlusPlus};
use tavli_simd::Vector;

/// SplitMix64 adds this constant, 2^64 divided by the golden ratio, to its state before each output.
const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The two SplitMix64 states that the streams of a seed's games are taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamKey {
    states: [u64; 2],
}

impl StreamKey {
    /// The key of a seed.
    #[must_use]
    pub fn new(seed: u64) -> StreamKey {
        let mut split = SplitMix64::from_seed(seed.to_le_bytes());
        StreamKey { states: [split.next_u64(), split.next_u64()] }
    }

    /// The state in which the generator of a game begins.
    #[must_use]
    #[inline]
    pub fn state(&self, game: u64) -> [u32; 4] {
        let [a, b] = self.states.map(|state| {
            // SplitMix64's state is a counter, so any output is one step away: no game waits for the numbers before it.
            let skipped = state.wrapping_add(game.wrapping_mul(SPLIT_MIX_STEP));
            SplitMix64::from_seed(skipped.to_le_bytes()).next_u64()
        });
        [a as u32, (a >> 32) as u32, b as u32 | 1, (b >> 32) as u32]
    }
}

/// A seed for draws beside a game that are not part of its stream, such as those that value its last position:
/// SplitMix64's output from the exclusive or of the outputs that a game's generator begins with.
#[must_use]
pub fn seed_of_game(seed: u64, game: u64) -> u64 {
    let [a, b, c, d] = StreamKey::new(seed).state(game).map(u64::from);
    mixed((a | b << 32) ^ (c | d << 32))
}

/// The first output of SplitMix64 from a seed. Outputs of neighbouring seeds are unrelated.
#[must_use]
pub fn mixed(seed: u64) -> u64 {
    SplitMix64::from_seed(seed.to_le_bytes()).next_u64()
}

/// The next word of the generators whose states are in the lanes, and their next states.
///
/// ```
/// use rand_xoshiro::rand_core::Rng;
/// use tavli_game::streams::{StreamKey, generator, next_words};
/// use tavli_simd::{Isa, Scalar, Word};
/// let state = StreamKey::new(42).state(0);
/// let (word, _) = next_words(state.map(|word| Scalar.splat(word)));
/// assert_eq!(word.get(), generator(state).next_u32());
/// ```
#[must_use]
#[inline(always)]
// Inlined always, so that the vectors are compiled with the instruction set of the caller.
pub fn next_words<V: Vector>([s0, s1, s2, s3]: [V; 4]) -> (V, [V; 4]) {
    let word = s0.wrapping_add(s3).rotate_by::<7>().wrapping_add(s0);
    let (s2, s3) = (s2 ^ s0, s3 ^ s1);
    (word, [s0 ^ s3, s1 ^ s2, s2 ^ s1.shl_by::<9>(), s3.rotate_by::<11>()])
}

/// The generator of a state.
#[must_use]
#[inline]
pub fn generator(state: [u32; 4]) -> Xoshiro128PlusPlus {
    // The seed is read as little-endian words: streams are the same where words lie the other way round.
    Xoshiro128PlusPlus::from_seed(bytemuck::cast(state.map(u32::to_le)))
}
