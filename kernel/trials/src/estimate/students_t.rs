//! Student's t distribution: how likely a mean is off by a number of standard errors, if these are estimated as well.

use core::f64::consts::PI;
use std::cell::Cell;

/// The most steps of the continued fraction. Near 0 it needs about the root of the degrees of freedom.
const MAX_STEPS: u32 = 100_000;

/// The probability of a value above `t`, with at least 1 degree of freedom.
pub(crate) fn tail(t: f64, freedom: f64) -> f64 {
    if t.is_nan() {
        return f64::NAN;
    }
    if t < 0.0 {
        return 1.0 - tail(-t, freedom);
    }
    if t.is_infinite() {
        return 0.0;
    }
    // Both tails are the regularised incomplete beta function I_x(freedom / 2, 1 / 2).
    let square = t * t;
    let x = freedom / (freedom + square);
    let (a, b) = (freedom / 2.0, 0.5);
    // Tails decide which plays go on, so they must be the same bits on every system. statrs' logarithms are not.
    let power = libm::exp(-a * libm::log1p(square / freedom)) * (1.0 - x).sqrt();
    let factor = power * half_step_of_gamma(a) / PI.sqrt();
    // The fraction converges fast up to about the mean of the beta distribution. Beyond it the complement is computed.
    let both = match x < (a + 1.0) / (a + b + 2.0) {
        true => factor * fraction(x, a, b) / a,
        false => 1.0 - factor * fraction(1.0 - x, b, a) / b,
    };
    both / 2.0
}

thread_local! {
    /// The probability and the degrees of freedom of the last [`quantile`], and its value.
    static LAST: Cell<[f64; 3]> = const { Cell::new([f64::NAN; 3]) };
}

/// The value that is exceeded with this probability, above 0 and below 1.
pub(crate) fn quantile(probability: f64, freedom: f64) -> f64 {
    // The intervals of candidates with equally many trials ask for one quantile. Found again for each, it made every
    // report of a decision between 1,654 plays, and its end after a signal, take 0.3 s and more.
    let last = LAST.get();
    if last[..2] == [probability, freedom] {
        return last[2];
    }
    let found = find_quantile(probability, freedom);
    LAST.set([probability, freedom, found]);
    found
}

/// [`quantile`], found anew.
fn find_quantile(probability: f64, freedom: f64) -> f64 {
    if probability > 0.5 {
        return -find_quantile(1.0 - probability, freedom);
    }
    let (mut low, mut high) = (0.0, 1.0);
    while tail(high, freedom) > probability {
        (low, high) = (high, 2.0 * high);
    }
    // 60 halvings leave 2^-60 of the interval, far less than the fraction's error of 1e-14.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        match tail(middle, freedom) > probability {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

/// The gamma function of `a + 1/2` over the gamma function of `a`.
fn half_step_of_gamma(a: f64) -> f64 {
    // The asymptotic series has 12 digits from here on.
    if a < 40.0 {
        return half_step_of_gamma(a + 1.0) * a / (a + 0.5);
    }
    let b = 1.0 / a;
    a.sqrt() * (1.0 + b * (-1.0 / 8.0 + b * (1.0 / 128.0 + b * (5.0 / 1024.0 + b * (-21.0 / 32768.0)))))
}

/// The continued fraction of the incomplete beta function, by the method of Lentz (W. J. Lentz, *Generating Bessel
/// functions in Mie scattering calculations using continued fractions*, Applied Optics 15, 1976).
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    // Lentz's method divides by these numbers.
    let away_from_0 = |number: f64| if number.abs() < 1e-300 { 1e-300 } else { number };
    let mut d = 1.0 / away_from_0(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut product) = (1.0, d);
    for step in 1..MAX_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_0(1.0 + term * d);
            c = away_from_0(1.0 + term / c);
            change = d * c;
            product *= change;
        }
        if (change - 1.0).abs() < 1e-14 {
            break;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// By hand: with 1 and 2 degrees of freedom the tail is elementary.
    #[test]
    fn tails_are_those_of_the_formulas() {
        for t in [0.0, 0.01, 0.5, 1.0, 3.0, 40.0] {
            let of_1 = 0.5 - f64::atan(t) / PI;
            let of_2 = 0.5 - t / (2.0 * (2.0 + t * t).sqrt());
            for (freedom, expected) in [(1.0, of_1), (2.0, of_2)] {
                let found = tail(t, freedom);
                assert!((found - expected).abs() < 1e-11, "{t} {freedom}: {found} {expected}");
                assert!((tail(-t, freedom) + found - 1.0).abs() < 1e-15);
            }
        }
        assert_eq!(tail(f64::INFINITY, 35.0), 0.0);
    }

    /// Against printed tables, and against the normal distribution.
    #[test]
    fn quantiles_are_those_of_tables() {
        for (probability, freedom, expected) in [
            (0.025, 10.0, 2.228_139),
            (0.005, 30.0, 2.749_996),
            (0.001, 35.0, 3.340_045),
            (0.0005, 120.0, 3.373_454),
            (0.025, 1e9, 1.959_964),
            (1e-6, 1e9, 4.753_424),
        ] {
            let found = quantile(probability, freedom);
            assert!((found - expected).abs() < 2e-6, "{probability} {freedom}: {found}");
        }
        assert!((quantile(0.8, 20.0) + quantile(0.2, 20.0)).abs() < 1e-12);
    }

    /// Each takes some 60 tails: so many would take seconds.
    #[test]
    fn a_quantile_that_is_asked_for_again_is_not_found_again() {
        let start = Instant::now();
        let first = quantile(0.025, 37.0);
        assert!((0..200_000).all(|_| quantile(0.025, 37.0) == first));
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        assert_ne!(quantile(0.025, 38.0), first);
    }
}
