//! Sixteen lanes of 16 bits, of AVX2.

use core::arch::x86_64::*;

use super::{HalfIsa, Halves, Sums};
use crate::Avx2;

/// Calls intrinsics that a value of this module proves to exist.
macro_rules! proven {
    ($($call:tt)*) => {
        // SAFETY: an `Avx2`, or a vector, which it takes one to make, proves the instructions.
        unsafe { $($call)* }
    };
}

/// Sixteen lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct YmmHalves(__m256i);

impl HalfIsa for Avx2 {
    type Halves = YmmHalves;

    #[inline(always)]
    fn halves(self, value: i16) -> YmmHalves {
        YmmHalves(proven!(_mm256_set1_epi16(value)))
    }
}

impl Halves for YmmHalves {
    type Sums = YmmSums;

    const LANES: usize = 16;
    const REGISTERS: usize = 16;

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> YmmHalves {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        let pair = unsafe { pair.as_ptr().cast::<i32>().read_unaligned() };
        YmmHalves(proven!(_mm256_set1_epi32(pair)))
    }

    #[inline(always)]
    fn read(self, values: &[i16]) -> YmmHalves {
        let values: &[i16; 16] = values.first_chunk().expect("a value for each lane");
        // SAFETY: `values` has the 32 bytes that are read, at any alignment; `self` proves AVX2.
        YmmHalves(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
    }

    #[inline(always)]
    fn write(self, values: &mut [i16]) {
        let values: &mut [i16; 16] = values.first_chunk_mut().expect("a place for each lane");
        // SAFETY: `values` has the 32 bytes that are written, at any alignment; `self` proves AVX2.
        unsafe { _mm256_storeu_si256(values.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn plus(self, other: YmmHalves) -> YmmHalves {
        YmmHalves(proven!(_mm256_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: YmmHalves) -> YmmHalves {
        YmmHalves(proven!(_mm256_sub_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn times(self, other: YmmHalves) -> YmmHalves {
        YmmHalves(proven!(_mm256_mullo_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn times_fraction(self, other: YmmHalves) -> YmmHalves {
        YmmHalves(proven!(_mm256_mulhrs_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: YmmHalves) -> YmmHalves {
        YmmHalves(proven!(_mm256_min_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: YmmHalves) -> YmmHalves {
        YmmHalves(proven!(_mm256_max_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn signs(self) -> YmmHalves {
        YmmHalves(proven!(_mm256_srai_epi16::<15>(self.0)))
    }

    #[inline(always)]
    fn xor(self, other: YmmHalves) -> YmmHalves {
        YmmHalves(proven!(_mm256_xor_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn dot(self, other: YmmHalves) -> YmmSums {
        YmmSums(proven!(_mm256_madd_epi16(self.0, other.0)))
    }
}

/// Eight lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct YmmSums(__m256i);

impl Sums for YmmSums {
    const LANES: usize = 8;

    #[inline(always)]
    fn plus(self, other: YmmSums) -> YmmSums {
        YmmSums(proven!(_mm256_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn totals(four: [YmmSums; 4]) -> [i32; 4] {
        let [a, b, c, d] = four.map(
            #[inline(always)]
            |sums| sums.0,
        );
        // Lanes of a and b in turn, then of all four: 128 bits hold a part of each total.
        let ab = proven!(_mm256_add_epi32(
            _mm256_unpacklo_epi32(a, b),
            _mm256_unpackhi_epi32(a, b)
        ));
        let cd = proven!(_mm256_add_epi32(
            _mm256_unpacklo_epi32(c, d),
            _mm256_unpackhi_epi32(c, d)
        ));
        let all = proven!(_mm256_add_epi32(
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd)
        ));
        let low = proven!(_mm256_castsi256_si128(all));
        let high = proven!(_mm256_extracti128_si256::<1>(all));
        let totals = proven!(_mm_add_epi32(low, high));
        let mut lanes = [0; 4];
        // SAFETY: `lanes` has the 16 bytes that are written, at any alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), totals) };
        lanes
    }

    #[inline(always)]
    fn write(self, values: &mut [i32]) {
        let values: &mut [i32; 8] = values.first_chunk_mut().expect("a place for each lane");
        // SAFETY: `values` has the 32 bytes that are written, at any alignment; `self` proves AVX2.
        unsafe { _mm256_storeu_si256(values.as_mut_ptr().cast(), self.0) }
    }
}
