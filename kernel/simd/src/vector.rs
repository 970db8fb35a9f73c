//! The vector that algorithms are written over: some lanes of 32 bits.

use core::fmt;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// The number of pairs of 0 to 15 things.
static PAIRS: [u32; 16] = {
    let mut pairs = [0; 16];
    let mut number = 1;
    while number < 16 {
        pairs[number] = pairs[number - 1] + number as u32 - 1;
        number += 1;
    }
    pairs
};

/// Proof that the CPU has the features of an instruction set; only detection makes one.
pub trait Isa: Copy {
    /// The vector of this instruction set.
    type Vector: Vector;

    /// A vector with `value` in every lane.
    fn splat(self, value: u32) -> Self::Vector;

    /// A vector of words in memory.
    #[inline(always)]
    fn load(self, words: &<Self::Vector as Vector>::LaneArray) -> Self::Vector {
        self.splat(0).load_slice(words.as_ref())
    }

    /// The set bits of `mask` whose ranks, from the lowest, are set in `ranks`.
    fn deposit_word(self, ranks: u32, mask: u32) -> u32;

    /// Calls `body` in a function compiled for this instruction set.
    fn with_features<R>(self, body: impl FnOnce() -> R) -> R;
}

/// The lanes of an instruction set's vector, as words in memory.
pub type LaneArray<I> = <<I as Isa>::Vector as Vector>::LaneArray;

/// The most lanes that a vector of any tier has.
pub const MAX_LANES: usize = 16;

/// The number of each lane.
pub const LANE_NUMBERS: [u32; MAX_LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// How the same computation runs over several vectors. The operations on one vector depend on each other in a long
/// chain; a processor can fill the waits with operations on other vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Several vectors at a time. This takes many registers. No work is skipped, since some of many lanes need it.
    Interleaved,
    /// Stage by stage: each stage goes over all vectors before the next begins; only `simd128` does it. The loops are
    /// short, so a processor works on the next vectors while one waits; but stages store their results for the next.
    /// No work is skipped: a mispredicted branch costs more than the work.
    Staged,
    /// One vector after another, and work that no lane needs is skipped. This takes the fewest instructions.
    Sequential,
}

/// Lanes of 32 bits. A value of the type proves its instruction set, since it takes an [`Isa`] to make
/// the first one. Unless said otherwise an operation works on each lane by itself.
///
/// A contract speaks of lanes and bits. Its bounds are what boards need, so that every tier may use its shortest
/// instructions: words of 26 bits (24 points, the bar and the place off the board), shifts by up to 6 (a die), up to 15
/// of a kind (checkers), and numbers below 2^11 (plays of a roll).
pub trait Vector:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAnd<u32, Output = Self>
    + BitOr<u32, Output = Self>
{
    /// A set of lanes.
    type Lanes: Lanes;

    /// The lanes as words in memory.
    type LaneArray: Copy + Default + AsRef<[u32]> + AsMut<[u32]> + fmt::Debug;

    /// The number of lanes.
    const LANES: usize;

    /// Whether there is only one lane, so that a branch on its value can skip work.
    const ONE_LANE: bool = Self::LANES == 1;

    /// How this tier schedules a computation over several vectors.
    const SCHEDULE: Schedule;

    /// A vector with `value` in every lane.
    fn splat(self, value: u32) -> Self;

    /// 1 in every lane, for sums and differences in loops.
    #[inline(always)]
    fn one(self) -> Self {
        self.splat(1)
    }

    /// The lanes as words in memory.
    #[inline(always)]
    fn store(self) -> Self::LaneArray {
        let mut words = Self::LaneArray::default();
        self.store_slice(words.as_mut());
        words
    }
    /// The sum of the lanes.
    #[inline(always)]
    fn sum(self) -> u64 {
        let words = self.store();
        words.as_ref().iter().map(|&word| u64::from(word)).sum()
    }

    /// Shift left by the counts in another vector, each at most 6.
    fn shl(self, counts: Self) -> Self;
    /// Shift right by the counts in another vector, each at most 6. Bits 26 to 31 are 0.
    fn shr(self, counts: Self) -> Self;
    /// Shift left by a constant below 32.
    fn shl_by<const COUNT: u32>(self) -> Self;
    /// Shift right by a constant below 32.
    fn shr_by<const COUNT: u32>(self) -> Self;
    /// Rotate left by a constant from 1 to 31.
    #[inline(always)]
    fn rotate_by<const COUNT: u32>(self) -> Self {
        self.rotate(self.splat(COUNT))
    }
    /// Rotate left by the counts of another vector, each below 32.
    fn rotate(self, counts: Self) -> Self;

    /// Wrapping sum.
    fn wrapping_add(self, other: Self) -> Self;
    /// Wrapping sum of this and half of another, which is even.
    #[inline(always)]
    fn add_half(self, other: Self) -> Self {
        self.wrapping_add(other.shr_by::<1>())
    }
    /// Wrapping difference.
    fn wrapping_sub(self, other: Self) -> Self;
    /// Product, which must be below 2^16.
    fn mul_lo16(self, other: Self) -> Self;
    /// The 64-bit product, as its high and its low word.
    fn mul_wide(self, other: Self) -> (Self, Self);
    /// The 64-bit product with a constant, as its high and its low word.
    #[inline(always)]
    fn mul_wide_by<const FACTOR: u32>(self) -> (Self, Self) {
        self.mul_wide(self.splat(FACTOR))
    }
    /// Quotient, exact for dividends below 2^11 and divisors from 1 to 2^7.
    fn div(self, divisor: Self) -> Self;
    /// Quotient, exact for dividends below 2^8 and divisors from 1 to 15.
    #[inline(always)]
    fn div_small(self, divisor: Self) -> Self {
        self.div(divisor)
    }
    /// The smaller of two, unsigned.
    fn min(self, other: Self) -> Self;
    /// The larger of two, unsigned.
    fn max(self, other: Self) -> Self;

    /// The bits set in at least two of three: the carries of a full adder.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self & b) | (c & (self ^ b))
    }
    /// The bits in which this is less than the sum of two others: the borrows of a full subtractor.
    #[inline(always)]
    fn subtract_borrows(self, b: Self, c: Self) -> Self {
        (!self).majority(b, c)
    }
    /// How many bits are set.
    fn count_ones(self) -> Self;
    /// How many bits are set in this and in others, at most 30.
    #[inline(always)]
    fn count_ones_with<const N: usize>(self, others: [Self; N]) -> Self {
        let mut number = self.count_ones();
        for index in 0..N {
            number = number.wrapping_add(others[index].count_ones());
        }
        number
    }
    /// The number of pairs among n things, n (n - 1) / 2. Lanes hold n, 0..=15.
    #[inline(always)]
    fn choose_2(self) -> Self {
        self.look_up(&PAIRS)
    }
    /// The highest set bit alone; 0 of 0. Bit 31 is 0.
    fn highest_bit(self) -> Self;
    /// Only the set bit of the given rank, from the lowest; 0 if fewer are set. Ranks are below 32.
    fn nth_bit(self, rank: Self) -> Self;
    /// [`nth_bit`](Vector::nth_bit) of several vectors side by side, so that one is worked on while
    /// another is waited for.
    #[inline(always)]
    fn nth_bits<const N: usize>(mut masks: [Self; N], ranks: [Self; N]) -> [Self; N] {
        for index in 0..N {
            masks[index] = masks[index].nth_bit(ranks[index]);
        }
        masks
    }
    /// Returns both unchanged: a barrier that the compiler passes with both at hand. It would otherwise finish one of
    /// two independent computations before it begins the other, and the processor, which looks a few dozen operations
    /// ahead, would wait for each.
    #[inline(always)]
    fn keep_both_live(self, other: Self) -> (Self, Self) {
        (self, other)
    }
    /// The lowest `BITS`, 13 to 26, in reverse order: bit `p` moves to `BITS - 1 - p`. The other bits are 0.
    fn reverse<const BITS: u32>(self) -> Self;

    /// The entry of a table at this index; only the low four bits of the index count.
    fn look_up(self, table: &[u32; 16]) -> Self;
    /// The entry of a table of bytes at this index, below 64.
    fn look_up_byte(self, table: &[u8; 64]) -> Self;
    /// Looks up `table[index & 0x7ff]`, and keeps the set bits of `self` that have, from the lowest, a rank set in that
    /// entry.
    fn deposit_from_table(self, table: &[u16; 1 << 11], index: Self) -> Self;

    /// The set of lanes with a bit in `bits`, lane 0 lowest; this vector proves the instruction set.
    fn lanes_of_bits(self, bits: u32) -> Self::Lanes;
    /// How many lanes the set given by `bits` has. Bits beyond the lanes are 0.
    #[inline(always)]
    fn count_lanes(bits: u32) -> usize {
        bits.count_ones() as usize
    }
    /// The first `number` lanes; all lanes if there are fewer.
    #[inline(always)]
    fn first_lanes(self, number: usize) -> Self::Lanes {
        self.lanes_of_bits(if number < Self::LANES { (1 << number) - 1 } else { u32::MAX })
    }

    /// The lanes where both are equal.
    fn lanes_equal(self, other: Self) -> Self::Lanes;
    /// The lanes where this is less than the other; unspecified if either is 2^31 or more.
    fn lanes_less(self, other: Self) -> Self::Lanes;
    /// The lanes where this is 0.
    #[inline(always)]
    fn lanes_zero(self) -> Self::Lanes {
        self.lanes_equal(self.splat(0))
    }
    /// The lanes where both have a bit in common.
    #[inline(always)]
    fn test_any_bit(self, other: Self) -> Self::Lanes {
        !(self & other).lanes_zero()
    }

    /// One more in the given lanes.
    fn add_one(self, lanes: Self::Lanes) -> Self;
    /// This in the given lanes, `other` elsewhere.
    fn blend(self, lanes: Self::Lanes, other: Self) -> Self;
    /// This in the given lanes, 0 elsewhere.
    fn zero_unless(self, lanes: Self::Lanes) -> Self;

    /// Writes the given lanes one after another to the front of `words`. The first [`LANES`](Vector::LANES) words are
    /// overwritten.
    fn compress(self, lanes: Self::Lanes, words: &mut [u32]);
    /// The inverse of [`compress`](Vector::compress): the lanes in `bits` take consecutive words from the front of
    /// `words`, the others keep their value. `words` has at least [`LANES`](Vector::LANES).
    fn expand(self, bits: u32, words: &[u32]) -> Self;
    /// The first [`LANES`](Vector::LANES) of `words`.
    fn load_slice(self, words: &[u32]) -> Self;
    /// Overwrites the first [`LANES`](Vector::LANES) of `words`.
    fn store_slice(self, words: &mut [u32]);

    /// Whether work needed only in `lanes` may be skipped: only on a tier of one lane, if it is not in the set. With
    /// more lanes the test costs more than it saves.
    #[inline(always)]
    fn skips_on_one_lane(lanes: Self::Lanes) -> bool {
        Self::ONE_LANE && lanes.is_empty()
    }

    /// Whether a stage that only the lanes in `bits` need may be skipped: there are no such lanes, and the schedule is
    /// [`Schedule::Sequential`].
    #[inline(always)]
    fn skips_when_sequential(bits: u32) -> bool {
        Self::SCHEDULE == Schedule::Sequential && bits == 0
    }
}

/// A set of lanes.
pub trait Lanes: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Whether no lane is in the set.
    fn is_empty(self) -> bool;

    /// The set as bits, lane 0 lowest.
    fn to_bits(self) -> u32;
}
