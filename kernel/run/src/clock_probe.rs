//! The clock of a core, found by timing work of a known number of cycles.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Steps of a chain: much longer than the resolution of any timer, much shorter than the time between interrupts.
const STEPS: u64 = 1 << 17;
/// Steps in the body of the loop; its counter runs in parallel with them.
const UNROLLED: u64 = 16;
/// The number of chains that are timed. The fastest is the one that nothing interrupted.
const CHAINS: usize = 24;

/// Cycles per second of the calling thread's core at this moment; takes a few milliseconds.
///
/// The probe times a chain of additions and exclusive ors; each needs the result of the one before. A core of nearly
/// any design does one such operation per cycle, however many it could do side by side, so the clock follows from the
/// time without privileged counters. It is an estimate: a core that changes its clock within milliseconds, or a virtual
/// machine that loses time to its host, makes it too low by this loss.
///
/// ```
/// let clock = tavli_run::cycles_per_second();
/// assert!(clock > 1e7, "{clock} Hz");
/// ```
#[must_use]
pub fn cycles_per_second() -> f64 {
    let fastest = (0..CHAINS).map(|_| chain()).min().unwrap_or(Duration::MAX);
    2.0 * STEPS as f64 / fastest.as_secs_f64()
}

/// The time of [`STEPS`] additions and as many exclusive ors, one after the other.
fn chain() -> Duration {
    // Hides both operands from the compiler, which would merge the steps. Some cores also run additions of small
    // constants ahead.
    let (add, flip) = (black_box(0x9e37_79b9_u64), black_box(0x5bd1_e995_u64));
    let mut value = black_box(1_u64);
    let start = Instant::now();
    for _ in 0..STEPS / UNROLLED {
        for _ in 0..UNROLLED {
            value = value.wrapping_add(add) ^ flip;
        }
    }
    black_box(value);
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_a_clock() {
        let clock = cycles_per_second();
        // From a small embedded core to above the fastest on sale. If the compiler shortened the chain, the clock would
        // exceed the upper bound. Without optimisation each step takes several instructions.
        assert!((1e7..1.2e10).contains(&clock), "{clock}");
    }
}
