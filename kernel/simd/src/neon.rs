//! The NEON tier: four lanes.

use core::arch::aarch64::*;
use core::arch::asm;
use std::arch::is_aarch64_feature_detected;

use super::bit_ranks::NTH_OF_FOUR;
use super::intrinsics::{
    bit_operator_of_vector, load_by_intrinsic, methods_by_intrinsic, not_by_intrinsic, operator_by_intrinsic, proven,
    store_by_intrinsic, words_of_lanes,
};
use super::lane_moves::{COMPRESS, EXPAND};
use super::scalar::Scalar;
use super::vector::{Isa, Lanes, Schedule, Vector};

/// Proof of a CPU with NEON: almost every 64-bit ARM.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// The proof, if the CPU has the instructions.
    #[must_use]
    pub fn detect() -> Option<Neon> {
        is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

impl Isa for Neon {
    type Vector = Quad;

    #[inline(always)]
    fn splat(self, value: u32) -> Quad {
        Quad(proven!(vdupq_n_u32(value)))
    }

    #[inline(always)]
    fn deposit_word(self, ranks: u32, mask: u32) -> u32 {
        Scalar.deposit_word(ranks, mask)
    }

    #[inline(always)]
    fn with_features<R>(self, body: impl FnOnce() -> R) -> R {
        // Most targets have NEON throughout: not inlined, since compilers take long over large functions.
        #[inline(never)]
        #[target_feature(enable = "neon")]
        fn with_neon<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        proven!(with_neon(body))
    }
}

/// Four lanes.
#[derive(Clone, Copy, Debug)]
pub struct Quad(uint32x4_t);

words_of_lanes!(4, 16);

/// A set of lanes: all bits are set in each of its lanes.
#[derive(Clone, Copy, Debug)]
pub struct Mask(uint32x4_t);

/// For each byte, where the lowest byte of its lane is.
const LOW_BYTES: [u8; 16] = [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12];

/// For each byte, where the second byte of its lane is.
const HIGH_BYTES: [u8; 16] = [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13];

/// The lanes of each set, byte by byte.
const LANES_OF: [[u8; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let mut byte = 0;
        while byte < 16 {
            if set >> (byte / 4) & 1 == 1 {
                table[set][byte] = u8::MAX;
            }
            byte += 1;
        }
        set += 1;
    }
    table
};

/// How many lanes each set has.
const NUMBERS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

operator_by_intrinsic!([] Mask, BitAnd, bitand: vandq_u32);
operator_by_intrinsic!([] Mask, BitOr, bitor: vorrq_u32);
not_by_intrinsic!(Mask: vmvnq_u32);

impl Lanes for Mask {
    #[inline(always)]
    fn is_empty(self) -> bool {
        proven!(vmaxvq_u32(self.0)) == 0
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        let bits = Quad(self.0).one_bit_each() & Quad(self.0);
        proven!(vaddvq_u32(bits.0))
    }
}

bit_operator_of_vector!([] Quad, BitAnd, bitand: vandq_u32);
bit_operator_of_vector!([] Quad, BitOr, bitor: vorrq_u32);
bit_operator_of_vector!([] Quad, BitXor, bitxor: veorq_u32);
not_by_intrinsic!(Quad: vmvnq_u32);

impl Quad {
    /// The lanes as bytes.
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        proven!(vreinterpretq_u8_u32(self.0))
    }

    /// The lanes that `bytes` make up; this vector proves the instruction set.
    #[inline(always)]
    fn of_bytes(self, bytes: uint8x16_t) -> Quad {
        Quad(proven!(vreinterpretq_u32_u8(bytes)))
    }

    /// Bytes from memory; this vector proves the instruction set.
    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: `bytes` has the sixteen bytes that are read; `self` proves NEON.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    /// Moves bytes by a table of their numbers.
    #[inline(always)]
    fn permute(self, numbers: &[u8; 16]) -> Quad {
        let numbers = self.load_bytes(numbers);
        self.of_bytes(proven!(vqtbl1q_u8(self.bytes(), numbers)))
    }

    /// The entries of a table at these bytes; 0 where one is 64 or more.
    #[inline(always)]
    fn look_up_bytes(self, table: &[u8; 64]) -> Quad {
        // SAFETY: `table` has the 64 bytes that are read; `self` proves NEON.
        let table = unsafe { vld1q_u8_x4(table.as_ptr()) };
        self.of_bytes(proven!(vqtbl4q_u8(table, self.bytes())))
    }

    /// Hides from the compiler that lanes are the result of a comparison. It would do the operations on sets with
    /// sixteen bits a lane, and widen the results, which takes more instructions than it spares.
    #[inline(always)]
    fn set_of(self, mut lanes: uint32x4_t) -> Mask {
        // SAFETY: the assembly is empty and leaves `lanes` as they are; `self` proves NEON, which has the register.
        unsafe {
            asm!("/* {0:v} */", inout(vreg) lanes, options(pure, nomem, nostack, preserves_flags));
        }
        Mask(lanes)
    }

    /// The bit of each lane in a set; this vector proves the instruction set.
    #[inline(always)]
    fn one_bit_each(self) -> Quad {
        self.load_slice(&[1, 2, 4, 8])
    }
}

impl Vector for Quad {
    type Lanes = Mask;
    type LaneArray = LaneArray;

    const LANES: usize = 4;
    const SCHEDULE: Schedule = Schedule::Sequential;

    load_by_intrinsic!(u32, 4, vld1q_u32);
    store_by_intrinsic!(u32, 4, vst1q_u32);

    methods_by_intrinsic! {
        wrapping_add: vaddq_u32,
        wrapping_sub: vsubq_u32,
        mul_lo16: vmulq_u32,
        min: vminq_u32,
        max: vmaxq_u32,
    }

    #[inline(always)]
    fn splat(self, value: u32) -> Quad {
        Quad(proven!(vdupq_n_u32(value)))
    }

    #[inline(always)]
    fn shl(self, counts: Quad) -> Quad {
        Quad(proven!(vshlq_u32(self.0, vreinterpretq_s32_u32(counts.0))))
    }

    #[inline(always)]
    fn shr(self, counts: Quad) -> Quad {
        let counts = proven!(vnegq_s32(vreinterpretq_s32_u32(counts.0)));
        Quad(proven!(vshlq_u32(self.0, counts)))
    }

    #[inline(always)]
    fn shl_by<const COUNT: u32>(self) -> Quad {
        Quad(proven!(vshlq_u32(self.0, vdupq_n_s32(COUNT as i32))))
    }

    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Quad {
        Quad(proven!(vshlq_u32(self.0, vdupq_n_s32(-(COUNT as i32)))))
    }

    #[inline(always)]
    fn rotate(self, counts: Quad) -> Quad {
        // A negative count shifts right, and by 32 it leaves 0.
        self.shl(counts) | self.shl(counts.wrapping_sub(self.splat(32)))
    }

    #[inline(always)]
    fn add_half(self, other: Quad) -> Quad {
        // The compiler would shift before it masks, in one instruction more.
        let mut sum = self.0;
        // SAFETY: the instruction changes `sum` only; `self` proves NEON.
        unsafe {
            asm!(
                "usra {sum:v}.4s, {other:v}.4s, #1",
                sum = inout(vreg) sum,
                other = in(vreg) other.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Quad(sum)
    }

    #[inline(always)]
    fn mul_wide(self, other: Quad) -> (Quad, Quad) {
        let front = proven!(vmull_u32(vget_low_u32(self.0), vget_low_u32(other.0)));
        let back = proven!(vmull_high_u32(self.0, other.0));
        let (front, back) = (proven!(vreinterpretq_u32_u64(front)), proven!(vreinterpretq_u32_u64(back)));
        (Quad(proven!(vuzp2q_u32(front, back))), Quad(proven!(vuzp1q_u32(front, back))))
    }

    #[inline(always)]
    fn div(self, divisor: Quad) -> Quad {
        // Division is exact to the last bit, far finer than the distance of an inexact quotient from an integer.
        let (dividend, divisor) = proven!((vcvtq_f32_u32(self.0), vcvtq_f32_u32(divisor.0)));
        Quad(proven!(vcvtq_u32_f32(vdivq_f32(dividend, divisor))))
    }

    #[inline(always)]
    fn majority(self, b: Quad, c: Quad) -> Quad {
        // Where two differ the third decides. The compiler would make three operations of a `vbslq_u32`.
        let mut decided = b.0;
        let differ = (self ^ b).0;
        // SAFETY: the instruction changes `decided` only; `self` proves NEON.
        unsafe {
            asm!(
                "bit {decided:v}.16b, {third:v}.16b, {differ:v}.16b",
                decided = inout(vreg) decided,
                third = in(vreg) c.0,
                differ = in(vreg) differ,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Quad(decided)
    }

    #[inline(always)]
    fn subtract_borrows(self, b: Quad, c: Quad) -> Quad {
        Quad(proven!(vbslq_u32((self ^ b).0, b.0, c.0)))
    }

    #[inline(always)]
    fn count_ones(self) -> Quad {
        self.count_ones_with([])
    }

    #[inline(always)]
    fn count_ones_with<const N: usize>(self, others: [Quad; N]) -> Quad {
        let mut of_bytes = proven!(vcntq_u8(self.bytes()));
        for index in 0..N {
            of_bytes = proven!(vaddq_u8(of_bytes, vcntq_u8(others[index].bytes())));
        }
        Quad(proven!(vpaddlq_u16(vpaddlq_u8(of_bytes))))
    }

    #[inline(always)]
    fn choose_2(self) -> Quad {
        self.mul_lo16(self.wrapping_sub(self.splat(1))).shr_by::<1>()
    }

    #[inline(always)]
    fn highest_bit(self) -> Quad {
        // 0 has 32 leading zeros, and a shift by 32 leaves 0.
        self.splat(1 << 31).shr(Quad(proven!(vclzq_u32(self.0))))
    }

    #[inline(always)]
    fn nth_bit(self, rank: Quad) -> Quad {
        // As the algebra document shows. The rank within each byte, which is negative above the byte of the bit; the
        // borrow of the byte below leaves it negative.
        let counts = self.of_bytes(proven!(vcntq_u8(self.bytes())));
        let below = counts.mul_lo16(self.splat(0x0101_0100));
        let within = rank.mul_lo16(self.splat(0x0101_0101)).wrapping_sub(below).bytes();
        let within = proven!(vminq_u8(within, vdupq_n_u8(15)));
        // The index of each half: its bits, and above them the rank.
        let lower = proven!(vandq_u8(self.bytes(), vdupq_n_u8(15)));
        let upper = proven!(vshrq_n_u8::<4>(self.bytes()));
        let within_upper = proven!(vsubq_u8(within, vcntq_u8(lower)));
        let lower = self.of_bytes(proven!(vsliq_n_u8::<4>(lower, within)));
        let upper = self.of_bytes(proven!(vsliq_n_u8::<4>(upper, within_upper)));
        let lower = lower.look_up_bytes(&NTH_OF_FOUR).bytes();
        let upper = upper.look_up_bytes(&NTH_OF_FOUR).bytes();
        self.of_bytes(proven!(vsliq_n_u8::<4>(lower, upper)))
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self) -> Quad {
        let bits_of_bytes = proven!(vrbitq_u8(self.bytes()));
        let reversed = self.of_bytes(proven!(vrev32q_u8(bits_of_bytes)));
        reversed.shr(self.splat(32 - BITS))
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Quad {
        let start = (self & 15).mul_lo16(self.splat(0x0404_0404));
        let bytes = start.wrapping_add(self.splat(0x0302_0100));
        // If the compiler knew the table, it would load each register from a separate address.
        let mut table: *const u8 = table.as_ptr().cast();
        // SAFETY: the assembly is empty and leaves `table` as it is.
        #[expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read")]
        unsafe {
            asm!("/* {0} */", inout(reg) table, options(pure, nomem, nostack, preserves_flags));
        }
        // SAFETY: `table` has the 16 words that are read; `self` proves NEON.
        let table = unsafe { vld1q_u8_x4(table) };
        self.of_bytes(proven!(vqtbl4q_u8(table, bytes.bytes())))
    }

    #[inline(always)]
    fn look_up_byte(self, table: &[u8; 64]) -> Quad {
        (self | 0xffff_ff00).look_up_bytes(table)
    }

    #[inline(always)]
    fn deposit_from_table(self, table: &[u16; 1 << 11], index: Quad) -> Quad {
        let mut ranks = index.store();
        for index in &mut ranks.0 {
            *index = u32::from(table[*index as usize % table.len()]);
        }
        let ranks = self.load_slice(&ranks.0);
        // Each byte takes its own from the ranks: all that are left beyond the bits in the bytes below.
        let counts = self.of_bytes(proven!(vcntq_u8(self.bytes())));
        let below = counts.mul_lo16(self.splat(0x0101_0100)).bytes();
        let down = proven!(vnegq_s8(vreinterpretq_s8_u8(below)));
        let low = ranks.permute(&LOW_BYTES).bytes();
        let high = ranks.permute(&HIGH_BYTES).bytes();
        let low = proven!(vshlq_u8(low, down));
        let high = proven!(vshlq_u8(high, vaddq_s8(down, vdupq_n_s8(8))));
        let all = proven!(vdupq_n_u8(u8::MAX));
        let beyond = proven!(vshlq_u8(all, vreinterpretq_s8_u8(counts.bytes())));
        let mut ranks = self.of_bytes(proven!(vbicq_u8(vorrq_u8(low, high), beyond)));
        // The lowest bit that is left belongs to the lowest rank that is left.
        let (mut left, mut bits) = (self.bytes(), self.splat(0).bytes());
        let one = proven!(vdupq_n_u8(1));
        while proven!(vmaxvq_u32(ranks.0)) != 0 {
            let without_lowest = proven!(vandq_u8(left, vsubq_u8(left, one)));
            let is_chosen = proven!(vtstq_u8(ranks.bytes(), one));
            let lowest = proven!(veorq_u8(left, without_lowest));
            bits = proven!(vorrq_u8(bits, vandq_u8(is_chosen, lowest)));
            left = without_lowest;
            ranks = self.of_bytes(proven!(vshrq_n_u8::<1>(ranks.bytes())));
        }
        self.of_bytes(bits)
    }

    #[inline(always)]
    fn count_lanes(bits: u32) -> usize {
        usize::from(NUMBERS[bits as usize % NUMBERS.len()])
    }

    #[inline(always)]
    fn lanes_of_bits(self, bits: u32) -> Mask {
        let lanes = self.load_bytes(&LANES_OF[bits as usize % LANES_OF.len()]);
        Mask(self.of_bytes(lanes).0)
    }

    #[inline(always)]
    fn lanes_equal(self, other: Quad) -> Mask {
        Mask(proven!(vceqq_u32(self.0, other.0)))
    }

    #[inline(always)]
    fn lanes_less(self, other: Quad) -> Mask {
        Mask(proven!(vcltq_u32(self.0, other.0)))
    }

    #[inline(always)]
    fn lanes_zero(self) -> Mask {
        self.set_of(proven!(vceqzq_u32(self.0)))
    }

    #[inline(always)]
    fn test_any_bit(self, other: Quad) -> Mask {
        self.set_of(proven!(vtstq_u32(self.0, other.0)))
    }

    #[inline(always)]
    fn add_one(self, lanes: Mask) -> Quad {
        self.wrapping_sub(Quad(lanes.0))
    }

    #[inline(always)]
    fn blend(self, lanes: Mask, other: Quad) -> Quad {
        Quad(proven!(vbslq_u32(lanes.0, self.0, other.0)))
    }

    #[inline(always)]
    fn zero_unless(self, lanes: Mask) -> Quad {
        Quad(proven!(vandq_u32(self.0, lanes.0)))
    }

    #[inline(always)]
    fn compress(self, lanes: Mask, words: &mut [u32]) {
        self.permute(&COMPRESS[lanes.to_bits() as usize % COMPRESS.len()]).store_slice(words);
    }

    #[inline(always)]
    fn expand(self, bits: u32, words: &[u32]) -> Quad {
        let words = self.load_slice(words);
        words.permute(&EXPAND[bits as usize % EXPAND.len()]).blend(self.lanes_of_bits(bits), self)
    }
}
