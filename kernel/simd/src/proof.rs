//! The one choice of code by tier.

use super::tier::Tier;
use super::tokens::{Avx2, Avx512, Neon, Simd128, X86V4};

#[cfg(all(tavli_no_portable, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
compile_error!("tavli_no_portable is for WebAssembly with simd128: the CPUs of other targets may have no other tier");

/// The instruction set of every CPU that this code is compiled for.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub type Baseline = super::scalar::Scalar;
/// The instruction set of every CPU that this code is compiled for.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(tavli_no_portable)))]
pub type Baseline = Simd128;
/// No instruction set, since this code is compiled without the portable tier.
#[cfg(tavli_no_portable)]
pub type Baseline = super::missing_instructions::Portable;

/// The proof that this CPU has a tier. [`on_tier!`](crate::on_tier) matches on it.
// Exhaustive, while `Tier` is not: a match on it does not compile until it has code for a new tier.
#[derive(Clone, Copy, Debug)]
pub enum Proof {
    /// The token of [`Tier::Avx512`].
    Avx512(Avx512),
    /// The token of [`Tier::X86V4`].
    X86V4(X86V4),
    /// The token of [`Tier::Avx2`].
    Avx2(Avx2),
    /// The token of [`Tier::Neon`].
    Neon(Neon),
    /// The token of [`Tier::Simd128`].
    Simd128(Simd128),
    /// The token of [`Tier::Portable`], which every CPU has.
    Portable(Baseline),
}

impl Tier {
    /// The proof that this CPU has the tier, if it has.
    #[must_use]
    pub fn detect(self) -> Option<Proof> {
        match self {
            Tier::Avx512 => Avx512::detect().map(Proof::Avx512),
            Tier::X86V4 => X86V4::detect().map(Proof::X86V4),
            Tier::Avx2 => Avx2::detect().map(Proof::Avx2),
            Tier::Neon => Neon::detect().map(Proof::Neon),
            Tier::Simd128 => Simd128::detect().map(Proof::Simd128),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            Tier::Portable => Some(Proof::Portable(super::scalar::Scalar)),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Tier::Portable => Baseline::detect().map(Proof::Portable),
        }
    }

    /// The proof that this CPU has the tier.
    ///
    /// # Panics
    /// If it has not; see [`Tier::available`].
    #[must_use]
    pub fn proof(self) -> Proof {
        self.detect().unwrap_or_else(|| panic!("this CPU lacks the features of tier {self}"))
    }
}

/// Evaluates an expression with the proof of a tier, an [`Isa`](crate::Isa): the only way from a tier's name to its
/// vector code. The portable tier may have its own expression, such as one that looks for
/// [`Bmi2`](crate::Bmi2::detect).
///
/// ```
/// use tavli_simd::{Isa, Tier, Vector, on_tier};
/// let lanes = |tier: Tier| on_tier!(tier, isa => isa.splat(1).store().as_ref().len());
/// assert_eq!(lanes(Tier::Portable), if cfg!(target_feature = "simd128") { 4 } else { 1 });
/// let is_portable = |tier: Tier| on_tier!(tier, _isa => false, portable => true);
/// assert!(is_portable(Tier::Portable));
/// assert!(Tier::available().iter().all(|&tier| is_portable(tier) == (tier == Tier::Portable)));
/// ```
///
/// # Panics
/// If this CPU lacks the tier.
#[macro_export]
macro_rules! on_tier {
    ($tier:expr, $isa:ident => $vectors:expr, portable => $portable:expr) => {
        match $crate::Tier::proof($tier) {
            $crate::Proof::Avx512($isa) => $vectors,
            $crate::Proof::X86V4($isa) => $vectors,
            $crate::Proof::Avx2($isa) => $vectors,
            $crate::Proof::Neon($isa) => $vectors,
            $crate::Proof::Simd128($isa) => $vectors,
            $crate::Proof::Portable(_) => $portable,
        }
    };
    ($tier:expr, $isa:ident => $work:expr) => {
        match $crate::Tier::proof($tier) {
            $crate::Proof::Avx512($isa) => $work,
            $crate::Proof::X86V4($isa) => $work,
            $crate::Proof::Avx2($isa) => $work,
            $crate::Proof::Neon($isa) => $work,
            $crate::Proof::Simd128($isa) => $work,
            $crate::Proof::Portable($isa) => $work,
        }
    };
}
