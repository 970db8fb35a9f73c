//! The WebAssembly tier: four lanes.
//!
//! WebAssembly cannot detect instructions at run time: an engine accepts a module or rejects it. So the proof exists if
//! the code was compiled with `simd128`, and then the intrinsics are safe functions.

use core::arch::wasm32::*;

use super::intrinsics::{
    bit_operator_of_vector, load_by_intrinsic, methods_by_intrinsic, not_by_intrinsic, operator_by_intrinsic,
    store_by_intrinsic, words_of_lanes,
};
use super::lane_moves::{COMPRESS, EXPAND};
use super::scalar::Scalar;
use super::vector::{Isa, Lanes, Schedule, Vector};

/// Proof of WebAssembly with `simd128`.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(());

impl Simd128 {
    /// The proof: this code was compiled for it.
    #[must_use]
    pub fn detect() -> Option<Simd128> {
        Some(Simd128(()))
    }
}

impl Isa for Simd128 {
    type Vector = Quad;

    #[inline(always)]
    fn splat(self, value: u32) -> Quad {
        Quad(u32x4_splat(value))
    }

    #[inline(always)]
    fn deposit_word(self, ranks: u32, mask: u32) -> u32 {
        Scalar.deposit_word(ranks, mask)
    }

    // Not inlined, since compilers take long over large functions.
    #[inline(never)]
    fn with_features<R>(self, body: impl FnOnce() -> R) -> R {
        body()
    }
}

/// Four lanes.
#[derive(Clone, Copy, Debug)]
pub struct Quad(v128);

words_of_lanes!(4, 16);

/// A set of lanes: all bits are set in each of its lanes.
#[derive(Clone, Copy, Debug)]
pub struct Mask(v128);

operator_by_intrinsic!([] Mask, BitAnd, bitand: v128_and);
operator_by_intrinsic!([] Mask, BitOr, bitor: v128_or);
not_by_intrinsic!(Mask: v128_not);

impl Lanes for Mask {
    #[inline(always)]
    fn is_empty(self) -> bool {
        !v128_any_true(self.0)
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        i32x4_bitmask(self.0).into()
    }
}

bit_operator_of_vector!([] Quad, BitAnd, bitand: v128_and);
bit_operator_of_vector!([] Quad, BitOr, bitor: v128_or);
bit_operator_of_vector!([] Quad, BitXor, bitxor: v128_xor);
not_by_intrinsic!(Quad: v128_not);

/// The powers of two in a byte, for a shift by multiplying.
const POWERS: v128 = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0);

/// 64 divided by each of the powers.
const POWERS_OF_64: v128 = u8x16(64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/// How many bits a nibble has.
const ONES: v128 = u8x16(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);

/// [`ONES`] with 128 added.
const ONES_AND_128: v128 = u8x16(128, 129, 129, 130, 129, 130, 130, 131, 129, 130, 130, 131, 130, 131, 131, 132);

/// The bytes of each lane in reverse order.
static BYTES_REVERSED: v128 = u8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);

/// The bits of a nibble in reverse order, in the low and in the high half of a byte.
const REVERSED_LOW: v128 = u8x16(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
const REVERSED_HIGH: v128 = u8x16(0, 128, 64, 192, 32, 160, 96, 224, 16, 144, 80, 208, 48, 176, 112, 240);

/// The entries of a table of sixteen bytes at numbers below 16; 0 in the three high bytes of each lane.
#[inline(always)]
fn byte_of(table: v128, number: Quad) -> v128 {
    i8x16_swizzle(table, (number | 0xffff_ff00).0)
}

/// The entries of a table at these bytes, which are below 64 or at least 128; 0 at bytes from 128 on.
#[inline(always)]
fn look_up_bytes(table: &[u8; 64], bytes: v128) -> v128 {
    let (parts, []) = table.as_chunks::<16>() else {
        unreachable!("64 bytes are four vectors");
    };
    // A byte outside a part gives 0.
    let of = |part: usize| {
        let start = u8x16_splat(16 * part as u8);
        i8x16_swizzle(load_bytes(&parts[part]), u8x16_sub(bytes, start))
    };
    v128_or(v128_or(of(0), of(1)), v128_or(of(2), of(3)))
}

#[inline(always)]
fn load_bytes(bytes: &[u8; 16]) -> v128 {
    // SAFETY: `bytes` has the sixteen bytes that are read, at any alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// A constant that is hidden from the compiler. For a known constant it replaces a widening product of words by a
/// product of lanes of 64 bits, and a permutation by an index by a fixed permutation. Both take engines more
/// instructions.
#[inline(always)]
fn unknown(constant: &'static v128) -> v128 {
    // SAFETY: a reference is to a value that may be read.
    unsafe { core::ptr::read_volatile(constant) }
}

/// Floats of whole numbers below 2^31.
#[inline(always)]
fn floats(numbers: v128) -> v128 {
    f32x4_convert_i32x4(numbers)
}

impl Vector for Quad {
    type Lanes = Mask;
    type LaneArray = LaneArray;

    const LANES: usize = 4;
    const SCHEDULE: Schedule = Schedule::Staged;

    load_by_intrinsic!(u32, 4, v128_load);
    store_by_intrinsic!(u32, 4, v128_store);

    methods_by_intrinsic! {
        wrapping_add: u32x4_add,
        wrapping_sub: u32x4_sub,
        min: u32x4_min,
        max: u32x4_max,
    }

    #[inline(always)]
    fn splat(self, value: u32) -> Quad {
        Quad(u32x4_splat(value))
    }

    #[inline(always)]
    fn shl(self, counts: Quad) -> Quad {
        Quad(u32x4_mul(self.0, byte_of(POWERS, counts)))
    }

    #[inline(always)]
    fn shr(self, counts: Quad) -> Quad {
        // A word of 26 bits times at most 64 has at most 32 bits.
        Quad(u32x4_mul(self.0, byte_of(POWERS_OF_64, counts))).shr_by::<6>()
    }

    #[inline(always)]
    fn shl_by<const COUNT: u32>(self) -> Quad {
        Quad(u32x4_shl(self.0, COUNT))
    }

    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Quad {
        Quad(u32x4_shr(self.0, COUNT))
    }

    #[inline(always)]
    fn rotate_by<const COUNT: u32>(self) -> Quad {
        self.shl_by::<COUNT>() | Quad(u32x4_shr(self.0, 32 - COUNT))
    }

    #[inline(always)]
    fn rotate(self, counts: Quad) -> Quad {
        // WebAssembly shifts all lanes of a vector by one count.
        let (words, counts) = (self.0, counts.0);
        Quad(u32x4(
            u32x4_extract_lane::<0>(words).rotate_left(u32x4_extract_lane::<0>(counts)),
            u32x4_extract_lane::<1>(words).rotate_left(u32x4_extract_lane::<1>(counts)),
            u32x4_extract_lane::<2>(words).rotate_left(u32x4_extract_lane::<2>(counts)),
            u32x4_extract_lane::<3>(words).rotate_left(u32x4_extract_lane::<3>(counts)),
        ))
    }

    #[inline(always)]
    fn mul_lo16(self, other: Quad) -> Quad {
        // Either the high halves are 0 or the low half of one is.
        Quad(u16x8_mul(self.0, other.0))
    }

    #[inline(always)]
    fn mul_wide(self, other: Quad) -> (Quad, Quad) {
        let front = u64x2_extmul_low_u32x4(self.0, other.0);
        let back = u64x2_extmul_high_u32x4(self.0, other.0);
        (Quad(u32x4_shuffle::<1, 3, 5, 7>(front, back)), Quad(u32x4_shuffle::<0, 2, 4, 6>(front, back)))
    }

    #[inline(always)]
    fn mul_wide_by<const FACTOR: u32>(self) -> (Quad, Quad) {
        let factors = const { &u32x4(FACTOR, FACTOR, FACTOR, FACTOR) };
        self.mul_wide(Quad(unknown(factors)))
    }

    #[inline(always)]
    fn div(self, divisor: Quad) -> Quad {
        // The sum with 2^15 has eight bits after the point. A quotient below an integer is at least 1/128 below it, two
        // steps of the last bit, so rounding does not reach the integer.
        let quotient = f32x4_div(floats(self.0), floats(divisor.0));
        let rounded = f32x4_add(quotient, f32x4_splat((1 << 15) as f32));
        Quad(rounded).shl_by::<9>().shr_by::<17>()
    }

    #[inline(always)]
    fn majority(self, b: Quad, c: Quad) -> Quad {
        (self & b) | ((self | b) & c)
    }

    #[inline(always)]
    fn count_ones(self) -> Quad {
        self.count_ones_with([])
    }

    #[inline(always)]
    fn count_ones_with<const N: usize>(self, others: [Quad; N]) -> Quad {
        let mut of_bytes = u8x16_popcnt(self.0);
        for index in 0..N {
            of_bytes = u8x16_add(of_bytes, u8x16_popcnt(others[index].0));
        }
        let of_halves = u16x8_extadd_pairwise_u8x16(of_bytes);
        Quad(i32x4_dot_i16x8(of_halves, u16x8_splat(1)))
    }

    #[inline(always)]
    fn highest_bit(self) -> Quad {
        let mut below = self;
        below = below | below.shr_by::<1>();
        below = below | below.shr_by::<2>();
        below = below | below.shr_by::<4>();
        below = below | below.shr_by::<8>();
        below = below | below.shr_by::<16>();
        below ^ below.shr_by::<1>()
    }

    #[inline(always)]
    fn nth_bit(self, rank: Quad) -> Quad {
        // As the algebra document shows. Counts and ranks have 128 added: as signed bytes, numbers from 0 on then keep
        // their order, and a negative rank is greater than every count. First the byte:
        let low_half = u8x16_splat(0x0f);
        let in_lower = i8x16_swizzle(ONES_AND_128, v128_and(self.0, low_half));
        let in_upper = i8x16_swizzle(ONES, v128_and(u16x8_shr(self.0, 4), low_half));
        let counts = u8x16_add(in_lower, in_upper);
        // The rank within each byte, negative if the bit is in a byte below: the rank minus the counts of the bytes
        // below, which the product adds up.
        let rank = u32x4_add(rank.0, u8x16_splat(128));
        let within = u32x4_mul(u32x4_sub(rank, u32x4_shl(counts, 8)), u8x16_splat(1));
        let byte = v128_and(self.0, i8x16_gt(counts, within));
        // Then its half: if it is the upper, the lower is cleared.
        let halves = v128_or(i8x16_gt(in_lower, within), u8x16_splat(0xf0));
        let rank = u8x16_sub(within, v128_andnot(in_lower, halves));
        let mut left = v128_and(byte, halves);
        // Then the bits below it in its half, at most three.
        for below in 0..3 {
            let is_beyond = i8x16_gt(rank, i8x16_splat(i8::MIN + below));
            left = v128_and(left, u8x16_add(left, is_beyond));
        }
        Quad(v128_andnot(left, u8x16_add(left, u8x16_splat(0xff))))
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self) -> Quad {
        let low = v128_and(self.0, u8x16_splat(0x0f));
        let high = v128_and(u16x8_shr(self.0, 4), u8x16_splat(0x0f));
        let bits_of_bytes = v128_or(i8x16_swizzle(REVERSED_HIGH, low), i8x16_swizzle(REVERSED_LOW, high));
        let reversed = i8x16_swizzle(bits_of_bytes, unknown(&BYTES_REVERSED));
        Quad(u32x4_shr(reversed, 32 - BITS))
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Quad {
        let at = |index: u32| table[index as usize % table.len()];
        let indices = self.0;
        Quad(u32x4(
            at(u32x4_extract_lane::<0>(indices)),
            at(u32x4_extract_lane::<1>(indices)),
            at(u32x4_extract_lane::<2>(indices)),
            at(u32x4_extract_lane::<3>(indices)),
        ))
    }

    #[inline(always)]
    fn look_up_byte(self, table: &[u8; 64]) -> Quad {
        Quad(look_up_bytes(table, (self | 0xffff_ff00).0))
    }

    #[inline(always)]
    fn deposit_from_table(self, table: &[u16; 1 << 11], index: Quad) -> Quad {
        let at = |index: u32| u32::from(table[index as usize % table.len()]);
        let indices = index.0;
        let mut ranks = Quad(u32x4(
            at(u32x4_extract_lane::<0>(indices)),
            at(u32x4_extract_lane::<1>(indices)),
            at(u32x4_extract_lane::<2>(indices)),
            at(u32x4_extract_lane::<3>(indices)),
        ));
        let (mut left, mut bits) = (self, self.splat(0));
        let one = self.splat(1);
        // The lowest bit that is left belongs to the lowest rank that is left.
        while v128_any_true(ranks.0) {
            let without_lowest = left & left.wrapping_sub(one);
            let is_chosen = Quad(i32x4_neg((ranks & 1).0));
            bits = bits | ((left ^ without_lowest) & is_chosen);
            left = without_lowest;
            ranks = ranks.shr_by::<1>();
        }
        bits
    }

    #[inline(always)]
    fn lanes_of_bits(self, bits: u32) -> Mask {
        self.splat(bits).test_any_bit(Quad(u32x4(1, 2, 4, 8)))
    }

    #[inline(always)]
    fn lanes_equal(self, other: Quad) -> Mask {
        Mask(u32x4_eq(self.0, other.0))
    }

    #[inline(always)]
    fn lanes_less(self, other: Quad) -> Mask {
        Mask(i32x4_lt(self.0, other.0))
    }

    #[inline(always)]
    fn add_one(self, lanes: Mask) -> Quad {
        self.wrapping_sub(Quad(lanes.0))
    }

    #[inline(always)]
    fn blend(self, lanes: Mask, other: Quad) -> Quad {
        Quad(v128_bitselect(self.0, other.0, lanes.0))
    }

    #[inline(always)]
    fn zero_unless(self, lanes: Mask) -> Quad {
        Quad(v128_and(self.0, lanes.0))
    }

    #[inline(always)]
    fn compress(self, lanes: Mask, words: &mut [u32]) {
        let bytes = load_bytes(&COMPRESS[lanes.to_bits() as usize]);
        Quad(i8x16_swizzle(self.0, bytes)).store_slice(words);
    }

    #[inline(always)]
    fn expand(self, bits: u32, words: &[u32]) -> Quad {
        let bytes = load_bytes(&EXPAND[bits as usize % EXPAND.len()]);
        let words = Quad(i8x16_swizzle(self.load_slice(words).0, bytes));
        words.blend(self.lanes_of_bits(bits), self)
    }
}
