//! Activation functions: what a unit makes of its sum.

use core::str::FromStr;

use crate::net::unknown_name::UnknownNameError;

/// The activation function of hidden units. Both give 0..=1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Activation {
    /// The [logistic](fn@logistic) function, as in TD-Gammon.
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

/// The base-2 logarithm of e.
const LOG2_E: f32 = core::f32::consts::LOG2_E;

/// The Taylor polynomial of 2^x, the highest power first. Its relative error is below 2e-7 for x from -1/2 to 1/2.
const EXP2: [f32; 7] = {
    let mut highest_first = [0.0; 7];
    let (mut term, mut power) = (1.0_f64, 0);
    while power < 7 {
        highest_first[6 - power] = term as f32;
        power += 1;
        term *= core::f64::consts::LN_2 / power as f64;
    }
    highest_first
};

/// A number so large that adding it rounds to an integer, which is then in the lowest bits of the sum.
const ROUNDING: f32 = 1.5 * (1 << 23) as f32;

/// `1 / (1 + e^-x)`, with an error below 1e-6.
///
/// It uses only operations that IEEE 754 defines to the last bit (additions, multiplications, one division). So it is
/// the same on every CPU, and loops over it become vector code.
///
/// ```
/// use tavli_players::net::logistic;
/// assert_eq!(logistic(0.0), 0.5);
/// assert!((logistic(2.0) - 0.880_797).abs() < 1e-6);
/// assert_eq!(logistic(200.0), 1.0);
/// assert!(logistic(-200.0) < 1e-37);
/// ```
#[must_use]
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    // e^-|x| as a power of 2; below 2^-126 it adds nothing to 1.
    let exponent = -x.abs() * LOG2_E;
    let exponent = if exponent < -126.0 { -126.0 } else { exponent };
    let rounded = exponent + ROUNDING;
    let rest = exponent - (rounded - ROUNDING);
    let power = EXP2[1..].iter().fold(EXP2[0], |sum, &next| sum * rest + next);
    let scale = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    let small = power * scale;
    let large = 1.0 / (1.0 + small);
    if x < 0.0 { small * large } else { large }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_function() {
        for step in -300_000..300_000 {
            let x = step as f32 / 3000.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            let error = (f64::from(logistic(x)) - exact).abs();
            assert!(error < 1e-6, "{x}: {error}");
        }
    }

    #[test]
    fn its_halves_add_up() {
        for step in 0..1000 {
            let x = step as f32 / 50.0;
            assert!((logistic(x) + logistic(-x) - 1.0).abs() < 1e-6);
        }
    }
}
