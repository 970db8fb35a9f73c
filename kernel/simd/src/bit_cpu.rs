//! Words on CPUs with fast bit instructions.

#[cfg(not(target_arch = "x86_64"))]
pub use other::BitCpu;
#[cfg(target_arch = "x86_64")]
pub use x86::BitCpu;

#[cfg(not(target_arch = "x86_64"))]
mod other {
    use crate::any_cpu::PlainWords;
    use crate::vector::Isa;
    use crate::word::{Bits, Word};

    /// Proof of a CPU with fast bit instructions; none is known outside x86-64.
    #[derive(Clone, Copy, Debug)]
    pub enum BitCpu {}

    impl BitCpu {
        pub fn detect() -> Option<BitCpu> {
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
    use crate::avx2::{Avx2, Ymm};
    use crate::vector::Isa;
    use crate::word::{Bits, Word};

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
        fn fill(self, value: u32) -> Word<BitCpu> {
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
}
