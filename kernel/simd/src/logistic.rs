//! The logistic function, the same to the last bit on every CPU.

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
/// use tavli_simd::logistic;
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
