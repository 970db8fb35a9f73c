//! Eight lanes of 16 bits in plain Rust, for CPUs without vectors in another file.

#[cfg(not(target_arch = "x86_64"))]
use super::operations::I16Isa;
use super::operations::{I16Vector, I32Accumulator};
#[cfg(not(target_arch = "x86_64"))]
use crate::scalar::Scalar;

/// Eight lanes of 16 bits in general registers, or in the baseline vectors of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct PlainI16Vector([i16; 8]);

/// Four lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct PlainI32Accumulator([i32; 4]);

#[cfg(not(target_arch = "x86_64"))]
impl I16Isa for Scalar {
    type I16Vector = PlainI16Vector;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> PlainI16Vector {
        PlainI16Vector([value; 8])
    }
}

impl PlainI16Vector {
    /// An operation on each lane.
    #[inline(always)]
    fn each(mut self, other: PlainI16Vector, operation: impl Fn(i16, i16) -> i16) -> PlainI16Vector {
        for lane in 0..8 {
            self.0[lane] = operation(self.0[lane], other.0[lane]);
        }
        self
    }
}

impl I16Vector for PlainI16Vector {
    type I32Accumulator = PlainI32Accumulator;

    const LANES: usize = 8;
    const REGISTERS: usize = 16;

    #[inline(always)]
    fn splat_pair(self, &[even, odd]: &[i16; 2]) -> PlainI16Vector {
        PlainI16Vector([even, odd, even, odd, even, odd, even, odd])
    }

    #[inline(always)]
    fn load_slice(self, values: &[i16]) -> PlainI16Vector {
        PlainI16Vector(*values.first_chunk().expect("a value for each lane"))
    }

    #[inline(always)]
    fn store_slice(self, values: &mut [i16]) {
        *values.first_chunk_mut().expect("a place for each lane") = self.0;
    }

    #[inline(always)]
    fn wrapping_add(self, other: PlainI16Vector) -> PlainI16Vector {
        self.each(other, i16::wrapping_add)
    }

    #[inline(always)]
    fn wrapping_sub(self, other: PlainI16Vector) -> PlainI16Vector {
        self.each(other, i16::wrapping_sub)
    }

    #[inline(always)]
    fn mul_lo16(self, other: PlainI16Vector) -> PlainI16Vector {
        self.each(other, i16::wrapping_mul)
    }

    #[inline(always)]
    fn mul_fraction(self, other: PlainI16Vector) -> PlainI16Vector {
        self.each(other, |a, b| ((i32::from(a) * i32::from(b) + (1 << 14)) >> 15) as i16)
    }

    #[inline(always)]
    fn min(self, other: PlainI16Vector) -> PlainI16Vector {
        self.each(other, i16::min)
    }

    #[inline(always)]
    fn max(self, other: PlainI16Vector) -> PlainI16Vector {
        self.each(other, i16::max)
    }

    #[inline(always)]
    fn sign_mask(self) -> PlainI16Vector {
        self.each(self, |value, _| value >> 15)
    }

    #[inline(always)]
    fn xor(self, other: PlainI16Vector) -> PlainI16Vector {
        self.each(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn dot(self, other: PlainI16Vector) -> PlainI32Accumulator {
        let mut sums = [0; 4];
        for lane in 0..4 {
            let product = |at: usize| i32::from(self.0[at]) * i32::from(other.0[at]);
            sums[lane] = product(2 * lane).wrapping_add(product(2 * lane + 1));
        }
        PlainI32Accumulator(sums)
    }
}

impl I32Accumulator for PlainI32Accumulator {
    const LANES: usize = 4;

    #[inline(always)]
    fn wrapping_add(mut self, other: PlainI32Accumulator) -> PlainI32Accumulator {
        for lane in 0..4 {
            self.0[lane] = self.0[lane].wrapping_add(other.0[lane]);
        }
        self
    }

    #[inline(always)]
    fn reduce_add(four: [PlainI32Accumulator; 4]) -> [i32; 4] {
        four.map(|PlainI32Accumulator([a, b, c, d])| a.wrapping_add(b).wrapping_add(c).wrapping_add(d))
    }

    #[inline(always)]
    fn store_slice(self, values: &mut [i32]) {
        *values.first_chunk_mut().expect("a place for each lane") = self.0;
    }
}
