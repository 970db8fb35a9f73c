//! Activation functions, from the sum of a unit to its activation.

use tavli_simd::logistic;

/// The activation function of hidden units. Both give 0..=1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Activation {
    /// The [logistic] function, as in TD-Gammon.
    Logistic,
    /// The sum itself, clamped to 0..=1: the clipped ReLU.
    Clipped,
}

tavli_backgammon::parsed_values!(Activation, "activation": Logistic "logistic", Clipped "clipped");

impl Activation {
    /// The activation of a sum.
    #[must_use]
    #[inline(always)]
    pub fn apply(self, sum: f32) -> f32 {
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
