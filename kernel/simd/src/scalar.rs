//! Words on any CPU.

use core::ops::{BitAnd, BitXor};

use super::portable_word::{ScalarIsa, ShuffleIndices, U32x8, Word};
use super::vector::Isa;

/// Eight words in general registers, or in the baseline vectors of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct PlainU32x8([u32; 8]);

/// Unrolled by hand: when everything is inlined there are very many loops, which take long to compile.
macro_rules! words_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl $trait for PlainU32x8 {
            type Output = PlainU32x8;
            #[inline(always)]
            fn $method(self, other: PlainU32x8) -> PlainU32x8 {
                let (PlainU32x8(a), PlainU32x8(b)) = (self, other);
                PlainU32x8([
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

impl U32x8 for PlainU32x8 {
    #[inline(always)]
    fn broadcast(self, word: u32) -> PlainU32x8 {
        PlainU32x8([word; 8])
    }

    #[inline(always)]
    fn shuffle(self, indices: &ShuffleIndices) -> PlainU32x8 {
        let at = |place: usize| {
            let bytes = indices.0[place];
            let word = self.0[bytes as usize / 4 % 4];
            if bytes >> 31 == 0 { word } else { 0 }
        };
        PlainU32x8([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)])
    }

    #[inline(always)]
    fn words(self) -> [u32; 8] {
        self.0
    }
}

/// Proof of nothing: any CPU will do.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

impl ScalarIsa for Scalar {
    type U32x8 = PlainU32x8;

    #[inline(always)]
    fn u32x8(self, words: [u32; 8]) -> PlainU32x8 {
        PlainU32x8(words)
    }
}

impl Isa for Scalar {
    type Vector = Word<Scalar>;

    #[inline(always)]
    fn splat(self, value: u32) -> Word<Scalar> {
        Word::new(value, self)
    }

    #[inline(always)]
    fn load(self, words: &[u32; 1]) -> Word<Scalar> {
        Word::new(words[0], self)
    }

    #[inline(always)]
    fn deposit_word(self, mut ranks: u32, mut mask: u32) -> u32 {
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
    fn with_features<R>(self, body: impl FnOnce() -> R) -> R {
        // Not inlined, as other instruction sets are not: compilers take long over large functions.
        #[inline(never)]
        fn with_any_cpu<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        with_any_cpu(body)
    }
}
