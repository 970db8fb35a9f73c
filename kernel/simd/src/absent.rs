//! Proofs of instruction sets that CPUs of this architecture never have. They exist so that code can name them on every
//! architecture.

use core::convert::Infallible;

use super::any_cpu::PlainWords;
use super::halves::{HalfIsa, PlainHalves};
use super::vector::Isa;
use super::word::{Bits, Word};

macro_rules! absent {
    ($($token:ident: $what:literal;)*) => {$(
        #[doc = concat!("Proof of a CPU with ", $what, ", of which the code of this target knows none.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $token(Infallible);

        impl $token {
            /// `None`.
            #[must_use]
            pub fn detect() -> Option<$token> {
                None
            }
        }

        impl Bits for $token {
            type Eight = PlainWords;

            fn eight(self, _words: [u32; 8]) -> PlainWords {
                match self.0 {}
            }
        }

        impl HalfIsa for $token {
            type Halves = PlainHalves;

            fn halves(self, _value: i16) -> PlainHalves {
                match self.0 {}
            }
        }

        impl Isa for $token {
            type Vector = Word<$token>;

            fn splat(self, _value: u32) -> Word<$token> {
                match self.0 {}
            }

            fn load(self, _words: &[u32; 1]) -> Word<$token> {
                match self.0 {}
            }

            fn deposit(self, _ranks: u32, _mask: u32) -> u32 {
                match self.0 {}
            }

            fn call<R>(self, _body: impl FnOnce() -> R) -> R {
                match self.0 {}
            }
        }
    )*};
}
#[cfg(not(target_arch = "x86_64"))]
absent! {
    Avx512: "AVX-512 as in Ice Lake";
    X86V4: "AVX-512";
    Avx2: "AVX2";
    BitCpu: "fast bit instructions";
}
#[cfg(not(all(target_arch = "aarch64", target_endian = "little")))]
absent! {
    Neon: "NEON";
}
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
absent! {
    Simd128: "the vectors of WebAssembly";
}
