//! Activation functions, from the sum of a unit to its activation.

use core::str::FromStr;

use tavli_simd::logistic;

use crate::net::unknown_name::UnknownNameError;

/// The activation function of hidden units. Both give 0..=1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Activation {
    /// The [logistic] function, as in TD-Gammon.
    Logistic,
    /// The sum itself, clamped to 0..=1: the clipped ReLU.
    Clipped,
}

impl Activation {
    /// Every activation function.
    pub const ALL: &[Activation] = &[Activation::Logistic, Activation::Clipped];

    /// The name in files and recipes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Activation::Logistic => "logistic",
            Activation::Clipped => "clipped",
        }
    }

    /// The activation of a sum.
    #[must_use]
    #[inline(always)]
    pub fn of(self, sum: f32) -> f32 {
        match self {
            Activation::Logistic => logistic(sum),
            Activation::Clipped => sum.clamp(0.0, 1.0),
        }
    }

    /// The slope at a sum, from the activation there.
    #[must_use]
    #[inline(always)]
    pub fn slope(self, activation: f32) -> f32 {
        match self {
            Activation::Logistic => activation * (1.0 - activation),
            Activation::Clipped => f32::from(u8::from(activation > 0.0 && activation < 1.0)),
        }
    }
}

impl FromStr for Activation {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Activation, UnknownNameError> {
        let mut all = Activation::ALL.iter().copied();
        all.find(|one| one.name() == name).ok_or_else(|| UnknownNameError {
            kind: "activation",
            name: name.to_owned(),
            names: Activation::ALL.iter().map(|one| one.name()).collect(),
        })
    }
}
