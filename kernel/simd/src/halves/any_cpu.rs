//! Eight lanes of 16 bits in plain Rust, for CPUs without vectors of a file here.

#[cfg(not(target_arch = "x86_64"))]
use super::HalfIsa;
use super::{Halves, Sums};
#[cfg(not(target_arch = "x86_64"))]
use crate::AnyCpu;

/// Eight lanes of 16 bits in general registers, or in the baseline vectors of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct PlainHalves([i16; 8]);

/// Four lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct PlainSums([i32; 4]);

#[cfg(not(target_arch = "x86_64"))]
impl HalfIsa for AnyCpu {
    type Halves = PlainHalves;

    #[inline(always)]
    fn halves(self, value: i16) -> PlainHalves {
        PlainHalves([value; 8])
    }
}

impl PlainHalves {
    /// An operation on each lane.
    #[inline(always)]
    fn each(mut self, other: PlainHalves, operation: impl Fn(i16, i16) -> i16) -> PlainHalves {
        for lane in 0..8 {
            self.0[lane] = operation(self.0[lane], other.0[lane]);
        }
        self
    }
}

impl Halves for PlainHalves {
    type Sums = PlainSums;

    const LANES: usize = 8;
    const REGISTERS: usize = 16;

    #[inline(always)]
    fn splat_pair(self, &[even, odd]: &[i16; 2]) -> PlainHalves {
        PlainHalves([even, odd, even, odd, even, odd, even, odd])
    }

    #[inline(always)]
    fn read(self, values: &[i16]) -> PlainHalves {
        PlainHalves(*values.first_chunk().expect("a value for each lane"))
    }

    #[inline(always)]
    fn write(self, values: &mut [i16]) {
        *values.first_chunk_mut().expect("a place for each lane") = self.0;
    }

    #[inline(always)]
    fn plus(self, other: PlainHalves) -> PlainHalves {
        self.each(other, i16::wrapping_add)
    }

    #[inline(always)]
    fn minus(self, other: PlainHalves) -> PlainHalves {
        self.each(other, i16::wrapping_sub)
    }

    #[inline(always)]
    fn times(self, other: PlainHalves) -> PlainHalves {
        self.each(other, i16::wrapping_mul)
    }

    #[inline(always)]
    fn times_fraction(self, other: PlainHalves) -> PlainHalves {
        self.each(other, |a, b| {
            ((i32::from(a) * i32::from(b) + (1 << 14)) >> 15) as i16
        })
    }

    #[inline(always)]
    fn min(self, other: PlainHalves) -> PlainHalves {
        self.each(other, i16::min)
    }

    #[inline(always)]
    fn max(self, other: PlainHalves) -> PlainHalves {
        self.each(other, i16::max)
    }

    #[inline(always)]
    fn signs(self) -> PlainHalves {
        self.each(self, |value, _| value >> 15)
    }

    #[inline(always)]
    fn xor(self, other: PlainHalves) -> PlainHalves {
        self.each(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn dot(self, other: PlainHalves) -> PlainSums {
        let mut sums = [0; 4];
        for lane in 0..4 {
            let product = |at: usize| i32::from(self.0[at]) * i32::from(other.0[at]);
            sums[lane] = product(2 * lane).wrapping_add(product(2 * lane + 1));
        }
        PlainSums(sums)
    }
}

impl Sums for PlainSums {
    const LANES: usize = 4;

    #[inline(always)]
    fn plus(mut self, other: PlainSums) -> PlainSums {
        for lane in 0..4 {
            self.0[lane] = self.0[lane].wrapping_add(other.0[lane]);
        }
        self
    }

    #[inline(always)]
    fn totals(four: [PlainSums; 4]) -> [i32; 4] {
        four.map(|PlainSums([a, b, c, d])| a.wrapping_add(b).wrapping_add(c).wrapping_add(d))
    }

    #[inline(always)]
    fn write(self, values: &mut [i32]) {
        *values.first_chunk_mut().expect("a place for each lane") = self.0;
    }
}
