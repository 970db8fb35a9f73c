//! Words on CPUs with fast bit instructions.

use super::avx2::{Avx2, Ymm};
use super::portable_word::{ScalarIsa, Word};
use super::vector::Isa;

/// Proof of a CPU with fast bit instructions: the ones of the AVX2 tier.
#[derive(Clone, Copy, Debug)]
pub struct Bmi2(Avx2);

impl Bmi2 {
    /// The proof, if the CPU has the instructions.
    #[inline]
    pub fn detect() -> Option<Bmi2> {
        Avx2::detect().map(Bmi2)
    }
}

impl ScalarIsa for Bmi2 {
    type U32x8 = Ymm;

    #[inline(always)]
    fn u32x8(self, words: [u32; 8]) -> Ymm {
        self.0.u32x8(words)
    }
}

impl Isa for Bmi2 {
    type Vector = Word<Bmi2>;

    #[inline(always)]
    fn splat(self, value: u32) -> Word<Bmi2> {
        Word::new(value, self)
    }

    #[inline(always)]
    fn load(self, words: &[u32; 1]) -> Word<Bmi2> {
        Word::new(words[0], self)
    }

    #[inline(always)]
    fn deposit_word(self, ranks: u32, mask: u32) -> u32 {
        self.0.deposit_word(ranks, mask)
    }

    #[inline(always)]
    fn with_features<R>(self, body: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,popcnt,lzcnt,bmi1,bmi2")]
        fn with_bmi2<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        // SAFETY: `self` proves that the CPU has these features.
        unsafe { with_bmi2(body) }
    }
}
