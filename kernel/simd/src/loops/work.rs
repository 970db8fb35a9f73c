//! Work on arrays of floats, and the call that compiles it for a tier.

use crate::{I16Isa, I16Vector, Isa, Tier, on_tier};

/// Rows of units are padded to multiples of this number of floats, the lanes of the widest vector.
pub const LANES: usize = 16;

/// Rows that are computed together.
pub const ROWS: usize = 4;

/// Calls a closure in code compiled for a tier. The closure must be `#[inline(always)]`, and so must everything that
/// it calls: otherwise it is compiled for the least instruction set. It should `move` what it captures: a number that
/// it borrows might be changed, as far as the compiler knows, by each number that it writes.
///
/// # Panics
/// If this CPU lacks the tier.
#[inline]
pub fn call_on<R>(tier: Tier, body: impl FnOnce() -> R) -> R {
    on_tier!(tier, isa => isa.with_features(body))
}

/// Work on arrays of floats by the width of vectors; [`call_on`] is for work that leaves the width to the compiler.
/// Each element is computed by itself, or in an order that does not depend on the width, so results are the same to the
/// last bit on every tier.
pub trait Loops {
    /// Does the work, with `WIDE` neighbouring elements at a time in registers. It must be `#[inline(always)]`, and so
    /// must everything that it calls: otherwise it is compiled for the least instruction set.
    fn run<const WIDE: usize>(self);
}

/// Does the work in code compiled for a tier.
///
/// # Panics
/// If this CPU lacks the tier.
pub fn run_on(tier: Tier, loops: impl Loops) {
    on_tier!(tier, isa => isa.with_features(
        #[inline(always)]
        || run_wide(isa, loops),
    ));
}

#[inline(always)]
fn run_wide<I: I16Isa>(_isa: I, loops: impl Loops) {
    match wide::<I>() {
        64 => loops.run::<64>(),
        16 => loops.run::<16>(),
        _ => loops.run::<8>(),
    }
}

/// The floats of a row such that four rows take half of the registers; the other half is for operands.
const fn wide<I: I16Isa>() -> usize {
    // A vector has half as many floats as 16-bit lanes.
    let floats = I::I16Vector::REGISTERS * I::I16Vector::LANES / 2;
    floats / 2 / ROWS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Avx2, Avx512, Baseline, X86V4};

    #[test]
    fn each_tier_has_code_for_its_registers() {
        assert_eq!(wide::<Baseline>(), 8);
        if cfg!(target_arch = "x86_64") {
            assert_eq!(wide::<Avx2>(), 16);
        }
        // Builds without code for AVX-512 give its tiers the vectors of the portable one.
        if cfg!(all(target_arch = "x86_64", not(tavli_no_avx512))) {
            assert_eq!([wide::<Avx512>(), wide::<X86V4>()], [64, 64]);
        }
    }
}
