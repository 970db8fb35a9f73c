//! Activations of 16-bit sums.

use tavli_simd::{I16Isa, I16Vector};

use super::line::{LINE, Line, value};
use crate::net::Activation;

/// What the units of the first layer make of their sums, each of which has a scale of its own.
#[derive(Clone, Debug)]
pub(super) enum Activations {
    /// Of [`Activation::Clipped`].
    Clipped(Clipped),
    /// Of [`Activation::Logistic`].
    Squashed(Squashed),
}

/// Makes activations of sums.
pub(super) trait Activate {
    /// The activations of the sums of some units: those from `at` on in a line.
    fn of<I: I16Isa>(&self, isa: I, sums: I::I16Vector, line: usize, at: usize) -> I::I16Vector;
}

/// Sums cut off at 0 and at their scale.
#[derive(Clone, Debug)]
pub(super) struct Clipped {
    ones: Vec<Line>,
}

impl Activate for Clipped {
    #[inline(always)]
    fn of<I: I16Isa>(&self, isa: I, sums: I::I16Vector, line: usize, at: usize) -> I::I16Vector {
        let ones = sums.read(&self.ones[line].0[at..]);
        sums.max(isa.splat_i16(0)).min(ones)
    }
}

/// The logistic function.
#[derive(Clone, Debug)]
pub(super) struct Squashed {
    /// The sums beyond which the function is cut off, near -8 and 8.
    limits: Vec<Line>,
    /// Times these, sums are eighths in units of 2^-15.
    factors: Vec<Line>,
}

impl Activate for Squashed {
    #[inline(always)]
    fn of<I: I16Isa>(&self, isa: I, sums: I::I16Vector, line: usize, at: usize) -> I::I16Vector {
        let limits = sums.read(&self.limits[line].0[at..]);
        let factors = sums.read(&self.factors[line].0[at..]);
        let cut = sums.min(limits).max(isa.splat_i16(0).wrapping_sub(limits));
        squash(isa, cut.mul_lo16(factors))
    }
}

/// The largest activation of the logistic function, which stands for 1.
pub(super) const SQUASHED_ONE: i16 = i16::MAX;
/// What 1 is in sums that the logistic function is made of: 2^15 stands for 8.
const SQUASHED_SCALE: f64 = 4096.0;

/// A polynomial for the eighth root of the logistic function of -8 (x + 1/2), -1/2 <= x <= 1/2, the highest power first,
/// in units of 2^-15. Fitted to the function by least squares weighted again and again towards the least largest error,
/// then varied at random for the rounding: the error of the eighth power is below 0.00025.
const EIGHTH_ROOT: [i16; 5] = [-23775, 3109, 9754, -19325, 19821];

/// The logistic function of eighths, in units of 2^-15, as a fraction of [`SQUASHED_ONE`]. The error is below 0.0004.
#[inline(always)]
pub(super) fn squash<I: I16Isa>(isa: I, eighths: I::I16Vector) -> I::I16Vector {
    let half = isa.splat_i16(1 << 14);
    let signs = eighths.sign_mask();
    let centred = eighths.xor(signs).wrapping_sub(half);
    let mut root = isa.splat_i16(EIGHTH_ROOT[0]);
    let mut power = 1;
    while power < EIGHTH_ROOT.len() {
        root = root
            .mul_fraction(centred)
            .wrapping_add(isa.splat_i16(EIGHTH_ROOT[power]));
        power += 1;
    }
    let square = root.mul_fraction(root);
    let fourth = square.mul_fraction(square);
    let small = fourth.mul_fraction(fourth);
    // 1 - small where the argument is positive.
    half.wrapping_sub(small).xor(signs).wrapping_add(half)
}

impl Activations {
    /// The activations of units whose sums reach these magnitudes, and the scales of their sums.
    pub(super) fn new(activation: Activation, most: &[f64]) -> (Activations, Vec<f64>) {
        match activation {
            Activation::Clipped => {
                let ones: Vec<i16> = most.iter().map(|&most| clipped_one(most)).collect();
                let scales = ones.iter().map(|&one| f64::from(one)).collect();
                let ones = Line::of(&ones);
                (Activations::Clipped(Clipped { ones }), scales)
            }
            Activation::Logistic => {
                let factors: Vec<i16> = most.iter().map(|&most| squashed_factor(most)).collect();
                let scales = factors
                    .iter()
                    .map(|&factor| SQUASHED_SCALE / f64::from(factor))
                    .collect();
                let limits: Vec<i16> = factors.iter().map(|&factor| i16::MAX / factor).collect();
                let squashed = Squashed {
                    limits: Line::of(&limits),
                    factors: Line::of(&factors),
                };
                (Activations::Squashed(squashed), scales)
            }
        }
    }

    /// What stands for 1 in the activation of each unit.
    pub(super) fn ones(&self, units: usize) -> Vec<f64> {
        let one = |unit| match self {
            Activations::Clipped(Clipped { ones }) => f64::from(value(ones, unit)),
            Activations::Squashed(_) => f64::from(SQUASHED_ONE),
        };
        (0..units).map(one).collect()
    }

    /// The activation of a unit's sum, as plainly as can be.
    pub(super) fn plain(&self, sum: i16, unit: usize) -> i16 {
        match self {
            Activations::Clipped(Clipped { ones }) => sum.clamp(0, value(ones, unit)),
            Activations::Squashed(Squashed { limits, factors }) => {
                let limit = value(limits, unit);
                plain_squash(sum.clamp(-limit, limit) * value(factors, unit))
            }
        }
    }
}

/// The largest sum for which there is room, with some to spare for what is rounded in each of at most 31 steps.
pub(super) const ROOM: f64 = 32_000.0;

/// The scale of a clipped unit: as large as there is room, but not more than activations need.
fn clipped_one(most: f64) -> i16 {
    (ROOM / most).min(f64::from(1 << 14)) as i16
}

/// By how much the scale of a squashed unit is smaller than that of the function.
fn squashed_factor(most: f64) -> i16 {
    (SQUASHED_SCALE * most / ROOM).ceil().max(1.0) as i16
}

/// [`squash`] of one number.
fn plain_squash(eighths: i16) -> i16 {
    let fraction = |a: i32, b: i32| (a * b + (1 << 14)) >> 15;
    let magnitude = if eighths < 0 { !eighths } else { eighths };
    let centred = i32::from(magnitude) - (1 << 14);
    let mut small = EIGHTH_ROOT[1..].iter().fold(i32::from(EIGHTH_ROOT[0]), |sum, &next| {
        fraction(sum, centred) + i32::from(next)
    });
    for _ in 0..3 {
        small = fraction(small, small);
    }
    let activation = if eighths < 0 { small - 1 } else { (1 << 15) - small };
    i16::try_from(activation).expect("an activation fits")
}

const _: () = assert!(LINE == 32, "a line is the largest vector");

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_simd::{Isa, Tier, on_tier};

    fn check<I: I16Isa>(isa: I) {
        let all: Vec<i16> = (-i16::MAX..=i16::MAX).chain([0]).collect();
        for some in all.chunks_exact(I::I16Vector::LANES) {
            let mut found = vec![0; some.len()];
            squash(isa, isa.splat_i16(0).read(some)).write(&mut found);
            let plain: Vec<i16> = some.iter().map(|&eighths| plain_squash(eighths)).collect();
            assert_eq!(found, plain);
        }
    }

    #[test]
    fn every_tier_squashes_alike() {
        for &tier in Tier::available() {
            on_tier!(tier, isa => isa.call(#[inline(always)] || check(isa)));
        }
    }

    #[test]
    fn squashing_is_the_logistic_function() {
        let mut before = 0;
        for eighths in -i16::MAX..=i16::MAX {
            let found = plain_squash(eighths);
            assert!(found >= before, "it rises at {eighths}");
            before = found;
            let exact = 1.0 / (1.0 + (-f64::from(eighths) / SQUASHED_SCALE).exp());
            let error = f64::from(found) / f64::from(SQUASHED_ONE) - exact;
            assert!(error.abs() < 4e-4, "{eighths}: {error}");
        }
    }
}
