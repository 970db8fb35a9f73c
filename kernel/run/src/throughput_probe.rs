//! How many operations a core does side by side, found by timing work without dependences.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Independent chains, more than a core has units for them.
const CHAINS: usize = 8;
/// Steps of each chain: much longer than the resolution of any timer, much shorter than the time between interrupts.
const STEPS: u32 = 1 << 14;
/// Samples timed. Their median is the usual speed of the core; the fastest sample might fall into a pause of an SMT
/// sibling.
const SAMPLES: usize = 25;

/// Operations per second of the calling thread on its core at this moment; takes a few milliseconds.
///
/// The probe steps eight chains of rotations and exclusive ors that do not depend on each other. A core does several of
/// their operations per cycle. A neighbour on the same core, above all an SMT sibling, takes part of the core's units,
/// so operations per cycle fall. The single chain of [`cycles_per_second`](crate::cycles_per_second) leaves units free
/// and does not notice. The number is neither instructions nor comparable between builds.
///
/// ```
/// let operations = tavli_run::operations_per_second();
/// assert!(operations > 1e7, "{operations} per second");
/// ```
#[must_use]
pub fn operations_per_second() -> f64 {
    let mut times: Vec<Duration> = (0..SAMPLES).map(|_| sample()).collect();
    times.sort_unstable();
    2.0 * f64::from(STEPS) * CHAINS as f64 / times[SAMPLES / 2].as_secs_f64()
}

/// The time of [`STEPS`] rotations and as many exclusive ors in each chain.
fn sample() -> Duration {
    // Hidden from the compiler, which would shorten the chains.
    let flip = black_box(0x9e37_79b9_7f4a_7c15_u64);
    let mut chains: [u64; CHAINS] = black_box([1, 2, 3, 4, 5, 6, 7, 8]);
    let start = Instant::now();
    for _ in 0..STEPS {
        for chain in &mut chains {
            *chain = chain.rotate_left(13) ^ flip;
        }
    }
    black_box(chains);
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throughput_is_one() {
        let operations = operations_per_second();
        // From a small embedded core without optimisation to ten operations a cycle of the fastest on sale. If the
        // compiler shortened the chains, the throughput would exceed the upper bound.
        assert!((1e7..1.2e11).contains(&operations), "{operations}");
    }
}
