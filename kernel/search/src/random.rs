//! The random numbers of a tree: a stream of its own for each simulation.
//!
//! All are outputs of SplitMix64. Its third output from the seed is a state, whose output number `t` is the state of
//! tree `t`, whose output number `s` is the state from which simulation `s` draws. The dice of playouts come from the
//! first two outputs of the seed, so they have nothing to do with these.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// SplitMix64 adds this to its state before each output.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The streams of a tree's simulations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streams(u64);

/// The output of a number, from 0, of the generator with a state.
fn output(state: u64, number: u64) -> u64 {
    let skipped = state.wrapping_add(number.wrapping_mul(STEP));
    SplitMix64::from_seed(skipped.to_le_bytes()).next_u64()
}

impl Streams {
    pub(crate) fn new(seed: u64, tree: u32) -> Streams {
        Streams(output(output(seed, 2), u64::from(tree)))
    }

    pub(crate) fn of(self, simulation: u64) -> Random {
        let state = output(self.0, simulation);
        Random(SplitMix64::from_seed(state.to_le_bytes()))
    }
}

/// The stream of a simulation.
#[derive(Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let word = self.0.next_u64() >> 32;
        ((word * bound as u64) >> 32) as usize
    }
}
