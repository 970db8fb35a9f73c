//! Eight lanes of 16 bits, of NEON.

use core::arch::aarch64::*;

use super::operations::{I16Isa, I16Vector, I32Accumulator};
use crate::intrinsics::{load_by_intrinsic, methods_by_intrinsic, proven, store_by_intrinsic};
use crate::neon::Neon;

/// Eight lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct QuadI16Vector(int16x8_t);

impl I16Isa for Neon {
    type I16Vector = QuadI16Vector;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> QuadI16Vector {
        QuadI16Vector(proven!(vdupq_n_s16(value)))
    }
}

impl I16Vector for QuadI16Vector {
    type I32Accumulator = QuadI32Accumulator;

    const LANES: usize = 8;
    // There are 32, and each sum takes two.
    const REGISTERS: usize = 16;

    load_by_intrinsic!(i16, 8, vld1q_s16);
    store_by_intrinsic!(i16, 8, vst1q_s16);

    methods_by_intrinsic! {
        wrapping_add: vaddq_s16,
        wrapping_sub: vsubq_s16,
        mul_lo16: vmulq_s16,
        mul_fraction: vqrdmulhq_s16,
        min: vminq_s16,
        max: vmaxq_s16,
        xor: veorq_s16,
    }

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> QuadI16Vector {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        let pair = unsafe { pair.as_ptr().cast::<i32>().read_unaligned() };
        QuadI16Vector(proven!(vreinterpretq_s16_s32(vdupq_n_s32(pair))))
    }

    #[inline(always)]
    fn sign_mask(self) -> QuadI16Vector {
        QuadI16Vector(proven!(vshrq_n_s16::<15>(self.0)))
    }

    #[inline(always)]
    fn dot(self, other: QuadI16Vector) -> QuadI32Accumulator {
        QuadI32Accumulator {
            low: proven!(vmull_s16(vget_low_s16(self.0), vget_low_s16(other.0))),
            high: proven!(vmull_high_s16(self.0, other.0)),
        }
    }
}

/// Four lanes of 32 bits, each in two parts: products are added to sums by the instruction that makes them, and
/// neighbours at the end.
#[derive(Clone, Copy, Debug)]
pub struct QuadI32Accumulator {
    /// Both parts of the first two lanes.
    low: int32x4_t,
    /// Both parts of the last two lanes.
    high: int32x4_t,
}

impl QuadI32Accumulator {
    /// The four lanes.
    #[inline(always)]
    fn lanes(self) -> int32x4_t {
        proven!(vpaddq_s32(self.low, self.high))
    }
}

impl I32Accumulator for QuadI32Accumulator {
    const LANES: usize = 4;

    #[inline(always)]
    fn wrapping_add(self, other: QuadI32Accumulator) -> QuadI32Accumulator {
        QuadI32Accumulator {
            low: proven!(vaddq_s32(self.low, other.low)),
            high: proven!(vaddq_s32(self.high, other.high)),
        }
    }

    #[inline(always)]
    fn reduce_add(four: [QuadI32Accumulator; 4]) -> [i32; 4] {
        let [a, b, c, d] = four.map(
            #[inline(always)]
            |sums| proven!(vaddq_s32(sums.low, sums.high)),
        );
        let totals = proven!(vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d)));
        let mut lanes = [0; 4];
        // SAFETY: `lanes` has the sixteen bytes that are written; a vector proves NEON.
        unsafe { vst1q_s32(lanes.as_mut_ptr(), totals) };
        lanes
    }

    #[inline(always)]
    fn store_slice(self, values: &mut [i32]) {
        let values: &mut [i32; 4] = values.first_chunk_mut().expect("a place for each lane");
        // SAFETY: `values` has the sixteen bytes that are written; `self` proves NEON.
        unsafe { vst1q_s32(values.as_mut_ptr(), self.lanes()) }
    }
}
