//! The portable tier: a vector of one lane, in a general register.

use core::hint::select_unpredictable;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::vector::{Isa, Lanes, Schedule, Vector};

/// The part of the portable tier that depends on the CPU.
pub trait ScalarIsa: Isa {
    /// Eight words that are processed at once.
    type U32x8: U32x8;

    /// Eight words from memory.
    fn u32x8(self, words: [u32; 8]) -> Self::U32x8;
}

/// Eight words of 32 bits.
pub trait U32x8: Copy + BitAnd<Output = Self> + BitXor<Output = Self> {
    /// Eight times one word.
    fn broadcast(self, word: u32) -> Self;

    /// Shuffles the first four words, with zeros.
    fn shuffle(self, indices: &ShuffleIndices) -> Self;

    /// The words in memory.
    fn words(self) -> [u32; 8];
}

/// For each of eight words, the one of the first four words to take, or zero: the places of its four bytes, with the
/// highest bit set for zero.
#[derive(Clone, Copy, Debug)]
pub struct ShuffleIndices(pub(super) [u32; 8]);

impl ShuffleIndices {
    /// The places of words below 4.
    pub const fn new(words: [Option<u32>; 8]) -> ShuffleIndices {
        let mut bytes = [0x8080_8080; 8];
        let mut this = 0;
        while this < 8 {
            if let Some(word) = words[this] {
                bytes[this] = 0x0302_0100 + 0x0404_0404 * word;
            }
            this += 1;
        }
        ShuffleIndices(bytes)
    }
}

/// One lane.
#[derive(Clone, Copy, Debug)]
pub struct Word<B: ScalarIsa>(u32, B);

impl<B: ScalarIsa> Word<B> {
    /// A lane; the second value proves the instruction set.
    #[inline(always)]
    pub(crate) fn new(value: u32, isa: B) -> Self {
        Word(value, isa)
    }

    /// The value of the lane.
    #[inline(always)]
    pub fn get(self) -> u32 {
        self.0
    }

    /// Removes and returns the lowest set bit, if there is one.
    #[inline(always)]
    pub fn take_lowest(&mut self) -> Option<Self> {
        let bits = self.0;
        self.0 &= bits.wrapping_sub(1);
        (bits != 0).then_some(self.with(bits & bits.wrapping_neg()))
    }

    /// The set bits that have, from the lowest, a rank set in `ranks`.
    #[inline(always)]
    pub fn with_ranks(self, ranks: u32) -> Self {
        self.with(self.1.deposit_word(ranks, self.0))
    }

    /// Eight words from memory.
    #[inline(always)]
    pub fn u32x8(self, words: [u32; 8]) -> B::U32x8 {
        self.1.u32x8(words)
    }

    /// The proof of the instruction set.
    #[inline(always)]
    pub fn isa(self) -> B {
        self.1
    }

    #[inline(always)]
    fn with(self, value: u32) -> Self {
        Word(value, self.1)
    }
}

/// `2^20 / d`, rounded up: for dividends below 2^11 the error of the product stays below `2^20 / d`.
static RECIPROCALS: [u32; 256] = {
    let mut reciprocals = [0; 256];
    let mut divisor = 1;
    while divisor < 256 {
        reciprocals[divisor] = (1_u32 << 20).div_ceil(divisor as u32);
        divisor += 1;
    }
    reciprocals
};

/// Every 13 bits in reverse order. A WebAssembly module, which is downloaded before it runs, goes without these 16 kB.
#[cfg(not(target_family = "wasm"))]
static REVERSED: [u16; 1 << 13] = {
    let mut reversed = [0; 1 << 13];
    let mut bits = 0;
    while bits < reversed.len() {
        reversed[bits] = (bits as u16).reverse_bits() >> 3;
        bits += 1;
    }
    reversed
};

macro_rules! bit_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl<B: ScalarIsa> $trait for Word<B> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(self.0 $operator other.0)
            }
        }
        impl<B: ScalarIsa> $trait<u32> for Word<B> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: u32) -> Self {
                self.with(self.0 $operator other)
            }
        }
    };
}
bit_operator!(BitAnd, bitand, &);
bit_operator!(BitOr, bitor, |);
bit_operator!(BitXor, bitxor, ^);

impl<B: ScalarIsa> Not for Word<B> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.with(!self.0)
    }
}

impl Lanes for bool {
    #[inline(always)]
    fn is_empty(self) -> bool {
        !self
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        u32::from(self)
    }
}

/// Methods of two lanes, each a method of the words in them.
macro_rules! methods_of_word {
    ($($method:ident: $of_word:ident,)*) => {$(
        #[inline(always)]
        fn $method(self, other: Self) -> Self {
            self.with(self.0.$of_word(other.0))
        }
    )*};
}

impl<B: ScalarIsa> Vector for Word<B> {
    type Lanes = bool;
    type LaneArray = [u32; 1];

    const LANES: usize = 1;
    const SCHEDULE: Schedule = Schedule::Sequential;

    methods_of_word! {
        shl: wrapping_shl,
        shr: wrapping_shr,
        rotate: rotate_left,
        wrapping_add: wrapping_add,
        wrapping_sub: wrapping_sub,
        mul_lo16: wrapping_mul,
        min: min,
        max: max,
    }

    #[inline(always)]
    fn splat(self, value: u32) -> Self {
        self.with(value)
    }

    #[inline(always)]
    fn store(self) -> [u32; 1] {
        [self.0]
    }

    #[inline(always)]
    fn test_any_bit(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline(always)]
    fn shl_by<const COUNT: u32>(self) -> Self {
        self.with(self.0 << COUNT)
    }

    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Self {
        self.with(self.0 >> COUNT)
    }

    #[inline(always)]
    fn mul_wide(self, other: Self) -> (Self, Self) {
        let product = u64::from(self.0) * u64::from(other.0);
        (self.with((product >> 32) as u32), self.with(product as u32))
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        let reciprocal = RECIPROCALS[divisor.0 as usize % RECIPROCALS.len()];
        self.with(self.0.wrapping_mul(reciprocal) >> 20)
    }

    #[inline(always)]
    fn count_ones(self) -> Self {
        self.with(self.0.count_ones())
    }

    #[inline(always)]
    fn highest_bit(self) -> Self {
        self.with((0x8000_0000_u64 >> self.0.leading_zeros()) as u32)
    }

    #[inline(always)]
    fn nth_bit(self, rank: Self) -> Self {
        self.with_ranks(1_u64.wrapping_shl(rank.0) as u32)
    }

    #[inline(always)]
    fn reverse<const BITS: u32>(self) -> Self {
        const { assert!(BITS >= 13 && BITS <= 26, "two halves of the table") };
        #[cfg(not(target_family = "wasm"))]
        let reversed = {
            let low = u32::from(REVERSED[(self.0 & 0x1fff) as usize]);
            let high = u32::from(REVERSED[(self.0 >> 13 & 0x1fff) as usize]);
            low << (BITS - 13) | high >> (26 - BITS)
        };
        #[cfg(target_family = "wasm")]
        let reversed = self.0.reverse_bits() >> (32 - BITS);
        self.with(reversed)
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Self {
        self.with(table[(self.0 & 15) as usize])
    }

    #[inline(always)]
    fn look_up_byte(self, table: &[u8; 64]) -> Self {
        self.with(u32::from(table[(self.0 & 63) as usize]))
    }

    #[inline(always)]
    fn deposit_from_table(self, table: &[u16; 1 << 11], index: Self) -> Self {
        self.with_ranks(u32::from(table[index.0 as usize % table.len()]))
    }

    #[inline(always)]
    fn lanes_of_bits(self, bits: u32) -> bool {
        bits & 1 != 0
    }

    #[inline(always)]
    fn lanes_equal(self, other: Self) -> bool {
        self.0 == other.0
    }

    #[inline(always)]
    fn lanes_less(self, other: Self) -> bool {
        self.0 < other.0
    }

    #[inline(always)]
    fn lanes_zero(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn add_one(self, lanes: bool) -> Self {
        self.wrapping_add(self.with(u32::from(lanes)))
    }

    #[inline(always)]
    fn blend(self, lanes: bool, other: Self) -> Self {
        self.with(select_unpredictable(lanes, self.0, other.0))
    }

    #[inline(always)]
    fn zero_unless(self, lanes: bool) -> Self {
        self.with(select_unpredictable(lanes, self.0, 0))
    }

    #[inline(always)]
    fn compress(self, _lanes: bool, words: &mut [u32]) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn expand(self, bits: u32, words: &[u32]) -> Self {
        self.with(if self.lanes_of_bits(bits) { words[0] } else { self.0 })
    }

    #[inline(always)]
    fn load_slice(self, words: &[u32]) -> Self {
        self.with(words[0])
    }

    #[inline(always)]
    fn store_slice(self, words: &mut [u32]) {
        words[0] = self.0;
    }
}
