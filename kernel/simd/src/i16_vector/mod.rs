//! Vectors of 16-bit lanes, for sums of products.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod operations;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", not(tavli_no_avx512)))]
mod zmm;

#[cfg(target_arch = "x86_64")]
pub use avx2::{YmmI16Vector, YmmI32Accumulator};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub use neon::{QuadI16Vector, QuadI32Accumulator};
pub use operations::{I16Isa, I16Vector, I32Accumulator};
pub use scalar::{PlainI16Vector, PlainI32Accumulator};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::{QuadI16Vector, QuadI32Accumulator};
#[cfg(target_arch = "x86_64")]
pub use sse2::{XmmI16Vector, XmmI32Accumulator};
#[cfg(all(target_arch = "x86_64", not(tavli_no_avx512)))]
pub use zmm::{ZmmI16Vector, ZmmI32Accumulator};
