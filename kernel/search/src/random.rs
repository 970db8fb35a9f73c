//! The random numbers of a tree: each simulation has its own stream.
//!
//! All are outputs of SplitMix64, from states that are outputs themselves. Output 2 of the seed's generator is the
//! state of a second generator. Output `t` of the second is the state of tree `t`; output `s` of tree `t` is the state
//! of simulation `s`. The dice of playouts come from outputs 0 and 1 of the seed's generator, so they are independent
//! of these numbers.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// SplitMix64 adds this to its state before each output.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The state of a tree, from which the streams of its simulations come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streams(u64);

/// Output `number`, from 0, of the generator with this state.
fn output(state: u64, number: u64) -> u64 {
    let skipped = state.wrapping_add(number.wrapping_mul(STEP));
    SplitMix64::from_seed(skipped.to_le_bytes()).next_u64()
}

impl Streams {
    pub(crate) fn new(seed: u64, tree: u32) -> Streams {
        Streams(output(output(seed, 2), u64::from(tree)))
    }

    pub(crate) fn stream(self, simulation: u64) -> Random {
        let state = output(self.0, simulation);
        Random(state)
    }
}

/// The random stream of a simulation.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn skip(&mut self) {
        self.skip_if(true);
    }

    /// Skips a number, or no number, without a branch.
    #[inline(always)]
    pub(crate) fn skip_if(&mut self, skips: bool) {
        self.0 = self.0.wrapping_add(STEP * u64::from(skips));
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let word = output(self.0, 0) >> 32;
        self.skip();
        ((word * bound as u64) >> 32) as usize
    }
}
