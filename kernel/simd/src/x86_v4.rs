//! The tier of the x86-64 level 4: AVX-512 as in Skylake-SP.

use core::arch::x86_64::*;
use std::sync::LazyLock;

use super::bit_ranks::NTH_OF_FOUR;
use super::intrinsics::proven;
use super::vector::Vector;
use super::zmm::{Bundle, Zmm};

/// Proof of a CPU with AVX-512 F, BW, CD, DQ and VL and BMI2: Intel's servers since Skylake-SP, AMD since Zen 4.
#[derive(Clone, Copy, Debug)]
pub struct X86V4(());

impl X86V4 {
    /// The proof, if the CPU has the instructions.
    pub fn detect() -> Option<X86V4> {
        static DETECTED: LazyLock<bool> = LazyLock::new(|| {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
        });
        DETECTED.then_some(X86V4(()))
    }
}

/// How many bits of a nibble are set.
static ONES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// The bits of a nibble in reverse order.
static REVERSED: [u8; 16] = {
    let mut reversed = [0; 16];
    let mut nibble = 0;
    while nibble < 16 {
        reversed[nibble] = (nibble as u8).reverse_bits() >> 4;
        nibble += 1;
    }
    reversed
};

/// [`REVERSED`] in the upper half of a byte.
static REVERSED_UPPER: [u8; 16] = {
    let mut upper = REVERSED;
    let mut nibble = 0;
    while nibble < 16 {
        upper[nibble] <<= 4;
        nibble += 1;
    }
    upper
};

impl Bundle for X86V4 {
    #[inline(always)]
    fn compiled<R>(self, body: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,popcnt,lzcnt,bmi1,bmi2")]
        fn with_x86_v4<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        proven!(with_x86_v4(body))
    }

    #[inline(always)]
    fn count_ones(self, words: Zmm<X86V4>) -> Zmm<X86V4> {
        let (low, high) = words.look_up_nibbles(&ONES, &ONES);
        let bytes = proven!(_mm512_add_epi8(low, high));
        let pairs = proven!(_mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1)));
        words.with(proven!(_mm512_madd_epi16(pairs, _mm512_set1_epi16(1))))
    }

    #[inline(always)]
    fn nth_bits<const N: usize>(masks: [Zmm<X86V4>; N], ranks: [Zmm<X86V4>; N]) -> [Zmm<X86V4>; N] {
        // Each step runs over all vectors, so that none waits for the step before.
        let (mut bits, mut values, mut ranks) = (masks, masks, ranks);
        for index in 0..N {
            (bits[index], values[index], ranks[index]) = masks[index].nth_nibble(ranks[index]);
        }
        for index in 0..N {
            bits[index] = bits[index] & values[index].nth_of_nibble(ranks[index]);
        }
        bits
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self, words: Zmm<X86V4>) -> Zmm<X86V4> {
        let (low, high) = words.look_up_nibbles(&REVERSED_UPPER, &REVERSED);
        let bytes = proven!(_mm512_or_si512(low, high));
        let backwards = words.quarters(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        let reversed = words.with(proven!(_mm512_shuffle_epi8(bytes, backwards)));
        reversed.shr(words.splat(32 - BITS))
    }

    #[inline(always)]
    fn look_up_byte(self, index: Zmm<X86V4>, table: &[u8; 64]) -> Zmm<X86V4> {
        // SAFETY: `table` has the 64 bytes that are read, at any alignment; `self` proves AVX-512.
        let table = unsafe { _mm512_loadu_epi32(table.as_ptr().cast()) };
        // Four bytes; the low bits of the index choose one.
        let fours = proven!(_mm512_permutexvar_epi32(index.shr_by::<2>().0, table));
        let start = index.shl_by::<3>() & 24;
        index.with(fours).shr(start) & 0xff
    }
}

impl Zmm<X86V4> {
    /// Sixteen bytes in each quarter of a vector; this one proves the instruction set.
    #[inline(always)]
    fn quarters(self, bytes: &[u8; 16]) -> __m512i {
        // SAFETY: `bytes` has the sixteen bytes that are read, at any alignment; `self` proves AVX-512.
        unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }

    /// The lower halves of the bytes, and the upper halves in their place.
    #[inline(always)]
    fn nibbles(self) -> (Zmm<X86V4>, Zmm<X86V4>) {
        (self & 0x0f0f_0f0f, self.shr_by::<4>() & 0x0f0f_0f0f)
    }

    /// The entry of a table at each nibble: one table for the lower halves of bytes, and one for the upper halves.
    #[inline(always)]
    fn look_up_nibbles(self, lower: &[u8; 16], upper: &[u8; 16]) -> (__m512i, __m512i) {
        let (low, high) = self.nibbles();
        (
            proven!(_mm512_shuffle_epi8(self.quarters(lower), low.0)),
            proven!(_mm512_shuffle_epi8(self.quarters(upper), high.0)),
        )
    }

    /// The nibble with the set bit of a rank, 0 if fewer are set; the same nibble in the lower half of its byte; and
    /// there the rank among its own bits. Other bytes of the last two are unspecified.
    #[inline(always)]
    fn nth_nibble(self, rank: Zmm<X86V4>) -> (Zmm<X86V4>, Zmm<X86V4>, Zmm<X86V4>) {
        let (low, high) = self.nibbles();
        let ones = self.quarters(&ONES);
        let in_low = proven!(_mm512_shuffle_epi8(ones, low.0));
        let in_high = proven!(_mm512_shuffle_epi8(ones, high.0));
        let counts = proven!(_mm512_add_epi8(in_low, in_high));
        // How many bits are set in the bytes below each: the bytes of a product, at most 24.
        let below = proven!(_mm512_mullo_epi32(counts, self.splat(0x0101_0100).0));
        let lowest_bytes = self.quarters(&[0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]);
        let ranks = proven!(_mm512_shuffle_epi8(rank.0, lowest_bytes));
        // Where a rank is below the count, the difference wraps to a large number.
        let rank_in_low = proven!(_mm512_sub_epi8(ranks, below));
        let rank_in_high = proven!(_mm512_sub_epi8(rank_in_low, in_low));
        let is_low = proven!(_mm512_cmplt_epu8_mask(rank_in_low, in_low));
        let is_high = proven!(_mm512_cmplt_epu8_mask(rank_in_high, in_high));
        let upper = self & 0xf0f0_f0f0;
        let nibble = proven!(_mm512_maskz_mov_epi8(is_low, low.0));
        let nibble = proven!(_mm512_mask_mov_epi8(nibble, is_high, upper.0));
        let value = proven!(_mm512_mask_mov_epi8(low.0, is_high, high.0));
        let rank = proven!(_mm512_mask_mov_epi8(rank_in_low, is_high, rank_in_high));
        (self.with(nibble), self.with(value), self.with(rank))
    }

    /// Only the set bit of a rank in the lower half of each byte, in both halves.
    #[inline(always)]
    fn nth_of_nibble(self, rank: Zmm<X86V4>) -> Zmm<X86V4> {
        let is_odd = proven!(_mm512_test_epi8_mask(rank.0, _mm512_set1_epi8(1)));
        let is_late = proven!(_mm512_test_epi8_mask(rank.0, _mm512_set1_epi8(2)));
        let of_rank = NTH_OF_FOUR.as_chunks::<16>().0;
        let early = self.look_up_or(&of_rank[0], is_odd, &of_rank[1]);
        let late = self.look_up_or(&of_rank[2], is_odd, &of_rank[3]);
        self.with(proven!(_mm512_mask_mov_epi8(early, is_late, late)))
    }

    /// The entry of a table at the lower half of each byte: of the first, or in the given bytes of the other.
    #[inline(always)]
    fn look_up_or(self, table: &[u8; 16], bytes: __mmask64, other: &[u8; 16]) -> __m512i {
        let entries = proven!(_mm512_shuffle_epi8(self.quarters(table), self.0));
        let other = self.quarters(other);
        proven!(_mm512_mask_shuffle_epi8(entries, bytes, other, self.0))
    }
}
