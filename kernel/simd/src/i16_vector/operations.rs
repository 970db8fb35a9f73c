//! The operations of a vector of 16-bit lanes.

use crate::vector::Isa;

/// An instruction set with a vector of 16-bit lanes.
pub trait I16Isa: Isa {
    /// The vector.
    type I16Vector: I16Vector;

    /// A vector with `value` in every lane.
    fn splat_i16(self, value: i16) -> Self::I16Vector;
}

/// Signed lanes of 16 bits. A value of the type proves its instruction set, since it takes an [`Isa`] to make the first
/// one. Each operation works on each lane by itself, except [`dot`](I16Vector::dot).
pub trait I16Vector: Copy {
    /// The result of [`dot`](I16Vector::dot).
    type I32Accumulator: I32Accumulator;

    /// The number of lanes: 8, 16 or 32.
    const LANES: usize;
    /// How many vectors, or [`I32Accumulator`], the registers of a CPU hold.
    const REGISTERS: usize;

    /// A vector with this pair of values in every pair of lanes.
    fn splat_pair(self, pair: &[i16; 2]) -> Self;
    /// The first [`LANES`](I16Vector::LANES) of `values`, which has at least as many.
    fn load_slice(self, values: &[i16]) -> Self;
    /// Overwrites the first [`LANES`](I16Vector::LANES) of `values`, which has at least as many.
    fn store_slice(self, values: &mut [i16]);

    /// Wrapping sum.
    fn wrapping_add(self, other: Self) -> Self;
    /// Wrapping difference.
    fn wrapping_sub(self, other: Self) -> Self;
    /// The low 16 bits of the product.
    fn mul_lo16(self, other: Self) -> Self;
    /// The product of two fractions of 2^15, rounded: `(a * b + 2^14) >> 15`. The lanes must not both be -2^15.
    fn mul_fraction(self, other: Self) -> Self;
    /// The smaller of two.
    fn min(self, other: Self) -> Self;
    /// The larger of two.
    fn max(self, other: Self) -> Self;
    /// -1 in negative lanes, 0 in others.
    fn sign_mask(self) -> Self;
    /// Exclusive or.
    fn xor(self, other: Self) -> Self;

    /// The products of both, added for each pair of neighbouring lanes. The four lanes of two pairs must not all be
    /// -2^15.
    fn dot(self, other: Self) -> Self::I32Accumulator;
}

/// Signed lanes of 32 bits, half as many as in the [`I16Vector`].
pub trait I32Accumulator: Copy {
    /// The number of lanes: 4, 8 or 16.
    const LANES: usize;

    /// Wrapping sum.
    fn wrapping_add(self, other: Self) -> Self;
    /// The wrapping sum of the lanes of each of four vectors.
    fn reduce_add(four: [Self; 4]) -> [i32; 4];
    /// Overwrites the first [`LANES`](I32Accumulator::LANES) of `values`, which has at least as many.
    fn store_slice(self, values: &mut [i32]);
}
