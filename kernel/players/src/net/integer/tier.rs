//! Code that is compiled for each tier.

use tavli_simd::Tier;

/// Evaluates an expression in a function compiled for a tier, of which `$isa` is the proof.
macro_rules! on_tier {
    ($tier:expr, $isa:ident => $body:expr) => {{
        use tavli_simd::{Avx2, Avx512, Isa, X86V4};
        match $tier {
            tavli_simd::Tier::Avx512 => {
                let $isa = $crate::net::integer::tier::present($tier, Avx512::detect());
                $isa.call(
                    #[inline(always)]
                    || $body,
                )
            }
            tavli_simd::Tier::X86V4 => {
                let $isa = $crate::net::integer::tier::present($tier, X86V4::detect());
                $isa.call(
                    #[inline(always)]
                    || $body,
                )
            }
            tavli_simd::Tier::Avx2 => {
                let $isa = $crate::net::integer::tier::present($tier, Avx2::detect());
                $isa.call(
                    #[inline(always)]
                    || $body,
                )
            }
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            tavli_simd::Tier::Neon => {
                let isa = tavli_simd::Neon::detect();
                let $isa = $crate::net::integer::tier::present($tier, isa);
                $isa.call(
                    #[inline(always)]
                    || $body,
                )
            }
            _ => {
                let $isa = $crate::net::integer::tier::baseline();
                $isa.call(
                    #[inline(always)]
                    || $body,
                )
            }
        }
    }};
}
pub(super) use on_tier;

/// The instruction set of every CPU that this code is compiled for. Where that has vectors, code without them would only make
/// the program larger: the values are the same.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn baseline() -> tavli_simd::AnyCpu {
    tavli_simd::AnyCpu
}

/// The same.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) fn baseline() -> tavli_simd::Simd128 {
    tavli_simd::Simd128::detect().expect("this is compiled for it")
}

/// The proof of a tier that the caller has chosen.
pub(super) fn present<T>(tier: Tier, proof: Option<T>) -> T {
    proof.unwrap_or_else(|| panic!("this CPU lacks the features of tier {tier}"))
}
