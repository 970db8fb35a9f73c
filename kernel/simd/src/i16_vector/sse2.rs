//! Eight lanes of 16 bits with SSE2, which every 64-bit x86 has.

use core::arch::x86_64::*;

use super::operations::{I16Isa, I16Vector, I32Accumulator};
use crate::intrinsics::{load_by_intrinsic, methods_by_intrinsic, proven, store_by_intrinsic};
use crate::scalar::Scalar;

/// Eight lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct XmmI16Vector(__m128i);

impl I16Isa for Scalar {
    type I16Vector = XmmI16Vector;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> XmmI16Vector {
        XmmI16Vector(proven!(_mm_set1_epi16(value)))
    }
}

impl I16Vector for XmmI16Vector {
    type I32Accumulator = XmmI32Accumulator;

    const LANES: usize = 8;
    const REGISTERS: usize = 16;

    load_by_intrinsic!(i16, 8, _mm_loadu_si128);
    store_by_intrinsic!(i16, 8, _mm_storeu_si128);

    methods_by_intrinsic! {
        wrapping_add: _mm_add_epi16,
        wrapping_sub: _mm_sub_epi16,
        mul_lo16: _mm_mullo_epi16,
        min: _mm_min_epi16,
        max: _mm_max_epi16,
        xor: _mm_xor_si128,
    }

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> XmmI16Vector {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        let pair = unsafe { pair.as_ptr().cast::<i32>().read_unaligned() };
        XmmI16Vector(proven!(_mm_set1_epi32(pair)))
    }

    #[inline(always)]
    fn mul_fraction(self, other: XmmI16Vector) -> XmmI16Vector {
        let high = proven!(_mm_slli_epi16::<1>(_mm_mulhi_epi16(self.0, other.0)));
        // The bits from 2^14 on, rounded; the mean of two is rounded up.
        let low = proven!(_mm_srli_epi16::<14>(_mm_mullo_epi16(self.0, other.0)));
        let rounded = proven!(_mm_avg_epu16(low, _mm_setzero_si128()));
        XmmI16Vector(proven!(_mm_add_epi16(high, rounded)))
    }

    #[inline(always)]
    fn sign_mask(self) -> XmmI16Vector {
        XmmI16Vector(proven!(_mm_srai_epi16::<15>(self.0)))
    }

    #[inline(always)]
    fn dot(self, other: XmmI16Vector) -> XmmI32Accumulator {
        XmmI32Accumulator(proven!(_mm_madd_epi16(self.0, other.0)))
    }
}

/// Four lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct XmmI32Accumulator(__m128i);

impl I32Accumulator for XmmI32Accumulator {
    const LANES: usize = 4;

    store_by_intrinsic!(i32, 4, _mm_storeu_si128);

    methods_by_intrinsic! {
        wrapping_add: _mm_add_epi32,
    }

    #[inline(always)]
    fn reduce_add([a, b, c, d]: [XmmI32Accumulator; 4]) -> [i32; 4] {
        // Lanes of two in turn, then of all four.
        let in_turn =
            |a: __m128i, b: __m128i| proven!(_mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)));
        let (ab, cd) = (in_turn(a.0, b.0), in_turn(c.0, d.0));
        let totals = proven!(_mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd)));
        let mut lanes = [0; 4];
        XmmI32Accumulator(totals).store_slice(&mut lanes);
        lanes
    }
}
