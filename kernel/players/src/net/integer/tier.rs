//! Code that is compiled for each tier.

use tavli_simd::Tier;

/// Evaluates an expression in a function compiled for a tier, of which `$isa` is the proof.
macro_rules! on_tier {
    ($tier:expr, $isa:ident => $body:expr) => {{
        use tavli_simd::{AnyCpu, Avx2, Avx512, Isa, Simd128, X86V4};
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
            tavli_simd::Tier::Simd128 => {
                let $isa = $crate::net::integer::tier::present($tier, Simd128::detect());
                $isa.call(
                    #[inline(always)]
                    || $body,
                )
            }
            _ => {
                let $isa = AnyCpu;
                $isa.call(
                    #[inline(always)]
                    || $body,
                )
            }
        }
    }};
}
pub(super) use on_tier;

/// The proof of a tier that the caller has chosen.
pub(super) fn present<T>(tier: Tier, proof: Option<T>) -> T {
    proof.unwrap_or_else(|| panic!("this CPU lacks the features of tier {tier}"))
}
