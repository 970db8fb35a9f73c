//! The logistic function, the same to the last bit on every machine.

/// The base-2 logarithm of e.
const LOG2_E: f32 = core::f32::consts::LOG2_E;

/// A polynomial for 2^x, 0 <= x <= 1, the highest power first: its relative error is below 3e-7. The Taylor series at 1/2
/// to the sixth power, expanded at 0.
const EXP2: [f32; 7] = exp2_coefficients();

const fn exp2_coefficients() -> [f32; 7] {
    // 2^x = sqrt(2) * e^(ln2 * (x - 1/2)).
    let (order, middle) = (6, 0.5_f64);
    let mut at_middle = [0.0_f64; 7];
    let mut term = core::f64::consts::SQRT_2;
    let mut power = 0;
    while power <= order {
        at_middle[power] = term;
        term *= core::f64::consts::LN_2 / (power + 1) as f64;
        power += 1;
    }
    // Horner's rule on polynomials: p(x) = ((c6 * (x - m) + c5) * (x - m) + ..).
    let mut at_zero = [0.0_f64; 7];
    let mut step = order + 1;
    while step > 0 {
        step -= 1;
        let mut i = order;
        while i > 0 {
            at_zero[i] = at_zero[i - 1] - middle * at_zero[i];
            i -= 1;
        }
        at_zero[0] = at_middle[step] - middle * at_zero[0];
    }
    let mut highest_first = [0.0_f32; 7];
    let mut i = 0;
    while i <= order {
        highest_first[i] = at_zero[order - i] as f32;
        i += 1;
    }
    highest_first
}

/// `1 / (1 + e^-x)`, with an error below 1e-6, made of operations that IEEE 754 defines to the last bit: additions,
/// multiplications, and one division. So it is the same on every CPU, and loops over it become vector code.
///
/// ```
/// use tavli_players::net::logistic;
/// assert_eq!(logistic(0.0), 0.5);
/// assert!((logistic(2.0) - 0.880_797).abs() < 1e-6);
/// assert_eq!((logistic(200.0), logistic(-200.0)), (1.0, 0.0));
/// ```
#[must_use]
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    // e^-|x| as a power of 2; below 2^-126 it adds nothing to 1.
    let exponent = (-x.abs() * LOG2_E).max(-126.0);
    // Below what is rounded towards 0, so that 0 < rest <= 1.
    let whole = exponent as i32 - 1;
    let rest = exponent - whole as f32;
    let power = EXP2[1..]
        .iter()
        .fold(EXP2[0], |sum, &next| sum * rest + next);
    let scale = f32::from_bits(((whole + 127) as u32) << 23);
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
