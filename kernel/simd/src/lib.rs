//! Vectors of 32-bit lanes, and some of 16-bit lanes, over which an algorithm is written once and compiled for several instruction sets.
//!
//! A [`Tier`] is the choice of an instruction set at run time. A token such as [`Scalar`], [`Avx2`] or [`Avx512`]
//! proves that the CPU has the instructions, since only detection makes one. Making a [`Vector`] takes an [`Isa`], so a
//! vector proves them too, and its operations are safe functions. [`Isa::call`] compiles a closure for the instruction
//! set, with everything that it calls inlined. [`on_tier!`] chooses the code of a tier. Nothing here knows a game: tables
//! are arguments.
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
//! assert_eq!(Scalar.call(|| bits(Scalar, 0b1011, 0b1)), 4);
//! if let Some(isa) = tavli_simd::Avx2::detect() {
//!     assert_eq!(isa.call(|| bits(isa, 0b1011, 0b1)), 4);
//! }
//! ```
#![deny(missing_docs)]

mod absent;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod bit_ranks;
#[cfg(target_arch = "x86_64")]
mod bmi2;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod i16_vector;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod proof;
#[cfg(target_arch = "x86_64")]
mod reciprocals;
mod scalar;
#[cfg(any(
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod sets;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(test)]
mod tests;
mod vector;
mod word;
#[cfg(target_arch = "x86_64")]
mod x86_v4;
#[cfg(target_arch = "x86_64")]
mod zmm;

#[cfg(not(all(target_arch = "aarch64", target_endian = "little")))]
pub use absent::Neon;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use absent::Simd128;
#[cfg(not(target_arch = "x86_64"))]
pub use absent::{Avx2, Avx512, Bmi2, X86V4};
#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "x86_64")]
pub use bmi2::Bmi2;
pub use i16_vector::{I16Isa, I16Vector, I32Accumulator, PlainI16Vector, PlainI32Accumulator};
#[cfg(any(
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub use i16_vector::{QuadI16Vector, QuadI32Accumulator};
#[cfg(target_arch = "x86_64")]
pub use i16_vector::{
    XmmI16Vector, XmmI32Accumulator, YmmI16Vector, YmmI32Accumulator, ZmmI16Vector, ZmmI32Accumulator,
};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub use neon::Neon;
pub use proof::{Baseline, Proof};
pub use scalar::{PlainU32x8, Scalar};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Simd128;
pub use vector::{Isa, Lanes, Schedule, Vector};
pub use word::{ScalarIsa, ShuffleIndices, U32x8, Word};
#[cfg(target_arch = "x86_64")]
pub use x86_v4::X86V4;

use core::fmt;
use core::str::FromStr;
use std::sync::LazyLock;

use thiserror::Error;

/// A bundle of CPU features that code is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Tier {
    /// Sixteen games per vector: AVX-512 F, BW, CD, BITALG, VBMI and VPOPCNTDQ, GFNI and BMI2 (Intel since Ice Lake,
    /// AMD since Zen 4).
    Avx512,
    /// Sixteen games per vector: AVX-512 F, BW, CD, DQ and VL and BMI2, the level 4 of the x86-64 psABI (Intel's servers
    /// since Skylake-SP, AMD since Zen 4). CPUs with [`Tier::Avx512`] have it too.
    X86V4,
    /// U32x8 games per vector: AVX2 and BMI2 (Intel since Haswell, AMD since Zen 3; older AMD CPUs run PDEP in
    /// microcode, which would be slower than the portable tier).
    Avx2,
    /// Four games per vector: NEON (64-bit ARM).
    Neon,
    /// Four games per vector: WebAssembly with `simd128`, where the code was compiled with it.
    Simd128,
    /// One game at a time, on any CPU. Uses POPCNT, LZCNT, BMI2 and AVX2 if the CPU has all of them and runs them fast.
    Portable,
}

/// A tier that cannot be used here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TierError {
    /// A name that is not a tier.
    #[error("'{0}' is not an instruction-set tier; this CPU has: {present}", present = names(Tier::available()))]
    Unknown(String),
    /// A tier whose features this CPU lacks.
    #[error("this CPU lacks the features of tier {0}; it has: {present}", present = names(Tier::available()))]
    Absent(Tier),
}

fn names(tiers: &[Tier]) -> String {
    tiers.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ")
}

impl Tier {
    /// Every tier, the fastest first.
    pub const ALL: &[Tier] = &[
        Tier::Avx512,
        Tier::X86V4,
        Tier::Avx2,
        Tier::Neon,
        Tier::Simd128,
        Tier::Portable,
    ];

    /// The tiers that this CPU can run, the fastest first.
    #[must_use]
    pub fn available() -> &'static [Tier] {
        static AVAILABLE: LazyLock<Vec<Tier>> = LazyLock::new(|| {
            let tiers = Tier::ALL.iter().copied();
            tiers.filter(|tier| tier.detect().is_some()).collect()
        });
        &AVAILABLE
    }

    /// The fastest tier that this CPU can run.
    #[must_use]
    pub fn best() -> Tier {
        Tier::available()[0]
    }

    /// The name in settings and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Avx512 => "avx512",
            Tier::X86V4 => "x86-64-v4",
            Tier::Avx2 => "avx2",
            Tier::Neon => "neon",
            Tier::Simd128 => "simd128",
            Tier::Portable => "portable",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = TierError;

    /// The tier of this name, if this CPU can run it.
    fn from_str(text: &str) -> Result<Tier, TierError> {
        let tier = Tier::ALL
            .iter()
            .copied()
            .find(|tier| tier.name() == text)
            .ok_or_else(|| TierError::Unknown(text.to_owned()))?;
        if Tier::available().contains(&tier) {
            Ok(tier)
        } else {
            Err(TierError::Absent(tier))
        }
    }
}
