//! The random numbers of a method.

use libm::{cos, log, sqrt};
use rand_xoshiro::Xoshiro128PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tavli_game::streams::{StreamKey, generator};

/// A stream of random numbers: the same on every system.
#[derive(Clone, Debug)]
pub(crate) struct Random(Xoshiro128PlusPlus);

impl Random {
    /// Stream number `number` of a seed.
    pub(crate) fn new(seed: u64, number: u64) -> Random {
        Random(generator(StreamKey::new(seed).state(number)))
    }

    /// A number between 0 and 1, both excluded.
    pub(crate) fn share(&mut self) -> f64 {
        // Half a step up, since 0 has no logarithm.
        (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.share() * end as f64) as usize
    }

    /// A normally distributed number.
    pub(crate) fn normal(&mut self) -> f64 {
        // By libm: the last bits of the functions of std are left to the system.
        sqrt(-2.0 * log(self.share())) * cos(core::f64::consts::TAU * self.share())
    }
}
