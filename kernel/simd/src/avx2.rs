//! The AVX2 tier: eight lanes.

use core::arch::x86_64::*;
use core::ops::Not;
use std::sync::LazyLock;

use super::cpu;
use super::intrinsics::{
    bit_operator_of_vector, load_by_intrinsic, methods_by_intrinsic, operator_by_intrinsic, proven, store_by_intrinsic,
    words_of_lanes,
};
use super::portable_word::{ShuffleIndices, U32x8};
use super::reciprocals::RECIPROCALS;
use super::vector::{Isa, Lanes, Schedule, Vector};

/// Proof of a CPU with AVX2 and BMI2, and a PDEP that is not microcoded: Intel since Haswell, AMD since Zen 3.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The proof, if the CPU has the instructions.
    pub fn detect() -> Option<Avx2> {
        static DETECTED: LazyLock<bool> = LazyLock::new(|| {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && !cpu::pdep_is_microcoded()
        });
        DETECTED.then_some(Avx2(()))
    }
}

impl Isa for Avx2 {
    type Vector = Ymm;

    #[inline(always)]
    fn splat(self, value: u32) -> Ymm {
        Ymm(proven!(_mm256_set1_epi32(value as i32)))
    }

    #[inline(always)]
    fn deposit_word(self, ranks: u32, mask: u32) -> u32 {
        proven!(_pdep_u32(ranks, mask))
    }

    #[inline(always)]
    fn with_features<R>(self, body: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,popcnt,lzcnt,bmi1,bmi2")]
        fn with_avx2<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        proven!(with_avx2(body))
    }
}

impl Avx2 {
    /// Eight words from memory.
    #[inline(always)]
    pub(super) fn u32x8(self, words: [u32; 8]) -> Ymm {
        self.splat(0).load_slice(&words)
    }
}

impl U32x8 for Ymm {
    #[inline(always)]
    fn broadcast(self, word: u32) -> Ymm {
        self.splat(word)
    }

    #[inline(always)]
    fn shuffle(self, indices: &ShuffleIndices) -> Ymm {
        // The first four words in both halves: each half takes its own from them.
        let twice = proven!(_mm256_permute4x64_epi64::<0b01_00_01_00>(self.0));
        Ymm(proven!(_mm256_shuffle_epi8(twice, self.load_slice(&indices.0).0)))
    }

    #[inline(always)]
    fn words(self) -> [u32; 8] {
        self.store().0
    }
}

/// Eight lanes.
#[derive(Clone, Copy, Debug)]
pub struct Ymm(__m256i);

words_of_lanes!(8, 32);

/// A set of lanes: all bits are set in each of its lanes.
#[derive(Clone, Copy, Debug)]
pub struct Mask(__m256i);

operator_by_intrinsic!([] Mask, BitAnd, bitand: _mm256_and_si256);
operator_by_intrinsic!([] Mask, BitOr, bitor: _mm256_or_si256);

impl Not for Mask {
    type Output = Mask;
    #[inline(always)]
    fn not(self) -> Mask {
        Mask(proven!(_mm256_xor_si256(self.0, _mm256_set1_epi32(-1))))
    }
}

impl Lanes for Mask {
    #[inline(always)]
    fn is_empty(self) -> bool {
        proven!(_mm256_testz_si256(self.0, self.0)) == 1
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        proven!(_mm256_movemask_ps(_mm256_castsi256_ps(self.0))) as u32
    }
}

bit_operator_of_vector!([] Ymm, BitAnd, bitand: _mm256_and_si256);
bit_operator_of_vector!([] Ymm, BitOr, bitor: _mm256_or_si256);
bit_operator_of_vector!([] Ymm, BitXor, bitxor: _mm256_xor_si256);

impl Not for Ymm {
    type Output = Ymm;
    #[inline(always)]
    fn not(self) -> Ymm {
        self ^ u32::MAX
    }
}

impl Ymm {
    /// Sixteen bytes in both halves of a vector; this one proves the instruction set.
    #[inline(always)]
    fn both_halves(self, bytes: &[u8; 16]) -> __m256i {
        // SAFETY: `bytes` has the sixteen bytes that are read, at any alignment; `self` proves AVX2.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }

    /// Looks up the nibbles of all bytes: the low halves by `low`, and the high halves by `high`.
    #[inline(always)]
    fn nibbles(self, low: &[u8; 16], high: &[u8; 16]) -> (__m256i, __m256i) {
        let lows = self & 0x0f0f_0f0f;
        let highs = self.shr_by::<4>() & 0x0f0f_0f0f;
        (
            proven!(_mm256_shuffle_epi8(self.both_halves(low), lows.0)),
            proven!(_mm256_shuffle_epi8(self.both_halves(high), highs.0)),
        )
    }

    /// Lanes with bit `BIT` set choose `yes`, others `no`.
    #[inline(always)]
    fn choose_by_bit<const BIT: u32>(self, yes: __m256i, no: __m256i) -> __m256i {
        let sign = self.shl(self.splat(31 - BIT));
        proven!(_mm256_castps_si256(_mm256_blendv_ps(
            _mm256_castsi256_ps(no),
            _mm256_castsi256_ps(yes),
            _mm256_castsi256_ps(sign.0),
        )))
    }

    /// Moves lanes by a table of lane numbers, one to a byte.
    #[inline(always)]
    fn permute(self, lanes: u64) -> Ymm {
        let lanes = proven!(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(lanes as i64)));
        Ymm(proven!(_mm256_permutevar8x32_epi32(self.0, lanes)))
    }
}

/// For each set of lanes, where the lanes of the compressed vector come from.
static COMPRESS: [u64; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                table[set] |= lane << (8 * to);
                to += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// For each set of lanes, where its lanes come from when a vector is expanded into it.
static EXPAND: [u64; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut from) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 1 {
                table[set] |= from << (8 * lane);
                from += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

impl Vector for Ymm {
    type Lanes = Mask;
    type LaneArray = LaneArray;

    const LANES: usize = 8;
    const SCHEDULE: Schedule = Schedule::Interleaved;

    load_by_intrinsic!(u32, 8, _mm256_loadu_si256);
    store_by_intrinsic!(u32, 8, _mm256_storeu_si256);

    methods_by_intrinsic! {
        wrapping_add: _mm256_add_epi32,
        wrapping_sub: _mm256_sub_epi32,
        mul_lo16: _mm256_mullo_epi16,
        min: _mm256_min_epu32,
        max: _mm256_max_epu32,
    }

    #[inline(always)]
    fn splat(self, value: u32) -> Ymm {
        Ymm(proven!(_mm256_set1_epi32(value as i32)))
    }

    #[inline(always)]
    fn shl(self, counts: Ymm) -> Ymm {
        Ymm(proven!(_mm256_sllv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn shr(self, counts: Ymm) -> Ymm {
        Ymm(proven!(_mm256_srlv_epi32(self.0, counts.0)))
    }

    #[inline(always)]
    fn shl_by<const COUNT: u32>(self) -> Ymm {
        Ymm(proven!(_mm256_sll_epi32(self.0, _mm_cvtsi32_si128(COUNT as i32))))
    }

    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Ymm {
        Ymm(proven!(_mm256_srl_epi32(self.0, _mm_cvtsi32_si128(COUNT as i32))))
    }

    #[inline(always)]
    fn rotate(self, counts: Ymm) -> Ymm {
        // A shift by 32 leaves 0.
        self.shl(counts) | self.shr(self.splat(32).wrapping_sub(counts))
    }

    #[inline(always)]
    fn mul_wide(self, other: Ymm) -> (Ymm, Ymm) {
        let even = proven!(_mm256_mul_epu32(self.0, other.0));
        let odd = proven!(_mm256_mul_epu32(_mm256_srli_epi64::<32>(self.0), _mm256_srli_epi64::<32>(other.0)));
        let high = proven!(_mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(even), odd));
        let low = proven!(_mm256_blend_epi32::<0xaa>(even, _mm256_slli_epi64::<32>(odd)));
        (Ymm(high), Ymm(low))
    }

    #[inline(always)]
    fn div(self, divisor: Ymm) -> Ymm {
        // With half a unit added to the dividend the rounding of the division cannot reach an integer.
        let dividend = proven!(_mm256_add_ps(_mm256_cvtepi32_ps(self.0), _mm256_set1_ps(0.5)));
        let divisor = proven!(_mm256_cvtepi32_ps(divisor.0));
        Ymm(proven!(_mm256_cvttps_epi32(_mm256_div_ps(dividend, divisor))))
    }

    #[inline(always)]
    fn div_small(self, divisor: Ymm) -> Ymm {
        let reciprocal = divisor.look_up(&RECIPROCALS);
        let twice = self.wrapping_add(self);
        Ymm(proven!(_mm256_mulhi_epu16(twice.0, reciprocal.0)))
    }

    #[inline(always)]
    fn count_ones(self) -> Ymm {
        self.count_ones_with([])
    }

    #[inline(always)]
    fn count_ones_with<const N: usize>(self, others: [Ymm; N]) -> Ymm {
        const ONES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        let (low, high) = self.nibbles(&ONES, &ONES);
        let mut bytes = proven!(_mm256_add_epi8(low, high));
        for index in 0..N {
            let (low, high) = others[index].nibbles(&ONES, &ONES);
            bytes = proven!(_mm256_add_epi8(bytes, _mm256_add_epi8(low, high)));
        }
        let pairs = proven!(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)));
        Ymm(proven!(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))))
    }

    #[inline(always)]
    fn highest_bit(self) -> Ymm {
        // The exponent of a float is the number of its highest bit; the bit below is cleared, so that
        // the conversion cannot round up. Of 0 the shift count is beyond 31, and the result 0.
        let top = self & !self.shr_by::<1>();
        let float = Ymm(proven!(_mm256_castps_si256(_mm256_cvtepi32_ps(top.0))));
        let number = float.shr_by::<23>().wrapping_sub(self.splat(127));
        self.splat(1).shl(number)
    }

    #[inline(always)]
    fn nth_bit(self, rank: Ymm) -> Ymm {
        // Ranks and counts have 128 added: as signed bytes, numbers from 0 on then keep their order, and a negative
        // rank is greater than every count. First the byte:
        const ONES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        let (in_lower, in_upper) = self.nibbles(&ONES, &ONES);
        let counts = Ymm(proven!(_mm256_add_epi8(in_lower, in_upper)));
        // How many bits are set in the bytes below each: the bytes of a product, at most 24.
        let below = proven!(_mm256_mullo_epi32(counts.0, self.splat(0x0101_0100).0));
        let lowest_bytes = self.both_halves(&[0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]);
        let ranks = proven!(_mm256_shuffle_epi8((rank | 0x80).0, lowest_bytes));
        let within = proven!(_mm256_sub_epi8(ranks, below));
        let byte = self & Ymm(proven!(_mm256_cmpgt_epi8((counts | 0x8080_8080).0, within)));
        // Then its half: if it is the upper, the lower is cleared.
        let in_lower = Ymm(in_lower) | 0x8080_8080;
        let halves = Ymm(proven!(_mm256_cmpgt_epi8(in_lower.0, within))) | 0xf0f0_f0f0;
        let rank = proven!(_mm256_sub_epi8(within, _mm256_andnot_si256(halves.0, in_lower.0)));
        let mut left = byte & halves;
        // Then the bits below it in its half, at most three.
        for below in 0..3 {
            let is_beyond = proven!(_mm256_cmpgt_epi8(rank, _mm256_set1_epi8(i8::MIN + below)));
            left = left & Ymm(proven!(_mm256_add_epi8(left.0, is_beyond)));
        }
        left & !Ymm(proven!(_mm256_add_epi8(left.0, _mm256_set1_epi8(-1))))
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self) -> Ymm {
        /// Each nibble in reverse order, and the same in the upper half of a byte.
        const REVERSED: [u8; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];
        const RAISED: [u8; 16] = {
            let mut raised = REVERSED;
            let mut nibble = 0;
            while nibble < 16 {
                raised[nibble] <<= 4;
                nibble += 1;
            }
            raised
        };
        let (low, high) = self.nibbles(&RAISED, &REVERSED);
        let bytes = proven!(_mm256_or_si256(low, high));
        let backwards = self.both_halves(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        let reversed = proven!(_mm256_shuffle_epi8(bytes, backwards));
        Ymm(proven!(_mm256_srl_epi32(reversed, _mm_cvtsi32_si128(32 - BITS as i32))))
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Ymm {
        let low = proven!(_mm256_permutevar8x32_epi32(self.load_slice(table).0, self.0));
        let high = proven!(_mm256_permutevar8x32_epi32(self.load_slice(&table[8..]).0, self.0));
        Ymm(self.choose_by_bit::<3>(high, low))
    }

    #[inline(always)]
    fn look_up_byte(self, table: &[u8; 64]) -> Ymm {
        let quarters = table.as_chunks::<16>().0;
        let of_quarter = [
            proven!(_mm256_shuffle_epi8(self.both_halves(&quarters[0]), self.0)),
            proven!(_mm256_shuffle_epi8(self.both_halves(&quarters[1]), self.0)),
            proven!(_mm256_shuffle_epi8(self.both_halves(&quarters[2]), self.0)),
            proven!(_mm256_shuffle_epi8(self.both_halves(&quarters[3]), self.0)),
        ];
        let low = self.choose_by_bit::<4>(of_quarter[1], of_quarter[0]);
        let high = self.choose_by_bit::<4>(of_quarter[3], of_quarter[2]);
        Ymm(self.choose_by_bit::<5>(high, low)) & 0xff
    }

    #[inline(always)]
    fn deposit_from_table(self, table: &[u16; 1 << 11], index: Ymm) -> Ymm {
        let (mut words, index) = (self.store(), index.store());
        for (word, index) in words.0.iter_mut().zip(index.0) {
            let ranks = u32::from(table[index as usize % table.len()]);
            *word = proven!(_pdep_u32(ranks, *word));
        }
        self.load_slice(&words.0)
    }

    #[inline(always)]
    fn lanes_of_bits(self, bits: u32) -> Mask {
        let lanes = Ymm(proven!(_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128)));
        (lanes & bits).lanes_equal(lanes)
    }

    #[inline(always)]
    fn lanes_equal(self, other: Ymm) -> Mask {
        Mask(proven!(_mm256_cmpeq_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn lanes_less(self, other: Ymm) -> Mask {
        Mask(proven!(_mm256_cmpgt_epi32(other.0, self.0)))
    }

    #[inline(always)]
    fn add_one(self, lanes: Mask) -> Ymm {
        self.wrapping_sub(Ymm(lanes.0))
    }

    #[inline(always)]
    fn blend(self, lanes: Mask, other: Ymm) -> Ymm {
        Ymm(proven!(_mm256_blendv_epi8(other.0, self.0, lanes.0)))
    }

    #[inline(always)]
    fn zero_unless(self, lanes: Mask) -> Ymm {
        Ymm(proven!(_mm256_and_si256(self.0, lanes.0)))
    }

    #[inline(always)]
    fn compress(self, lanes: Mask, words: &mut [u32]) {
        self.permute(COMPRESS[lanes.to_bits() as usize]).store_slice(words);
    }

    #[inline(always)]
    fn expand(self, bits: u32, words: &[u32]) -> Ymm {
        let words = self.load_slice(words);
        words.permute(EXPAND[bits as usize % EXPAND.len()]).blend(self.lanes_of_bits(bits), self)
    }
}
