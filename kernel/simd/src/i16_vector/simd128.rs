//! Eight lanes of 16 bits, of WebAssembly's vectors.

use core::arch::wasm32::*;

use super::operations::{I16Isa, I16Vector, I32Accumulator};
use crate::intrinsics::{load_by_intrinsic, methods_by_intrinsic, store_by_intrinsic};
use crate::simd128::Simd128;

/// Eight lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct QuadI16Vector(v128);

impl I16Isa for Simd128 {
    type I16Vector = QuadI16Vector;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> QuadI16Vector {
        QuadI16Vector(i16x8_splat(value))
    }
}

impl I16Vector for QuadI16Vector {
    type I32Accumulator = QuadI32Accumulator;

    const LANES: usize = 8;
    const REGISTERS: usize = 16;

    load_by_intrinsic!(i16, 8, v128_load);
    store_by_intrinsic!(i16, 8, v128_store);

    methods_by_intrinsic! {
        wrapping_add: i16x8_add,
        wrapping_sub: i16x8_sub,
        mul_lo16: i16x8_mul,
        mul_fraction: i16x8_q15mulr_sat,
        min: i16x8_min,
        max: i16x8_max,
        xor: v128_xor,
    }

    #[inline(always)]
    fn splat_pair(self, pair: &[i16; 2]) -> QuadI16Vector {
        // SAFETY: `pair` has the four bytes that are read, at any alignment.
        QuadI16Vector(unsafe { v128_load32_splat(pair.as_ptr().cast()) })
    }

    #[inline(always)]
    fn sign_mask(self) -> QuadI16Vector {
        QuadI16Vector(i16x8_shr(self.0, 15))
    }

    #[inline(always)]
    fn dot(self, other: QuadI16Vector) -> QuadI32Accumulator {
        QuadI32Accumulator(i32x4_dot_i16x8(self.0, other.0))
    }
}

/// Four lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct QuadI32Accumulator(v128);

impl I32Accumulator for QuadI32Accumulator {
    const LANES: usize = 4;

    store_by_intrinsic!(i32, 4, v128_store);

    methods_by_intrinsic! {
        wrapping_add: i32x4_add,
    }

    #[inline(always)]
    fn reduce_add([a, b, c, d]: [QuadI32Accumulator; 4]) -> [i32; 4] {
        // Pairs are added side by side, then pairs of the sums.
        let pairs = |a: v128, b: v128| i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b));
        let totals = pairs(pairs(a.0, b.0), pairs(c.0, d.0));
        [
            i32x4_extract_lane::<0>(totals),
            i32x4_extract_lane::<1>(totals),
            i32x4_extract_lane::<2>(totals),
            i32x4_extract_lane::<3>(totals),
        ]
    }
}
