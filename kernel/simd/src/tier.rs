//! The choice of an instruction set at run time.

use core::fmt;
use core::str::FromStr;
use std::sync::LazyLock;

use thiserror::Error;

/// A bundle of CPU features that code is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Tier {
    /// Sixteen lanes of 32 bits to a vector: AVX-512 F, BW, CD, BITALG, VBMI and VPOPCNTDQ, GFNI and BMI2 (Intel since
    /// Ice Lake, AMD since Zen 4).
    Avx512,
    /// Sixteen lanes to a vector: AVX-512 F, BW, CD, DQ and VL and BMI2, the level 4 of the x86-64 psABI (Intel's
    /// servers since Skylake-SP, AMD since Zen 4). CPUs with [`Tier::Avx512`] have it too.
    X86V4,
    /// Eight lanes to a vector: AVX2 and BMI2 (Intel since Haswell, AMD since Zen 3; older AMD CPUs run PDEP in
    /// microcode, which would be slower than the portable tier).
    Avx2,
    /// Four lanes to a vector: NEON (64-bit ARM).
    Neon,
    /// Four lanes to a vector: WebAssembly with `simd128`, if the code was compiled with it.
    Simd128,
    /// One lane, on any CPU. Uses POPCNT, LZCNT, BMI2 and AVX2 if the CPU has all of them and runs them fast.
    Portable,
}

/// A tier that cannot be used here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TierError {
    /// A name that is not a tier.
    #[error("'{0}' is not an instruction-set tier; this CPU has: {present}", present = names(Tier::available()))]
    Unknown(String),
    /// A tier with features that this CPU lacks.
    #[error("this CPU lacks the features of tier {0}; it has: {present}", present = names(Tier::available()))]
    Absent(Tier),
}

fn names(tiers: &[Tier]) -> String {
    tiers.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ")
}

impl Tier {
    /// Every tier, the fastest first.
    pub const ALL: &[Tier] = &[Tier::Avx512, Tier::X86V4, Tier::Avx2, Tier::Neon, Tier::Simd128, Tier::Portable];

    /// The tiers that this CPU can run, the fastest first.
    #[must_use]
    pub fn available() -> &'static [Tier] {
        static AVAILABLE: LazyLock<Vec<Tier>> = LazyLock::new(|| {
            let tiers = Tier::ALL.iter().copied();
            tiers.filter(|tier| tier.detect().is_some()).collect()
        });
        &AVAILABLE
    }

    /// The fastest tier that this CPU can run.
    #[must_use]
    pub fn best() -> Tier {
        Tier::available()[0]
    }

    /// The name in settings and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Avx512 => "avx512",
            Tier::X86V4 => "x86-64-v4",
            Tier::Avx2 => "avx2",
            Tier::Neon => "neon",
            Tier::Simd128 => "simd128",
            Tier::Portable => "portable",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = TierError;

    /// The tier named `text`, if this CPU can run it.
    fn from_str(text: &str) -> Result<Tier, TierError> {
        let tier = Tier::ALL
            .iter()
            .copied()
            .find(|tier| tier.name() == text)
            .ok_or_else(|| TierError::Unknown(text.to_owned()))?;
        if Tier::available().contains(&tier) { Ok(tier) } else { Err(TierError::Absent(tier)) }
    }
}
