//! Loops that are compiled for each instruction set.

use tavli_simd::{Avx2, Avx512, Isa, Tier};

/// Numbers of units are padded to multiples of this many lanes.
pub(super) const LANES: usize = 16;

/// Work on arrays of floats. It computes each element by itself, or in an order that depends on no width, so that results
/// are the same to the last bit on every tier.
pub(super) trait Loops {
    /// Does it, holding `WIDE` neighbouring elements at a time in registers.
    fn run<const WIDE: usize>(self);
}

/// Does the work in code for a tier.
///
/// # Panics
/// If this CPU lacks the tier.
pub(super) fn run_on(tier: Tier, loops: impl Loops) {
    match tier {
        Tier::Avx512 => {
            let isa = Avx512::detect().expect("the tier is available");
            isa.call(
                #[inline(always)]
                || loops.run::<64>(),
            );
        }
        Tier::Avx2 => {
            let isa = Avx2::detect().expect("the tier is available");
            isa.call(
                #[inline(always)]
                || loops.run::<16>(),
            );
        }
        _ => loops.run::<8>(),
    }
}
