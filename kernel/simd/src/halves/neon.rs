//! Eight lanes of 16 bits, of NEON.

use core::arch::aarch64::*;

use super::{HalfIsa, Halves, Sums};
use crate::Neon;

/// Calls intrinsics that a value of this module proves to exist.
macro_rules! proven {
    ($($call:tt)*) => {
        // SAFETY: a `Neon`, or a vector, which it takes one to make, proves the instructions.
        unsafe { $($call)* }
    };
}

/// Eight lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct QuadHalves(int16x8_t);

impl HalfIsa for Neon {
    type Halves = QuadHalves;

    #[inline(always)]
    fn halves(self, value: i16) -> QuadHalves {
        QuadHalves(proven!(vdupq_n_s16(value)))
    }
}

impl Halves for QuadHalves {
    type Sums = QuadSums;

    const LANES: usize = 8;
    // There are 32, of which each of the sums takes two.
    const REGISTERS: usize = 16;

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> QuadHalves {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        let pair = unsafe { pair.as_ptr().cast::<i32>().read_unaligned() };
        QuadHalves(proven!(vreinterpretq_s16_s32(vdupq_n_s32(pair))))
    }

    #[inline(always)]
    fn read(self, values: &[i16]) -> QuadHalves {
        let values: &[i16; 8] = values.first_chunk().expect("a value for each lane");
        // SAFETY: `values` has the sixteen bytes that are read; `self` proves NEON.
        QuadHalves(unsafe { vld1q_s16(values.as_ptr()) })
    }

    #[inline(always)]
    fn write(self, values: &mut [i16]) {
        let values: &mut [i16; 8] = values.first_chunk_mut().expect("a place for each lane");
        // SAFETY: `values` has the sixteen bytes that are written; `self` proves NEON.
        unsafe { vst1q_s16(values.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn plus(self, other: QuadHalves) -> QuadHalves {
        QuadHalves(proven!(vaddq_s16(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: QuadHalves) -> QuadHalves {
        QuadHalves(proven!(vsubq_s16(self.0, other.0)))
    }

    #[inline(always)]
    fn times(self, other: QuadHalves) -> QuadHalves {
        QuadHalves(proven!(vmulq_s16(self.0, other.0)))
    }

    #[inline(always)]
    fn times_fraction(self, other: QuadHalves) -> QuadHalves {
        QuadHalves(proven!(vqrdmulhq_s16(self.0, other.0)))
    }

    #[inline(always)]
    fn min(self, other: QuadHalves) -> QuadHalves {
        QuadHalves(proven!(vminq_s16(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: QuadHalves) -> QuadHalves {
        QuadHalves(proven!(vmaxq_s16(self.0, other.0)))
    }

    #[inline(always)]
    fn signs(self) -> QuadHalves {
        QuadHalves(proven!(vshrq_n_s16::<15>(self.0)))
    }

    #[inline(always)]
    fn xor(self, other: QuadHalves) -> QuadHalves {
        QuadHalves(proven!(veorq_s16(self.0, other.0)))
    }

    #[inline(always)]
    fn dot(self, other: QuadHalves) -> QuadSums {
        QuadSums {
            low: proven!(vmull_s16(vget_low_s16(self.0), vget_low_s16(other.0))),
            high: proven!(vmull_high_s16(self.0, other.0)),
        }
    }
}

/// Four lanes of 32 bits, each in two parts: products are added to sums by the instruction that makes them, and
/// neighbours at the end.
#[derive(Clone, Copy, Debug)]
pub struct QuadSums {
    /// Both parts of the first two lanes.
    low: int32x4_t,
    /// Those of the last two.
    high: int32x4_t,
}

impl QuadSums {
    /// The four lanes.
    #[inline(always)]
    fn lanes(self) -> int32x4_t {
        proven!(vpaddq_s32(self.low, self.high))
    }
}

impl Sums for QuadSums {
    const LANES: usize = 4;

    #[inline(always)]
    fn plus(self, other: QuadSums) -> QuadSums {
        QuadSums {
            low: proven!(vaddq_s32(self.low, other.low)),
            high: proven!(vaddq_s32(self.high, other.high)),
        }
    }

    #[inline(always)]
    fn totals(four: [QuadSums; 4]) -> [i32; 4] {
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
    fn write(self, values: &mut [i32]) {
        let values: &mut [i32; 4] = values.first_chunk_mut().expect("a place for each lane");
        // SAFETY: `values` has the sixteen bytes that are written; `self` proves NEON.
        unsafe { vst1q_s32(values.as_mut_ptr(), self.lanes()) }
    }
}
