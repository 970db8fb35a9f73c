//! The AVX-512 tier of Ice Lake and Zen 4.

use core::arch::x86_64::*;
use std::sync::LazyLock;

use super::bit_ranks::NTH_OF_FOUR;
use super::intrinsics::proven;
use super::vector::Vector;
use super::zmm::{Bundle, Zmm};

/// Proof of a CPU with AVX-512 F, BW, CD, BITALG, VBMI, VNNI and VPOPCNTDQ, GFNI and BMI2: Intel since Ice Lake,
/// AMD since Zen 4.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The proof, if the CPU has the instructions.
    pub fn detect() -> Option<Avx512> {
        static DETECTED: LazyLock<bool> = LazyLock::new(|| {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512bitalg")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vnni")
                && is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("gfni")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
        });
        DETECTED.then_some(Avx512(()))
    }
}

/// The [matrix](Zmm::affine) that reverses the bits of a byte.
const BACKWARDS: u64 = 0x8040_2010_0804_0201;
/// The matrix that makes all bits the highest.
const BYTES_OF_SIGNS: u64 = 0x8080_8080_8080_8080;
/// The matrix that adds the halves of a byte, one of which is empty.
const BOTH_HALVES: u64 = 0x1122_4488_0000_0000;
/// The matrix that moves the two lowest bits of a byte to bits 4 and 5, and drops the others.
const RAISED: u64 = 0x0000_0000_0102_0000;

impl Bundle for Avx512 {
    #[inline(always)]
    fn compiled<R>(self, body: impl FnOnce() -> R) -> R {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512bitalg,avx512vbmi,avx512vnni,avx512vpopcntdq,gfni,popcnt,lzcnt,bmi1,bmi2"
        )]
        fn with_avx512<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        proven!(with_avx512(body))
    }

    #[inline(always)]
    fn count_ones(self, words: Zmm<Avx512>) -> Zmm<Avx512> {
        words.with(proven!(_mm512_popcnt_epi32(words.0)))
    }

    #[inline(always)]
    fn nth_bits<const N: usize>(mut bits: [Zmm<Avx512>; N], mut ranks: [Zmm<Avx512>; N]) -> [Zmm<Avx512>; N] {
        // As the algebra document shows; each step runs over all vectors, so that none waits for the step before.
        for index in 0..N {
            (bits[index], ranks[index]) = bits[index].nth_byte(ranks[index]);
        }
        for index in 0..N {
            bits[index] = bits[index].nth_of_byte(ranks[index]);
        }
        bits
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self, words: Zmm<Avx512>) -> Zmm<Avx512> {
        // The bytes of the lane shifted up so that bit `BITS - 1` is the highest are taken in reverse order (bits that
        // come from the neighbouring lane are its highest, which are 0), and then the bits of each byte.
        let starts = const {
            let mut starts = 0;
            let mut byte = 0;
            while byte < 8 {
                let of_lane = if byte < 4 { 3 - byte } else { 11 - byte };
                let start = (8 * of_lane + BITS + 32) % 64; // of what is shifted up by 32 - BITS
                starts |= (start as u64) << (8 * byte);
                byte += 1;
            }
            starts as i64
        };
        let starts = proven!(_mm512_set1_epi64(starts));
        let bytes = words.with(proven!(_mm512_multishift_epi64_epi8(starts, words.0)));
        bytes.affine(BACKWARDS)
    }

    #[inline(always)]
    fn look_up_byte(self, index: Zmm<Avx512>, table: &[u8; 64]) -> Zmm<Avx512> {
        // SAFETY: `table` has the 64 bytes that are read, at any alignment; `self` proves AVX-512.
        let table = unsafe { _mm512_loadu_epi8(table.as_ptr().cast()) };
        index.with(proven!(_mm512_maskz_permutexvar_epi8(0x1111_1111_1111_1111, index.0, table)))
    }
}

impl Zmm<Avx512> {
    /// The byte with the set bit of a rank alone, 0 if fewer are set, and in its place the rank among its own bits.
    #[inline(always)]
    fn nth_byte(self, rank: Zmm<Avx512>) -> (Zmm<Avx512>, Zmm<Avx512>) {
        let counts = proven!(_mm512_popcnt_epi8(self.0));
        // How many bits are set in the bytes below each: the bytes of a product, at most 24.
        let below = proven!(_mm512_mullo_epi32(counts, self.splat(0x0101_0100).0));
        let lowest_bytes = proven!(_mm512_set4_epi32(0x0c0c_0c0c, 0x0808_0808, 0x0404_0404, 0));
        let ranks = proven!(_mm512_shuffle_epi8(rank.0, lowest_bytes));
        // Where a rank is below the count, the difference wraps to a large number.
        let within = proven!(_mm512_sub_epi8(ranks, below));
        let here = proven!(_mm512_cmplt_epu8_mask(within, counts));
        (self.with(proven!(_mm512_maskz_mov_epi8(here, self.0))), self.with(within))
    }

    /// Only the set bit of a rank in a byte. Bytes of 0 stay 0, whatever the rank.
    #[inline(always)]
    fn nth_of_byte(self, rank: Zmm<Avx512>) -> Zmm<Avx512> {
        let lower = self.splat(0x0f0f_0f0f);
        let counts = proven!(_mm512_popcnt_epi8((self & lower).0));
        let beyond = self.with(proven!(_mm512_sub_epi8(rank.0, counts)));
        // All ones if the bit is in the lower half.
        let is_lower = beyond.affine(BYTES_OF_SIGNS);
        // self & !(lower ^ is_lower)
        let half = self.with(proven!(_mm512_ternarylogic_epi32::<0x90>(self.0, lower.0, is_lower.0)));
        let rank = self.with(proven!(_mm512_min_epu8(rank.0, beyond.0)));
        let index = half.affine(BOTH_HALVES) | rank.affine(RAISED);
        // SAFETY: `NTH_OF_FOUR` has the 64 bytes that are read, at any alignment; `self` proves AVX-512.
        let table = unsafe { _mm512_loadu_epi8(NTH_OF_FOUR.as_ptr().cast()) };
        half & self.with(proven!(_mm512_permutexvar_epi8(index.0, table)))
    }

    /// The image of each byte under a matrix of bits: bit `i` of the image is the sum modulo 2 of the bits that byte
    /// `7 - i` of the matrix selects.
    #[inline(always)]
    fn affine(self, matrix: u64) -> Zmm<Avx512> {
        let matrix = proven!(_mm512_set1_epi64(matrix as i64));
        self.with(proven!(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, matrix)))
    }
}
