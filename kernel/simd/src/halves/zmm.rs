//! Thirty-two lanes of 16 bits, of AVX-512.

use core::arch::x86_64::*;

use super::{HalfIsa, Halves, Sums};
use crate::zmm::Bundle;

/// Calls intrinsics that a value of this module proves to exist.
macro_rules! proven {
    ($($call:tt)*) => {
        // SAFETY: a `Bundle`, or a vector, which it takes one to make, proves the instructions.
        unsafe { $($call)* }
    };
}

/// Thirty-two lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct ZmmHalves(__m512i);

impl<B: Bundle> HalfIsa for B {
    type Halves = ZmmHalves;

    #[inline(always)]
    fn halves(self, value: i16) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_set1_epi16(value)))
    }
}

impl Halves for ZmmHalves {
    type Sums = ZmmSums;

    const LANES: usize = 32;
    const REGISTERS: usize = 32;

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> ZmmHalves {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        let pair = unsafe { pair.as_ptr().cast::<i32>().read_unaligned() };
        ZmmHalves(proven!(_mm512_set1_epi32(pair)))
    }

    #[inline(always)]
    fn read(self, values: &[i16]) -> ZmmHalves {
        let values: &[i16; 32] = values.first_chunk().expect("a value for each lane");
        // SAFETY: `values` has the 64 bytes that are read, at any alignment; `self` proves AVX-512.
        ZmmHalves(unsafe { _mm512_loadu_si512(values.as_ptr().cast()) })
    }

    #[inline(always)]
    fn write(self, values: &mut [i16]) {
        let values: &mut [i16; 32] = values.first_chunk_mut().expect("a place for each lane");
        // SAFETY: `values` has the 64 bytes that are written, at any alignment; `self` proves AVX-512.
        unsafe { _mm512_storeu_si512(values.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn plus(self, other: ZmmHalves) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: ZmmHalves) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_sub_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn times(self, other: ZmmHalves) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_mullo_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn times_fraction(self, other: ZmmHalves) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_mulhrs_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: ZmmHalves) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_min_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: ZmmHalves) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_max_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn signs(self) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_srai_epi16::<15>(self.0)))
    }

    #[inline(always)]
    fn xor(self, other: ZmmHalves) -> ZmmHalves {
        ZmmHalves(proven!(_mm512_xor_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn dot(self, other: ZmmHalves) -> ZmmSums {
        ZmmSums(proven!(_mm512_madd_epi16(self.0, other.0)))
    }
}

/// Sixteen lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct ZmmSums(__m512i);

impl Sums for ZmmSums {
    const LANES: usize = 16;

    #[inline(always)]
    fn plus(self, other: ZmmSums) -> ZmmSums {
        ZmmSums(proven!(_mm512_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn totals(four: [ZmmSums; 4]) -> [i32; 4] {
        let [a, b, c, d] = four.map(
            #[inline(always)]
            |sums| sums.0,
        );
        // Lanes of a and b in turn, then of all four: 128 bits hold a part of each total.
        let ab = proven!(_mm512_add_epi32(
            _mm512_unpacklo_epi32(a, b),
            _mm512_unpackhi_epi32(a, b)
        ));
        let cd = proven!(_mm512_add_epi32(
            _mm512_unpacklo_epi32(c, d),
            _mm512_unpackhi_epi32(c, d)
        ));
        let all = proven!(_mm512_add_epi32(
            _mm512_unpacklo_epi64(ab, cd),
            _mm512_unpackhi_epi64(ab, cd)
        ));
        let low = proven!(_mm512_castsi512_si256(all));
        let high = proven!(_mm512_extracti64x4_epi64::<1>(all));
        let both = proven!(_mm256_add_epi32(low, high));
        let low = proven!(_mm256_castsi256_si128(both));
        let high = proven!(_mm256_extracti128_si256::<1>(both));
        let totals = proven!(_mm_add_epi32(low, high));
        let mut lanes = [0; 4];
        // SAFETY: `lanes` has the 16 bytes that are written, at any alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), totals) };
        lanes
    }

    #[inline(always)]
    fn write(self, values: &mut [i32]) {
        let values: &mut [i32; 16] = values.first_chunk_mut().expect("a place for each lane");
        // SAFETY: `values` has the 64 bytes that are written, at any alignment; `self` proves AVX-512.
        unsafe { _mm512_storeu_si512(values.as_mut_ptr().cast(), self.0) }
    }
}
