//! Vectors of 16-bit lanes, for sums of products.

mod any_cpu;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod zmm;

pub use any_cpu::{PlainHalves, PlainSums};
#[cfg(target_arch = "x86_64")]
pub use avx2::{YmmHalves, YmmSums};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub use neon::{QuadHalves, QuadSums};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::{QuadHalves, QuadSums};
#[cfg(target_arch = "x86_64")]
pub use sse2::{XmmHalves, XmmSums};
#[cfg(target_arch = "x86_64")]
pub use zmm::{ZmmHalves, ZmmSums};

use super::vector::Isa;

/// An instruction set with a vector of 16-bit lanes.
pub trait HalfIsa: Isa {
    /// The vector.
    type Halves: Halves;

    /// A vector with `value` in every lane.
    fn halves(self, value: i16) -> Self::Halves;
}

/// Signed lanes of 16 bits. A value of the type proves its instruction set, since it takes an [`Isa`] to make the first
/// one. Each operation works on each lane by itself, except [`dot`](Halves::dot).
pub trait Halves: Copy {
    /// What [`dot`](Halves::dot) gives.
    type Sums: Sums;

    /// The number of lanes: 8, 16 or 32.
    const LANES: usize;
    /// How many vectors, or [`Sums`], the registers of a CPU hold.
    const REGISTERS: usize;

    /// A vector with this pair of values in every pair of lanes.
    fn splat_pair(self, pair: &[i16; 2]) -> Self;
    /// The first [`LANES`](Halves::LANES) of `values`, which has at least as many.
    fn read(self, values: &[i16]) -> Self;
    /// Overwrites the first [`LANES`](Halves::LANES) of `values`, which has at least as many.
    fn write(self, values: &mut [i16]);

    /// Wrapping sum.
    fn plus(self, other: Self) -> Self;
    /// Wrapping difference.
    fn minus(self, other: Self) -> Self;
    /// The low 16 bits of the product.
    fn times(self, other: Self) -> Self;
    /// The product of two fractions of 2^15, rounded: `(a * b + 2^14) >> 15`. Both lanes must not be -2^15.
    fn times_fraction(self, other: Self) -> Self;
    /// The smaller of two.
    fn min(self, other: Self) -> Self;
    /// The larger of two.
    fn max(self, other: Self) -> Self;
    /// -1 in negative lanes, 0 in others.
    fn signs(self) -> Self;
    /// Exclusive or.
    fn xor(self, other: Self) -> Self;

    /// The products of both, added for each pair of neighbouring lanes. The four lanes of two pairs must not all be
    /// -2^15.
    fn dot(self, other: Self) -> Self::Sums;
}

/// Signed lanes of 32 bits, half as many.
pub trait Sums: Copy {
    /// The number of lanes: 4, 8 or 16.
    const LANES: usize;

    /// Wrapping sum.
    fn plus(self, other: Self) -> Self;
    /// The wrapping sum of the lanes of each.
    fn totals(four: [Self; 4]) -> [i32; 4];
    /// Overwrites the first [`LANES`](Sums::LANES) of `values`, which has at least as many.
    fn write(self, values: &mut [i32]);
}
