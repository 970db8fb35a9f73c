//! Words on CPUs with fast bit instructions.

use super::avx2::{Avx2, Ymm};
use super::vector::Isa;
use super::word::{Bits, Word};

/// Proof of a CPU with fast bit instructions: those of the AVX2 tier.
#[derive(Clone, Copy, Debug)]
pub struct BitCpu(Avx2);

impl BitCpu {
    /// The proof, if the CPU has the instructions.
    #[inline]
    pub fn detect() -> Option<BitCpu> {
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
    fn splat(self, value: u32) -> Word<BitCpu> {
        Word::new(value, self)
    }

    #[inline(always)]
    fn load(self, words: &[u32; 1]) -> Word<BitCpu> {
        Word::new(words[0], self)
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
