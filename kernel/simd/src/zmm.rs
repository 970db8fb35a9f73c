//! Vectors of AVX-512: sixteen lanes. Operations that differ between its bundles are in the bundles' files.

use core::arch::asm;
use core::arch::x86_64::*;
use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, Not};

use super::intrinsics::{bit_operator_of_vector, methods_by_intrinsic, proven, store_by_intrinsic, words_of_lanes};
use super::reciprocals::RECIPROCALS;
use super::vector::{Isa, Lanes, Schedule, Vector};

/// Proof of a bundle of CPU features that has AVX-512 F, BW and CD, POPCNT, LZCNT, BMI1 and BMI2 at least, and the
/// operations of [`Vector`] that depend on its other features.
pub trait Bundle: Copy + Debug {
    /// As [`Isa::with_features`].
    fn compiled<R>(self, body: impl FnOnce() -> R) -> R;

    /// As [`Vector::count_ones`].
    fn count_ones(self, words: Zmm<Self>) -> Zmm<Self>;

    /// As [`Vector::nth_bits`].
    fn nth_bits<const N: usize>(masks: [Zmm<Self>; N], ranks: [Zmm<Self>; N]) -> [Zmm<Self>; N];

    /// As [`Vector::reverse`].
    fn reverse<const BITS: u32>(self, words: Zmm<Self>) -> Zmm<Self>;

    /// As [`Vector::look_up_byte`].
    fn look_up_byte(self, index: Zmm<Self>, table: &[u8; 64]) -> Zmm<Self>;
}

impl<B: Bundle> Isa for B {
    type Vector = Zmm<B>;

    #[inline(always)]
    fn splat(self, value: u32) -> Zmm<B> {
        Zmm(proven!(_mm512_set1_epi32(value as i32)), self)
    }

    #[inline(always)]
    fn deposit_word(self, ranks: u32, mask: u32) -> u32 {
        proven!(_pdep_u32(ranks, mask))
    }

    #[inline(always)]
    fn with_features<R>(self, body: impl FnOnce() -> R) -> R {
        self.compiled(body)
    }
}

/// Sixteen lanes, and the proof of their instructions.
#[derive(Clone, Copy, Debug)]
pub struct Zmm<B: Bundle>(pub(super) __m512i, B);

words_of_lanes!(16, 64);

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
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
}

impl<B: Bundle> Zmm<B> {
    /// Other lanes; this vector proves the instruction set.
    #[inline(always)]
    pub(super) fn with(self, lanes: __m512i) -> Zmm<B> {
        Zmm(lanes, self.1)
    }

    /// The odd lanes in the place of the even ones.
    #[inline(always)]
    fn odd_lanes(self) -> __m512i {
        proven!(_mm512_srli_epi64::<32>(self.0))
    }

    /// Sixteen words from memory; this vector proves the instruction set.
    #[inline(always)]
    fn read_16(self, words: &[u32; 16]) -> Zmm<B> {
        // SAFETY: `words` has the sixteen words that are read, at any alignment; `self` proves AVX-512.
        self.with(unsafe { _mm512_loadu_epi32(words.as_ptr().cast()) })
    }
}

bit_operator_of_vector!([B: Bundle] Zmm<B>, BitAnd, bitand: _mm512_and_si512);
bit_operator_of_vector!([B: Bundle] Zmm<B>, BitOr, bitor: _mm512_or_si512);
bit_operator_of_vector!([B: Bundle] Zmm<B>, BitXor, bitxor: _mm512_xor_si512);

impl<B: Bundle> Not for Zmm<B> {
    type Output = Zmm<B>;
    #[inline(always)]
    fn not(self) -> Zmm<B> {
        self ^ u32::MAX
    }
}

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

/// A vector with a value that the compiler does not know.
#[inline]
#[target_feature(enable = "avx512f")]
fn opaque(mut lanes: __m512i) -> __m512i {
    // SAFETY: the assembly is a comment: it has no instruction, and leaves the register as it is.
    unsafe {
        asm!("/* {0} */", inout(zmm_reg) lanes, options(pure, nomem, nostack, preserves_flags));
    }
    lanes
}

impl<B: Bundle> Vector for Zmm<B> {
    type Lanes = Mask;
    type LaneArray = LaneArray;

    const LANES: usize = 16;
    const SCHEDULE: Schedule = Schedule::Interleaved;

    store_by_intrinsic!(u32, 16, _mm512_storeu_epi32);

    methods_by_intrinsic! {
        wrapping_add: _mm512_add_epi32,
        wrapping_sub: _mm512_sub_epi32,
        mul_lo16: _mm512_mullo_epi16,
        min: _mm512_min_epu32,
        max: _mm512_max_epu32,
    }

    #[inline(always)]
    fn splat(self, value: u32) -> Zmm<B> {
        self.with(proven!(_mm512_set1_epi32(value as i32)))
    }

    // To add 1 the compiler subtracts -1, and makes that by `vpternlogd $0xff`, which waits for whatever its register
    // held last: in a loop, for the vector before (profiles/LOG.md, 2026-11-29).
    #[inline(always)]
    fn one(self) -> Zmm<B> {
        self.with(proven!(opaque(_mm512_set1_epi32(1))))
    }

    #[inline(always)]
    fn shl(self, counts: Zmm<B>) -> Zmm<B> {
        // Spares a test where the compiler cannot see that a count is small.
        let counts = counts & 31;
        self.with(proven!(_mm512_sllv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn shr(self, counts: Zmm<B>) -> Zmm<B> {
        let counts = counts & 31;
        self.with(proven!(_mm512_srlv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn shl_by<const COUNT: u32>(self) -> Zmm<B> {
        self.with(proven!(_mm512_slli_epi32::<COUNT>(self.0)))
    }

    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Zmm<B> {
        self.with(proven!(_mm512_srli_epi32::<COUNT>(self.0)))
    }

    #[inline(always)]
    fn rotate(self, counts: Zmm<B>) -> Zmm<B> {
        self.with(proven!(_mm512_rolv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn mul_wide(self, other: Zmm<B>) -> (Zmm<B>, Zmm<B>) {
        let even = proven!(_mm512_mul_epu32(self.0, other.0));
        let odd = proven!(_mm512_mul_epu32(self.odd_lanes(), other.odd_lanes()));
        let even = proven!(_mm512_srli_epi64::<32>(even));
        let high = proven!(_mm512_mask_mov_epi32(even, 0xaaaa, odd));
        let low = proven!(_mm512_mullo_epi32(self.0, other.0));
        (self.with(high), self.with(low))
    }

    #[inline(always)]
    fn div(self, divisor: Zmm<B>) -> Zmm<B> {
        // The reciprocal is good to 2^-14; with half a unit added to the dividend, an integer below
        // 2^11 is then rounded down to its quotient.
        let dividend = proven!(_mm512_cvtepi32_ps(self.0));
        let dividend = proven!(_mm512_add_ps(dividend, _mm512_set1_ps(0.5)));
        let reciprocal = proven!(_mm512_rcp14_ps(_mm512_cvtepi32_ps(divisor.0)));
        self.with(proven!(_mm512_cvttps_epi32(_mm512_mul_ps(dividend, reciprocal))))
    }

    #[inline(always)]
    fn div_small(self, divisor: Zmm<B>) -> Zmm<B> {
        let reciprocal = divisor.look_up(&RECIPROCALS);
        let twice = self.wrapping_add(self);
        self.with(proven!(_mm512_mulhi_epu16(twice.0, reciprocal.0)))
    }

    #[inline(always)]
    fn majority(self, b: Zmm<B>, c: Zmm<B>) -> Zmm<B> {
        self.with(proven!(_mm512_ternarylogic_epi32::<0xe8>(self.0, b.0, c.0)))
    }

    #[inline(always)]
    fn subtract_borrows(self, b: Zmm<B>, c: Zmm<B>) -> Zmm<B> {
        self.with(proven!(_mm512_ternarylogic_epi32::<0x8e>(self.0, b.0, c.0)))
    }

    #[inline(always)]
    fn count_ones(self) -> Zmm<B> {
        self.1.count_ones(self)
    }

    #[inline(always)]
    fn highest_bit(self) -> Zmm<B> {
        // 0 has 32 leading zeros, and a shift by 32 leaves 0.
        let zeros = proven!(_mm512_lzcnt_epi32(self.0));
        self.with(proven!(_mm512_srlv_epi32(self.splat(1 << 31).0, zeros)))
    }

    #[inline(always)]
    fn nth_bit(self, rank: Zmm<B>) -> Zmm<B> {
        let [bit] = Self::nth_bits([self], [rank]);
        bit
    }

    #[inline(always)]
    fn nth_bits<const N: usize>(masks: [Zmm<B>; N], ranks: [Zmm<B>; N]) -> [Zmm<B>; N] {
        B::nth_bits(masks, ranks)
    }

    #[inline(always)]
    fn keep_both_live(self, other: Zmm<B>) -> (Zmm<B>, Zmm<B>) {
        let (this, other) = proven!(both(self.0, other.0));
        (self.with(this), self.with(other))
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self) -> Zmm<B> {
        self.1.reverse::<BITS>(self)
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Zmm<B> {
        let table = self.read_16(table);
        self.with(proven!(_mm512_permutexvar_epi32(self.0, table.0)))
    }

    #[inline(always)]
    fn look_up_byte(self, table: &[u8; 64]) -> Zmm<B> {
        self.1.look_up_byte(self, table)
    }

    #[inline(always)]
    fn deposit_from_table(self, table: &[u16; 1 << 11], index: Zmm<B>) -> Zmm<B> {
        let (mut words, index) = (self.store(), index.store());
        for (word, index) in words.0.iter_mut().zip(index.0) {
            let ranks = u32::from(table[index as usize % table.len()]);
            *word = proven!(_pdep_u32(ranks, *word));
        }
        self.load_slice(&words.0)
    }

    #[inline(always)]
    fn lanes_of_bits(self, bits: u32) -> Mask {
        Mask(bits as __mmask16)
    }

    #[inline(always)]
    fn lanes_equal(self, other: Zmm<B>) -> Mask {
        Mask(proven!(_mm512_cmpeq_epi32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn lanes_less(self, other: Zmm<B>) -> Mask {
        Mask(proven!(_mm512_cmplt_epu32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn lanes_zero(self) -> Mask {
        Mask(proven!(_mm512_testn_epi32_mask(self.0, self.0)))
    }

    #[inline(always)]
    fn test_any_bit(self, other: Zmm<B>) -> Mask {
        Mask(proven!(_mm512_test_epi32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn add_one(self, lanes: Mask) -> Zmm<B> {
        self.with(proven!(_mm512_mask_add_epi32(self.0, lanes.0, self.0, self.one().0)))
    }

    #[inline(always)]
    fn blend(self, lanes: Mask, other: Zmm<B>) -> Zmm<B> {
        self.with(proven!(_mm512_mask_mov_epi32(other.0, lanes.0, self.0)))
    }

    #[inline(always)]
    fn zero_unless(self, lanes: Mask) -> Zmm<B> {
        self.with(proven!(_mm512_maskz_mov_epi32(lanes.0, self.0)))
    }

    #[inline(always)]
    fn compress(self, lanes: Mask, words: &mut [u32]) {
        self.with(proven!(_mm512_maskz_compress_epi32(lanes.0, self.0))).store_slice(words);
    }

    #[inline(always)]
    fn expand(self, bits: u32, words: &[u32]) -> Zmm<B> {
        let (words, lanes) = (self.load_slice(words), bits as __mmask16);
        self.with(proven!(_mm512_mask_expand_epi32(self.0, lanes, words.0)))
    }

    #[inline(always)]
    fn load_slice(self, words: &[u32]) -> Zmm<B> {
        self.read_16(words.first_chunk().expect("a vector's words"))
    }
}
