//! The token of each instruction set; tokens of other architectures are [absent](crate::missing_instructions).

#[cfg(not(all(target_arch = "aarch64", target_endian = "little")))]
pub use crate::missing_instructions::Neon;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use crate::missing_instructions::Simd128;
#[cfg(not(target_arch = "x86_64"))]
pub use crate::missing_instructions::{Avx2, Bmi2};
#[cfg(any(not(target_arch = "x86_64"), tavli_no_avx512))]
pub use crate::missing_instructions::{Avx512, X86V4};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub use crate::neon::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use crate::simd128::Simd128;
#[cfg(target_arch = "x86_64")]
pub use crate::{avx2::Avx2, bmi2::Bmi2};
#[cfg(all(target_arch = "x86_64", not(tavli_no_avx512)))]
pub use crate::{avx512::Avx512, x86_v4::X86V4};
