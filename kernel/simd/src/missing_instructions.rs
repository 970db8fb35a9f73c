//! Proofs of instruction sets that the code of this build does not know: of other architectures, AVX-512 under
//! `--cfg tavli_no_avx512`, and the portable tier under `--cfg tavli_no_portable`. They exist so that code can name
//! them in every build.

use core::convert::Infallible;

use super::i16_vector::{I16Isa, PlainI16Vector};
use super::portable_word::{ScalarIsa, Word};
use super::scalar::PlainU32x8;
use super::vector::Isa;

macro_rules! absent {
    ($($token:ident: $what:literal;)*) => {$(
        #[doc = concat!("Proof of a CPU with ", $what, ", for which this target has no code.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $token(Infallible);

        impl $token {
            /// `None`.
            #[must_use]
            pub fn detect() -> Option<$token> {
                None
            }
        }

        impl ScalarIsa for $token {
            type U32x8 = PlainU32x8;

            fn u32x8(self, _words: [u32; 8]) -> PlainU32x8 {
                match self.0 {}
            }
        }

        impl I16Isa for $token {
            type I16Vector = PlainI16Vector;

            fn splat_i16(self, _value: i16) -> PlainI16Vector {
                match self.0 {}
            }
        }

        impl Isa for $token {
            type Vector = Word<$token>;

            fn splat(self, _value: u32) -> Word<$token> {
                match self.0 {}
            }

            fn deposit_word(self, _ranks: u32, _mask: u32) -> u32 {
                match self.0 {}
            }

            fn with_features<R>(self, _body: impl FnOnce() -> R) -> R {
                match self.0 {}
            }
        }
    )*};
}
#[cfg(any(not(target_arch = "x86_64"), tavli_no_avx512))]
absent! {
    Avx512: "AVX-512 as in Ice Lake";
    X86V4: "AVX-512";
}
#[cfg(not(target_arch = "x86_64"))]
absent! {
    Avx2: "AVX2";
    Bmi2: "fast bit instructions";
}
#[cfg(not(all(target_arch = "aarch64", target_endian = "little")))]
absent! {
    Neon: "NEON";
}
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
absent! {
    Simd128: "the vectors of WebAssembly";
}
#[cfg(tavli_no_portable)]
absent! {
    Portable: "no vectors";
}
