//! The AVX-512 tier: sixteen lanes.

use core::arch::asm;
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};
use std::sync::LazyLock;

use super::reciprocals::RECIPROCALS;
use super::vector::{Isa, Lanes, Vector};

/// Proof of a CPU with AVX-512 F, BW, CD, BITALG, VBMI and VPOPCNTDQ, GFNI and BMI2: Intel since Ice Lake,
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

/// Calls intrinsics that a value of this module proves to exist.
macro_rules! proven {
    ($($call:tt)*) => {
        // SAFETY: an `Avx512`, or a vector, which it takes one to make, proves the instructions.
        unsafe { $($call)* }
    };
}

impl Isa for Avx512 {
    type Vector = Zmm;

    #[inline(always)]
    fn splat(self, value: u32) -> Zmm {
        Zmm(proven!(_mm512_set1_epi32(value as i32)))
    }

    #[inline(always)]
    fn load(self, words: &Words) -> Zmm {
        self.splat(0).read(&words.0)
    }

    #[inline(always)]
    fn deposit(self, ranks: u32, mask: u32) -> u32 {
        proven!(_pdep_u32(ranks, mask))
    }

    #[inline(always)]
    fn call<R>(self, body: impl FnOnce() -> R) -> R {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512bitalg,avx512vbmi,avx512vpopcntdq,gfni,popcnt,lzcnt,bmi1,bmi2"
        )]
        fn with_avx512<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        proven!(with_avx512(body))
    }
}

/// Sixteen lanes.
#[derive(Clone, Copy, Debug)]
pub struct Zmm(__m512i);

/// Sixteen lanes in memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Words([u32; 16]);

impl AsRef<[u32]> for Words {
    fn as_ref(&self) -> &[u32] {
        &self.0
    }
}

impl AsMut<[u32]> for Words {
    fn as_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

/// A set of lanes.
#[derive(Clone, Copy, Debug)]
pub struct Mask(__mmask16);

impl BitAnd for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitand(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }
}

impl BitOr for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitor(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }
}

impl Not for Mask {
    type Output = Mask;
    #[inline(always)]
    fn not(self) -> Mask {
        Mask(!self.0)
    }
}

impl Lanes for Mask {
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn movemask(self) -> u32 {
        u32::from(self.0)
    }
}

macro_rules! bit_operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Zmm {
            type Output = Zmm;
            #[inline(always)]
            fn $method(self, other: Zmm) -> Zmm {
                Zmm(proven!($intrinsic(self.0, other.0)))
            }
        }
        impl $trait<u32> for Zmm {
            type Output = Zmm;
            #[inline(always)]
            fn $method(self, other: u32) -> Zmm {
                self.$method(self.splat(other))
            }
        }
    };
}
bit_operator!(BitAnd, bitand, _mm512_and_si512);
bit_operator!(BitOr, bitor, _mm512_or_si512);
bit_operator!(BitXor, bitxor, _mm512_xor_si512);

impl Not for Zmm {
    type Output = Zmm;
    #[inline(always)]
    fn not(self) -> Zmm {
        self ^ u32::MAX
    }
}

/// The [matrix](Zmm::affine) that reverses the bits of a byte.
const BACKWARDS: u64 = 0x8040_2010_0804_0201;
/// The matrix that makes all bits the highest.
const BYTES_OF_SIGNS: u64 = 0x8080_8080_8080_8080;
/// The matrix that adds the halves of a byte, of which one is empty.
const BOTH_HALVES: u64 = 0x1122_4488_0000_0000;
/// The matrix that moves the two lowest bits of a byte to bits 4 and 5, and drops the others.
const RAISED: u64 = 0x0000_0000_0102_0000;

/// The set bit of a rank in a nibble, alone, in both nibbles of a byte. The index is the nibble in its low bits and the
/// rank above it.
static NTH_OF_FOUR: [u8; 64] = {
    let mut bits = [0; 64];
    let mut index = 0;
    while index < 64 {
        let (mut half, mut rank) = (index as u8 & 15, index >> 4);
        while rank > 0 {
            half &= half.wrapping_sub(1);
            rank -= 1;
        }
        bits[index] = (half & half.wrapping_neg()) * 0x11;
        index += 1;
    }
    bits
};

/// Two vectors in registers at the same time.
#[inline]
#[target_feature(enable = "avx512f")]
fn both(mut this: __m512i, mut other: __m512i) -> (__m512i, __m512i) {
    // SAFETY: the assembly is a comment: it has no instruction, and leaves both registers as they are.
    unsafe {
        asm!(
            "/* {0} {1} */",
            inout(zmm_reg) this,
            inout(zmm_reg) other,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    (this, other)
}

impl Zmm {
    /// The odd lanes in the place of the even ones.
    #[inline(always)]
    fn odd_lanes(self) -> __m512i {
        proven!(_mm512_srli_epi64::<32>(self.0))
    }

    /// The byte with the set bit of a rank alone, 0 if fewer are set, and in its place the rank among its own bits.
    #[inline(always)]
    fn nth_byte(self, rank: Zmm) -> (Zmm, Zmm) {
        let counts = proven!(_mm512_popcnt_epi8(self.0));
        // How many bits are set in the bytes below each: the bytes of a product, none of which is above 24.
        let below = proven!(_mm512_mullo_epi32(counts, self.splat(0x0101_0100).0));
        let lowest_bytes = proven!(_mm512_set4_epi32(0x0c0c_0c0c, 0x0808_0808, 0x0404_0404, 0));
        let ranks = proven!(_mm512_shuffle_epi8(rank.0, lowest_bytes));
        // Where a rank is below the count, the difference wraps to a large number.
        let within = proven!(_mm512_sub_epi8(ranks, below));
        let here = proven!(_mm512_cmplt_epu8_mask(within, counts));
        (
            Zmm(proven!(_mm512_maskz_mov_epi8(here, self.0))),
            Zmm(within),
        )
    }

    /// The set bit of a rank in a byte, alone. Bytes of 0 stay so, whatever the rank.
    #[inline(always)]
    fn nth_of_byte(self, rank: Zmm) -> Zmm {
        let lower = self.splat(0x0f0f_0f0f);
        let counts = proven!(_mm512_popcnt_epi8((self & lower).0));
        let beyond = Zmm(proven!(_mm512_sub_epi8(rank.0, counts)));
        // All ones if the bit is in the lower half.
        let is_lower = beyond.affine(BYTES_OF_SIGNS);
        // self & !(lower ^ is_lower)
        let half = Zmm(proven!(_mm512_ternarylogic_epi32::<0x90>(
            self.0, lower.0, is_lower.0
        )));
        let rank = Zmm(proven!(_mm512_min_epu8(rank.0, beyond.0)));
        let index = half.affine(BOTH_HALVES) | rank.affine(RAISED);
        // SAFETY: `NTH_OF_FOUR` has the 64 bytes that are read, at any alignment; `self` proves AVX-512.
        let table = unsafe { _mm512_loadu_epi8(NTH_OF_FOUR.as_ptr().cast()) };
        half & Zmm(proven!(_mm512_permutexvar_epi8(index.0, table)))
    }

    /// The image of each byte under a matrix of bits: bit `i` of the image is the sum modulo 2 of the bits that byte
    /// `7 - i` of the matrix selects.
    #[inline(always)]
    fn affine(self, matrix: u64) -> Zmm {
        let matrix = proven!(_mm512_set1_epi64(matrix as i64));
        Zmm(proven!(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, matrix)))
    }

    /// Sixteen words from memory; this vector proves the instruction set.
    #[inline(always)]
    fn read_16(self, words: &[u32; 16]) -> Zmm {
        // SAFETY: `words` has the sixteen words that are read, at any alignment; `self` proves AVX-512.
        Zmm(unsafe { _mm512_loadu_epi32(words.as_ptr().cast()) })
    }
}

impl Vector for Zmm {
    type Lanes = Mask;
    type Words = Words;

    const LANES: usize = 16;
    const ONE_LANE: bool = false;

    #[inline(always)]
    fn splat(self, value: u32) -> Zmm {
        Zmm(proven!(_mm512_set1_epi32(value as i32)))
    }

    #[inline(always)]
    fn store(self) -> Words {
        let mut words = Words([0; 16]);
        self.write(&mut words.0);
        words
    }

    #[inline(always)]
    fn shl(self, counts: Zmm) -> Zmm {
        // Spares a test where the compiler cannot see that a count is small.
        let counts = counts & 31;
        Zmm(proven!(_mm512_sllv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn shr(self, counts: Zmm) -> Zmm {
        let counts = counts & 31;
        Zmm(proven!(_mm512_srlv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn shl_by<const COUNT: u32>(self) -> Zmm {
        Zmm(proven!(_mm512_slli_epi32::<COUNT>(self.0)))
    }

    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Zmm {
        Zmm(proven!(_mm512_srli_epi32::<COUNT>(self.0)))
    }

    #[inline(always)]
    fn rotate_by<const COUNT: u32>(self) -> Zmm {
        let counts = self.splat(COUNT);
        Zmm(proven!(_mm512_rolv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn plus(self, other: Zmm) -> Zmm {
        Zmm(proven!(_mm512_add_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: Zmm) -> Zmm {
        Zmm(proven!(_mm512_sub_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn times(self, other: Zmm) -> Zmm {
        Zmm(proven!(_mm512_mullo_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn product(self, other: Zmm) -> (Zmm, Zmm) {
        let even = proven!(_mm512_mul_epu32(self.0, other.0));
        let odd = proven!(_mm512_mul_epu32(self.odd_lanes(), other.odd_lanes()));
        let even = proven!(_mm512_srli_epi64::<32>(even));
        let high = proven!(_mm512_mask_mov_epi32(even, 0xaaaa, odd));
        let low = proven!(_mm512_mullo_epi32(self.0, other.0));
        (Zmm(high), Zmm(low))
    }

    #[inline(always)]
    fn over(self, divisor: Zmm) -> Zmm {
        // The reciprocal is good to 2^-14; with half a unit added to the dividend, an integer below
        // 2^11 is then rounded down to its quotient.
        let dividend = proven!(_mm512_cvtepi32_ps(self.0));
        let dividend = proven!(_mm512_add_ps(dividend, _mm512_set1_ps(0.5)));
        let reciprocal = proven!(_mm512_rcp14_ps(_mm512_cvtepi32_ps(divisor.0)));
        Zmm(proven!(_mm512_cvttps_epi32(_mm512_mul_ps(
            dividend, reciprocal
        ))))
    }

    #[inline(always)]
    fn over_small(self, divisor: Zmm) -> Zmm {
        let reciprocal = divisor.look_up(&RECIPROCALS);
        let twice = self.plus(self);
        Zmm(proven!(_mm512_mulhi_epu16(twice.0, reciprocal.0)))
    }

    #[inline(always)]
    fn min(self, other: Zmm) -> Zmm {
        Zmm(proven!(_mm512_min_epu32(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Zmm) -> Zmm {
        Zmm(proven!(_mm512_max_epu32(self.0, other.0)))
    }

    #[inline(always)]
    fn majority(self, b: Zmm, c: Zmm) -> Zmm {
        Zmm(proven!(_mm512_ternarylogic_epi32::<0xe8>(self.0, b.0, c.0)))
    }

    #[inline(always)]
    fn borrow(self, b: Zmm, c: Zmm) -> Zmm {
        Zmm(proven!(_mm512_ternarylogic_epi32::<0x8e>(self.0, b.0, c.0)))
    }

    #[inline(always)]
    fn count_ones(self) -> Zmm {
        Zmm(proven!(_mm512_popcnt_epi32(self.0)))
    }

    #[inline(always)]
    fn highest_bit(self) -> Zmm {
        // 0 has 32 leading zeros, and a shift by 32 leaves 0.
        let zeros = proven!(_mm512_lzcnt_epi32(self.0));
        Zmm(proven!(_mm512_srlv_epi32(self.splat(1 << 31).0, zeros)))
    }

    #[inline(always)]
    fn nth_bit(self, rank: Zmm) -> Zmm {
        let [bit] = Self::nth_bits([self], [rank]);
        bit
    }

    #[inline(always)]
    fn nth_bits<const N: usize>(mut bits: [Zmm; N], mut ranks: [Zmm; N]) -> [Zmm; N] {
        // As the algebra document shows; each step for all, so that none waits for the step before.
        for this in 0..N {
            (bits[this], ranks[this]) = bits[this].nth_byte(ranks[this]);
        }
        for this in 0..N {
            bits[this] = bits[this].nth_of_byte(ranks[this]);
        }
        bits
    }

    #[inline(always)]
    fn in_step(self, other: Zmm) -> (Zmm, Zmm) {
        let (this, other) = proven!(both(self.0, other.0));
        (Zmm(this), Zmm(other))
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self) -> Zmm {
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
        let bytes = Zmm(proven!(_mm512_multishift_epi64_epi8(starts, self.0)));
        bytes.affine(BACKWARDS)
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Zmm {
        let table = self.read_16(table);
        Zmm(proven!(_mm512_permutexvar_epi32(self.0, table.0)))
    }

    #[inline(always)]
    fn look_up_byte(self, table: &[u8; 64]) -> Zmm {
        // SAFETY: `table` has the 64 bytes that are read, at any alignment; `self` proves AVX-512.
        let table = unsafe { _mm512_loadu_epi8(table.as_ptr().cast()) };
        Zmm(proven!(_mm512_maskz_permutexvar_epi8(
            0x1111_1111_1111_1111,
            self.0,
            table
        )))
    }

    #[inline(always)]
    fn deposit(self, table: &[u16; 1 << 11], index: Zmm) -> Zmm {
        let (mut words, index) = (self.store(), index.store());
        for (word, index) in words.0.iter_mut().zip(index.0) {
            let ranks = u32::from(table[index as usize % table.len()]);
            *word = proven!(_pdep_u32(ranks, *word));
        }
        self.read(&words.0)
    }

    #[inline(always)]
    fn lanes(self, bits: u32) -> Mask {
        Mask(bits as __mmask16)
    }

    #[inline(always)]
    fn equals(self, other: Zmm) -> Mask {
        Mask(proven!(_mm512_cmpeq_epi32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn less(self, other: Zmm) -> Mask {
        Mask(proven!(_mm512_cmplt_epu32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn is_zero(self) -> Mask {
        Mask(proven!(_mm512_testn_epi32_mask(self.0, self.0)))
    }

    #[inline(always)]
    fn meets(self, other: Zmm) -> Mask {
        Mask(proven!(_mm512_test_epi32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn plus_one(self, lanes: Mask) -> Zmm {
        Zmm(proven!(_mm512_mask_add_epi32(
            self.0,
            lanes.0,
            self.0,
            self.splat(1).0
        )))
    }

    #[inline(always)]
    fn blend(self, lanes: Mask, other: Zmm) -> Zmm {
        Zmm(proven!(_mm512_mask_mov_epi32(other.0, lanes.0, self.0)))
    }

    #[inline(always)]
    fn keep(self, lanes: Mask) -> Zmm {
        Zmm(proven!(_mm512_maskz_mov_epi32(lanes.0, self.0)))
    }

    #[inline(always)]
    fn compress(self, lanes: Mask, words: &mut [u32]) {
        Zmm(proven!(_mm512_maskz_compress_epi32(lanes.0, self.0))).write(words);
    }

    #[inline(always)]
    fn expand(self, lanes: Mask, words: &[u32]) -> Zmm {
        let words = self.read(words);
        Zmm(proven!(_mm512_mask_expand_epi32(self.0, lanes.0, words.0)))
    }

    #[inline(always)]
    fn read(self, words: &[u32]) -> Zmm {
        self.read_16(words.first_chunk().expect("a vector's words"))
    }

    #[inline(always)]
    fn write(self, words: &mut [u32]) {
        let words: &mut [u32; 16] = words.first_chunk_mut().expect("a vector's words");
        // SAFETY: `words` has the sixteen words that are written, at any alignment; `self` proves AVX-512.
        unsafe { _mm512_storeu_epi32(words.as_mut_ptr().cast(), self.0) }
    }
}
