//! Thirty-two lanes of 16 bits, of AVX-512.

use core::arch::x86_64::*;

use super::operations::{I16Isa, I16Vector, I32Accumulator};
use crate::intrinsics::{load_by_intrinsic, methods_by_intrinsic, proven, store_by_intrinsic};
use crate::zmm::Bundle;

/// Thirty-two lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct ZmmI16Vector(__m512i);

impl<B: Bundle> I16Isa for B {
    type I16Vector = ZmmI16Vector;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> ZmmI16Vector {
        ZmmI16Vector(proven!(_mm512_set1_epi16(value)))
    }
}

impl I16Vector for ZmmI16Vector {
    type I32Accumulator = ZmmI32Accumulator;

    const LANES: usize = 32;
    const REGISTERS: usize = 32;

    load_by_intrinsic!(i16, 32, _mm512_loadu_si512);
    store_by_intrinsic!(i16, 32, _mm512_storeu_si512);

    methods_by_intrinsic! {
        wrapping_add: _mm512_add_epi16,
        wrapping_sub: _mm512_sub_epi16,
        mul_lo16: _mm512_mullo_epi16,
        mul_fraction: _mm512_mulhrs_epi16,
        min: _mm512_min_epi16,
        max: _mm512_max_epi16,
        xor: _mm512_xor_si512,
    }

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> ZmmI16Vector {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        let pair = unsafe { pair.as_ptr().cast::<i32>().read_unaligned() };
        ZmmI16Vector(proven!(_mm512_set1_epi32(pair)))
    }

    #[inline(always)]
    fn sign_mask(self) -> ZmmI16Vector {
        ZmmI16Vector(proven!(_mm512_srai_epi16::<15>(self.0)))
    }

    #[inline(always)]
    fn dot(self, other: ZmmI16Vector) -> ZmmI32Accumulator {
        ZmmI32Accumulator(proven!(_mm512_madd_epi16(self.0, other.0)))
    }
}

/// Sixteen lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct ZmmI32Accumulator(__m512i);

impl I32Accumulator for ZmmI32Accumulator {
    const LANES: usize = 16;

    store_by_intrinsic!(i32, 16, _mm512_storeu_si512);

    methods_by_intrinsic! {
        wrapping_add: _mm512_add_epi32,
    }

    #[inline(always)]
    fn reduce_add(four: [ZmmI32Accumulator; 4]) -> [i32; 4] {
        let [a, b, c, d] = four.map(
            #[inline(always)]
            |sums| sums.0,
        );
        // Lanes of a and b in turn, then of all four: 128 bits hold a part of each total.
        let ab = proven!(_mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)));
        let cd = proven!(_mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d)));
        let all = proven!(_mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd)));
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
}
