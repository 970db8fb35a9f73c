//! Sixteen lanes of 16 bits, of AVX2.

use core::arch::x86_64::*;

use super::operations::{I16Isa, I16Vector, I32Accumulator};
use crate::avx2::Avx2;
use crate::intrinsics::{load_by_intrinsic, methods_by_intrinsic, proven, store_by_intrinsic};

/// Sixteen lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct YmmI16Vector(__m256i);

impl I16Isa for Avx2 {
    type I16Vector = YmmI16Vector;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> YmmI16Vector {
        YmmI16Vector(proven!(_mm256_set1_epi16(value)))
    }
}

impl I16Vector for YmmI16Vector {
    type I32Accumulator = YmmI32Accumulator;

    const LANES: usize = 16;
    const REGISTERS: usize = 16;

    load_by_intrinsic!(i16, 16, _mm256_loadu_si256);
    store_by_intrinsic!(i16, 16, _mm256_storeu_si256);

    methods_by_intrinsic! {
        wrapping_add: _mm256_add_epi16,
        wrapping_sub: _mm256_sub_epi16,
        mul_lo16: _mm256_mullo_epi16,
        mul_fraction: _mm256_mulhrs_epi16,
        min: _mm256_min_epi16,
        max: _mm256_max_epi16,
        xor: _mm256_xor_si256,
    }

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> YmmI16Vector {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        let pair = unsafe { pair.as_ptr().cast::<i32>().read_unaligned() };
        YmmI16Vector(proven!(_mm256_set1_epi32(pair)))
    }

    #[inline(always)]
    fn sign_mask(self) -> YmmI16Vector {
        YmmI16Vector(proven!(_mm256_srai_epi16::<15>(self.0)))
    }

    #[inline(always)]
    fn dot(self, other: YmmI16Vector) -> YmmI32Accumulator {
        YmmI32Accumulator(proven!(_mm256_madd_epi16(self.0, other.0)))
    }
}

/// Eight lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct YmmI32Accumulator(__m256i);

impl I32Accumulator for YmmI32Accumulator {
    const LANES: usize = 8;

    store_by_intrinsic!(i32, 8, _mm256_storeu_si256);

    methods_by_intrinsic! {
        wrapping_add: _mm256_add_epi32,
    }

    #[inline(always)]
    fn reduce_add(four: [YmmI32Accumulator; 4]) -> [i32; 4] {
        let [a, b, c, d] = four.map(
            #[inline(always)]
            |sums| sums.0,
        );
        // Lanes of a and b in turn, then of all four: 128 bits hold a part of each total.
        let ab = proven!(_mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)));
        let cd = proven!(_mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d)));
        let all = proven!(_mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd)));
        let low = proven!(_mm256_castsi256_si128(all));
        let high = proven!(_mm256_extracti128_si256::<1>(all));
        let totals = proven!(_mm_add_epi32(low, high));
        let mut lanes = [0; 4];
        // SAFETY: `lanes` has the 16 bytes that are written, at any alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), totals) };
        lanes
    }
}
