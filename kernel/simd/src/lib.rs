//! Vectors of 32-bit lanes, and some of 16-bit lanes: an algorithm is written over them once, and compiled for several
//! instruction sets.
//!
//! A [`Tier`] is the choice of an instruction set at run time. A token such as [`Scalar`], [`Avx2`] or [`Avx512`]
//! proves that the CPU has the instructions, since only detection makes one. Making a [`Vector`] takes an [`Isa`], so a
//! vector proves them too, and its operations are safe functions. [`Isa::with_features`] compiles a closure for the
//! instruction set, with everything that it calls inlined. [`on_tier!`] chooses the code of a tier. Nothing here knows
//! a game: tables are arguments. The bounds of the contracts are what boards need ([`Vector`]).
//!
//! ```
//! use tavli_simd::{Scalar, Isa, Vector};
//!
//! /// The sum of the bits of two words in each lane.
//! #[inline(always)]
//! fn bits<I: Isa>(isa: I, a: u32, b: u32) -> u32 {
//!     let sum = isa.splat(a).count_ones().wrapping_add(isa.splat(b).count_ones());
//!     sum.store().as_ref()[0]
//! }
//!
//! assert_eq!(Scalar.with_features(|| bits(Scalar, 0b1011, 0b1)), 4);
//! if let Some(isa) = tavli_simd::Avx2::detect() {
//!     assert_eq!(isa.with_features(|| bits(isa, 0b1011, 0b1)), 4);
//! }
//! ```
#![deny(missing_docs)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(tavli_no_avx512)))]
mod avx512;
#[cfg(any(all(target_arch = "x86_64", not(tavli_no_avx512)), all(target_arch = "aarch64", target_endian = "little")))]
mod bit_ranks;
#[cfg(target_arch = "x86_64")]
mod bmi2;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod highest_index;
mod i16_vector;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod intrinsics;
#[cfg(any(
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod lane_moves;
mod logistic;
pub mod loops;
mod missing_instructions;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod portable_word;
mod prefetch;
mod proof;
#[cfg(target_arch = "x86_64")]
mod reciprocals;
mod scalar;
mod set_bits;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(test)]
mod tests;
mod tier;
mod tokens;
mod vector;
#[cfg(all(target_arch = "x86_64", not(tavli_no_avx512)))]
mod x86_v4;
#[cfg(all(target_arch = "x86_64", not(tavli_no_avx512)))]
mod zmm;

pub use highest_index::highest_of_eight;
pub use i16_vector::{I16Isa, I16Vector, I32Accumulator, PlainI16Vector, PlainI32Accumulator};
#[cfg(any(
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub use i16_vector::{QuadI16Vector, QuadI32Accumulator};
#[cfg(target_arch = "x86_64")]
pub use i16_vector::{XmmI16Vector, XmmI32Accumulator, YmmI16Vector, YmmI32Accumulator};
#[cfg(all(target_arch = "x86_64", not(tavli_no_avx512)))]
pub use i16_vector::{ZmmI16Vector, ZmmI32Accumulator};
pub use logistic::logistic;
pub use portable_word::{ScalarIsa, ShuffleIndices, U32x8, Word};
pub use prefetch::prefetch;
pub use proof::{Baseline, Proof};
pub use scalar::{PlainU32x8, Scalar};
pub use set_bits::set_bits;
pub use tier::{Tier, TierError};
pub use tokens::{Avx2, Avx512, Bmi2, Neon, Simd128, X86V4};
pub use vector::{Isa, LANE_NUMBERS, LaneArray, Lanes, MAX_LANES, Schedule, Vector};
