//! The portable tier: a vector of one lane, in a general register.

use core::hint::select_unpredictable;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::vector::{Isa, Lanes, Vector};

/// The part of the portable tier that depends on the CPU.
pub(crate) trait Bits: Isa {
    /// Eight words that are worked on at once.
    type Eight: Eight;

    /// Eight words from memory.
    fn eight(self, words: [u32; 8]) -> Self::Eight;
}

/// Eight words of 32 bits.
pub(crate) trait Eight: Copy + BitAnd<Output = Self> + BitXor<Output = Self> {
    /// Eight times one word.
    fn repeat(self, word: u32) -> Self;

    /// Words of the first four, and zeros.
    fn at(self, places: &Places) -> Self;

    /// The words in memory.
    fn words(self) -> [u32; 8];
}

/// For each of eight words, which of the first four to take, or that it is to be zero: the places of its four
/// bytes, with the highest bit set for a zero.
pub(crate) struct Places(pub(super) [u32; 8]);

impl Places {
    /// The places of words below 4.
    pub(crate) const fn new(words: [Option<u32>; 8]) -> Places {
        let mut bytes = [0x8080_8080; 8];
        let mut this = 0;
        while this < 8 {
            if let Some(word) = words[this] {
                bytes[this] = 0x0302_0100 + 0x0404_0404 * word;
            }
            this += 1;
        }
        Places(bytes)
    }
}

/// Eight words in general registers, or in the vectors that any CPU of its kind has.
#[derive(Clone, Copy)]
pub(crate) struct PlainWords([u32; 8]);

/// Written out: loops, of which there are very many when all is inlined, take long to compile.
macro_rules! words_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl $trait for PlainWords {
            type Output = PlainWords;
            #[inline(always)]
            fn $method(self, other: PlainWords) -> PlainWords {
                let (PlainWords(a), PlainWords(b)) = (self, other);
                PlainWords([
                    a[0] $operator b[0],
                    a[1] $operator b[1],
                    a[2] $operator b[2],
                    a[3] $operator b[3],
                    a[4] $operator b[4],
                    a[5] $operator b[5],
                    a[6] $operator b[6],
                    a[7] $operator b[7],
                ])
            }
        }
    };
}
words_operator!(BitAnd, bitand, &);
words_operator!(BitXor, bitxor, ^);

impl Eight for PlainWords {
    #[inline(always)]
    fn repeat(self, word: u32) -> PlainWords {
        PlainWords([word; 8])
    }

    #[inline(always)]
    fn at(self, places: &Places) -> PlainWords {
        let at = |place: usize| {
            let bytes = places.0[place];
            let word = self.0[bytes as usize / 4 % 4];
            if bytes >> 31 == 0 { word } else { 0 }
        };
        PlainWords([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)])
    }

    #[inline(always)]
    fn words(self) -> [u32; 8] {
        self.0
    }
}

/// Nothing is known about the CPU.
#[derive(Clone, Copy)]
pub(crate) struct AnyCpu;

impl Bits for AnyCpu {
    type Eight = PlainWords;

    #[inline(always)]
    fn eight(self, words: [u32; 8]) -> PlainWords {
        PlainWords(words)
    }
}

impl Isa for AnyCpu {
    type Vector = Word<AnyCpu>;

    #[inline(always)]
    fn fill(self, value: u32) -> Word<AnyCpu> {
        Word(value, self)
    }

    #[inline(always)]
    fn load(self, words: &[u32; 1]) -> Word<AnyCpu> {
        Word(words[0], self)
    }

    #[inline(always)]
    fn deposit(self, mut ranks: u32, mut mask: u32) -> u32 {
        let mut bits = 0;
        while ranks != 0 && mask != 0 {
            let lowest = mask & mask.wrapping_neg();
            bits |= lowest * (ranks & 1);
            mask ^= lowest;
            ranks >>= 1;
        }
        bits
    }

    #[inline(always)]
    fn call<R>(self, body: impl FnOnce() -> R) -> R {
        body()
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use other::BitCpu;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::BitCpu;

#[cfg(not(target_arch = "x86_64"))]
mod other {
    use super::{Bits, Isa, PlainWords, Word};

    /// Proof of a CPU with fast bit instructions; none is known outside x86-64.
    #[derive(Clone, Copy)]
    pub(crate) enum BitCpu {}

    impl BitCpu {
        pub(crate) fn detect() -> Option<BitCpu> {
            None
        }
    }

    impl Bits for BitCpu {
        type Eight = PlainWords;

        fn eight(self, _words: [u32; 8]) -> PlainWords {
            match self {}
        }
    }

    impl Isa for BitCpu {
        type Vector = Word<BitCpu>;

        fn fill(self, _value: u32) -> Word<BitCpu> {
            match self {}
        }

        fn load(self, _words: &[u32; 1]) -> Word<BitCpu> {
            match self {}
        }

        fn deposit(self, _ranks: u32, _mask: u32) -> u32 {
            match self {}
        }

        fn call<R>(self, _body: impl FnOnce() -> R) -> R {
            match self {}
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Bits, Isa, Word};
    use crate::simd::avx2::{Avx2, Ymm};

    /// Proof of a CPU with fast bit instructions: those of the AVX2 tier.
    #[derive(Clone, Copy)]
    pub(crate) struct BitCpu(Avx2);

    impl BitCpu {
        /// The proof, if the CPU has the instructions.
        #[inline]
        pub(crate) fn detect() -> Option<BitCpu> {
            Avx2::detect().map(BitCpu)
        }
    }

    impl Bits for BitCpu {
        type Eight = Ymm;

        #[inline(always)]
        fn eight(self, words: [u32; 8]) -> Ymm {
            self.0.eight(words)
        }
    }

    impl Isa for BitCpu {
        type Vector = Word<BitCpu>;

        #[inline(always)]
        fn fill(self, value: u32) -> Word<BitCpu> {
            Word(value, self)
        }

        #[inline(always)]
        fn load(self, words: &[u32; 1]) -> Word<BitCpu> {
            Word(words[0], self)
        }

        #[inline(always)]
        fn deposit(self, ranks: u32, mask: u32) -> u32 {
            self.0.deposit(ranks, mask)
        }

        #[inline(always)]
        fn call<R>(self, body: impl FnOnce() -> R) -> R {
            #[target_feature(enable = "avx2,popcnt,lzcnt,bmi1,bmi2")]
            fn with_bit_cpu<R>(body: impl FnOnce() -> R) -> R {
                body()
            }
            // SAFETY: `self` proves that the CPU has these features.
            unsafe { with_bit_cpu(body) }
        }
    }
}

/// One lane.
#[derive(Clone, Copy)]
pub(crate) struct Word<B: Bits>(u32, B);

impl<B: Bits> Word<B> {
    /// The value of the lane.
    #[inline(always)]
    pub(crate) fn get(self) -> u32 {
        self.0
    }

    /// Takes the lowest set bit out, if there is one.
    #[inline(always)]
    pub(crate) fn take_lowest(&mut self) -> Option<Self> {
        let bits = self.0;
        self.0 &= bits.wrapping_sub(1);
        (bits != 0).then_some(self.with(bits & bits.wrapping_neg()))
    }

    /// The set bits whose ranks, from the lowest, are set in `ranks`.
    #[inline(always)]
    pub(crate) fn with_ranks(self, ranks: u32) -> Self {
        self.with(self.1.deposit(ranks, self.0))
    }

    /// Eight words from memory.
    #[inline(always)]
    pub(crate) fn eight(self, words: [u32; 8]) -> B::Eight {
        self.1.eight(words)
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

/// Every 13 bits in reverse order: half of a side's 26 points.
static MIRRORED: [u16; 1 << 13] = {
    let mut mirrored = [0; 1 << 13];
    let mut bits = 0;
    while bits < mirrored.len() {
        mirrored[bits] = (bits as u16).reverse_bits() >> 3;
        bits += 1;
    }
    mirrored
};

macro_rules! bit_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl<B: Bits> $trait for Word<B> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(self.0 $operator other.0)
            }
        }
        impl<B: Bits> $trait<u32> for Word<B> {
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

impl<B: Bits> Not for Word<B> {
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
    fn bits(self) -> u32 {
        u32::from(self)
    }
}

impl<B: Bits> Vector for Word<B> {
    type Lanes = bool;
    type Words = [u32; 1];

    const LANES: usize = 1;
    const ONE_LANE: bool = true;

    #[inline(always)]
    fn fill(self, value: u32) -> Self {
        self.with(value)
    }

    #[inline(always)]
    fn store(self) -> [u32; 1] {
        [self.0]
    }

    #[inline(always)]
    fn shl(self, counts: Self) -> Self {
        self.with(self.0.wrapping_shl(counts.0))
    }

    #[inline(always)]
    fn shr(self, counts: Self) -> Self {
        self.with(self.0.wrapping_shr(counts.0))
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
    fn rotate_by<const COUNT: u32>(self) -> Self {
        self.with(self.0.rotate_left(COUNT))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.with(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.with(self.0.wrapping_sub(other.0))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.with(self.0.wrapping_mul(other.0))
    }

    #[inline(always)]
    fn product(self, other: Self) -> (Self, Self) {
        let product = u64::from(self.0) * u64::from(other.0);
        (self.with((product >> 32) as u32), self.with(product as u32))
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        let reciprocal = RECIPROCALS[divisor.0 as usize % RECIPROCALS.len()];
        self.with(self.0.wrapping_mul(reciprocal) >> 20)
    }

    #[inline(always)]
    fn over_small(self, divisor: Self) -> Self {
        self.over(divisor)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(self.0.min(other.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(self.0.max(other.0))
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self & b) | (c & (self ^ b))
    }

    #[inline(always)]
    fn borrow(self, b: Self, c: Self) -> Self {
        (!self).majority(b, c)
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
    fn mirror(self) -> Self {
        let low = u32::from(MIRRORED[(self.0 & 0x1fff) as usize]);
        let high = u32::from(MIRRORED[(self.0 >> 13 & 0x1fff) as usize]);
        self.with(low << 13 | high)
    }

    #[inline(always)]
    fn mirror_both(self, other: Self) -> (Self, Self) {
        (self.mirror(), other.mirror())
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
    fn deposit(self, table: &[u16; 1 << 11], index: Self) -> Self {
        self.with_ranks(u32::from(table[index.0 as usize % table.len()]))
    }

    #[inline(always)]
    fn lanes(self, bits: u32) -> bool {
        bits & 1 != 0
    }

    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self.0 == other.0
    }

    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self.0 < other.0
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline(always)]
    fn plus_one(self, lanes: bool) -> Self {
        self.plus(self.with(u32::from(lanes)))
    }

    #[inline(always)]
    fn or_else(self, lanes: bool, other: Self) -> Self {
        self.with(select_unpredictable(lanes, self.0, other.0))
    }

    #[inline(always)]
    fn keep(self, lanes: bool) -> Self {
        self.with(select_unpredictable(lanes, self.0, 0))
    }

    #[inline(always)]
    fn compress(self, _lanes: bool, words: &mut [u32]) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn expand(self, lanes: bool, words: &[u32]) -> Self {
        self.with(if lanes { words[0] } else { self.0 })
    }

    #[inline(always)]
    fn read(self, words: &[u32]) -> Self {
        self.with(words[0])
    }

    #[inline(always)]
    fn write(self, words: &mut [u32]) {
        words[0] = self.0;
    }
}
