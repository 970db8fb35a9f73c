//! 16-bit activations: how they lie in memory, and how they are made of sums.

use tavli_simd::{I16Isa, I16Vector};

use crate::net::activation::Activation;

/// The number of 16-bit values in a cache line. Units are padded to a multiple of it. The largest vector has as many
/// lanes, so no vector crosses a line.
pub(super) const LINE: usize = 32;

/// A cache line of 16-bit integers: the unit in which weights, accumulators and activations lie in memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct CacheLine(pub(super) [i16; LINE]);

impl CacheLine {
    pub(super) const ZERO: CacheLine = CacheLine([0; LINE]);

    pub(super) fn wrapping_sub(&self, other: &CacheLine) -> CacheLine {
        let mut line = *self;
        for (value, other) in line.0.iter_mut().zip(other.0) {
            *value = value.wrapping_sub(other);
        }
        line
    }

    /// Packs values into lines; the last line is padded with zeros.
    pub(super) fn pack(values: &[i16]) -> Vec<CacheLine> {
        let lines = values.chunks(LINE).map(|chunk| {
            let mut line = CacheLine::ZERO;
            line.0[..chunk.len()].copy_from_slice(chunk);
            line
        });
        lines.collect()
    }
}

pub(super) fn value(lines: &[CacheLine], unit: usize) -> i16 {
    lines[unit / LINE].0[unit % LINE]
}

/// The activation function of the feature transformer's units; each unit's sum has its own scale.
#[derive(Clone, Debug)]
pub(super) enum Activations {
    /// For [`Activation::Clipped`].
    Clipped(Clipped),
    /// For [`Activation::Logistic`].
    Squashed(Squashed),
}

/// An activation function of 16-bit sums.
pub(super) trait Activate {
    /// The activations of a vector of sums that begins at unit `at` of a cache line.
    fn activate<I: I16Isa>(&self, isa: I, sums: I::I16Vector, line: usize, at: usize) -> I::I16Vector;
}

/// Sums clamped to 0 and to the number that stands for 1.
#[derive(Clone, Debug)]
pub(super) struct Clipped {
    /// The number that stands for 1, by unit.
    ones: Vec<CacheLine>,
}

impl Activate for Clipped {
    #[inline(always)]
    fn activate<I: I16Isa>(&self, isa: I, sums: I::I16Vector, line: usize, at: usize) -> I::I16Vector {
        let ones = sums.load_slice(&self.ones[line].0[at..]);
        sums.max(isa.splat_i16(0)).min(ones)
    }
}

/// The logistic function, by a polynomial.
#[derive(Clone, Debug)]
pub(super) struct Squashed {
    /// The magnitude that each unit's sum is clamped to: arguments near -8 and 8.
    limits: Vec<CacheLine>,
    /// The factor of each unit's sum: the product is an eighth of the argument, in units of 2^-15.
    factors: Vec<CacheLine>,
}

impl Activate for Squashed {
    #[inline(always)]
    fn activate<I: I16Isa>(&self, isa: I, sums: I::I16Vector, line: usize, at: usize) -> I::I16Vector {
        let limits = sums.load_slice(&self.limits[line].0[at..]);
        let factors = sums.load_slice(&self.factors[line].0[at..]);
        let cut = sums.min(limits).max(isa.splat_i16(0).wrapping_sub(limits));
        squash(isa, cut.mul_lo16(factors))
    }
}

/// The number that stands for 1 in an activation of the logistic function.
pub(super) const SQUASHED_ONE: i16 = i16::MAX;
/// The number that stands for 1 in the argument of [`squash`], where 2^15 stands for 8.
const SQUASHED_SCALE: f64 = 4096.0;

/// A polynomial for the eighth root of the logistic function of `-8 (x + 1/2)`, for `x` from -1/2 to 1/2. The highest
/// power comes first; coefficients are in units of 2^-15.
// Fitted by least squares, reweighted towards the smallest maximum error, then varied at random to account for
// rounding: the error of the eighth power is below 0.00025.
const EIGHTH_ROOT: [i16; 5] = [-23775, 3109, 9754, -19325, 19821];

/// The logistic function of eight times `eighths`, which are in units of 2^-15; [`SQUASHED_ONE`] stands for 1. The
/// error is below 0.0004.
#[inline(always)]
pub(super) fn squash<I: I16Isa>(isa: I, eighths: I::I16Vector) -> I::I16Vector {
    let half = isa.splat_i16(1 << 14);
    let signs = eighths.sign_mask();
    let centred = eighths.xor(signs).wrapping_sub(half);
    let mut root = isa.splat_i16(EIGHTH_ROOT[0]);
    let mut power = 1;
    while power < EIGHTH_ROOT.len() {
        root = root.mul_fraction(centred).wrapping_add(isa.splat_i16(EIGHTH_ROOT[power]));
        power += 1;
    }
    let square = root.mul_fraction(root);
    let fourth = square.mul_fraction(square);
    let small = fourth.mul_fraction(fourth);
    // 1 - small where the argument is positive, by symmetry.
    half.wrapping_sub(small).xor(signs).wrapping_add(half)
}

impl Activations {
    /// The activations of units with sums of at most the magnitudes `most`, and the scale of each unit's sum.
    pub(super) fn new(activation: Activation, most: &[f64]) -> (Activations, Vec<f64>) {
        match activation {
            Activation::Clipped => {
                let ones: Vec<i16> = most.iter().map(|&most| clipped_one(most)).collect();
                let scales = ones.iter().map(|&one| f64::from(one)).collect();
                let ones = CacheLine::pack(&ones);
                (Activations::Clipped(Clipped { ones }), scales)
            }
            Activation::Logistic => {
                let factors: Vec<i16> = most.iter().map(|&most| squashed_factor(most)).collect();
                let scales = factors.iter().map(|&factor| SQUASHED_SCALE / f64::from(factor)).collect();
                // No product of a sum and its factor leaves 16 bits.
                let limits: Vec<i16> = factors.iter().map(|&factor| i16::MAX / factor).collect();
                let squashed = Squashed { limits: CacheLine::pack(&limits), factors: CacheLine::pack(&factors) };
                (Activations::Squashed(squashed), scales)
            }
        }
    }

    /// The number that stands for 1 in the activation of each unit.
    pub(super) fn ones(&self, units: usize) -> Vec<f64> {
        let one = |unit| match self {
            Activations::Clipped(Clipped { ones }) => f64::from(value(ones, unit)),
            Activations::Squashed(_) => f64::from(SQUASHED_ONE),
        };
        (0..units).map(one).collect()
    }

    /// The activation of one unit's sum: the plain specification.
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

/// The largest magnitude of a sum, below 2^15 by more than the rounding of at most 31 rows of weights.
pub(super) const ROOM: f64 = 32_000.0;

/// The number that stands for 1 in a clipped unit: as large as sums have room for, and at most 2^14, which is enough
/// for activations.
fn clipped_one(most: f64) -> i16 {
    (ROOM / most).min(f64::from(1 << 14)) as i16
}

/// The factor from a squashed unit's sum to the argument of [`squash`]: 1 unless the sums would not fit.
fn squashed_factor(most: f64) -> i16 {
    (SQUASHED_SCALE * most / ROOM).ceil().max(1.0) as i16
}

/// [`squash`] of one number: the plain specification.
fn plain_squash(eighths: i16) -> i16 {
    let fraction = |a: i32, b: i32| (a * b + (1 << 14)) >> 15;
    let magnitude = if eighths < 0 { !eighths } else { eighths };
    let centred = i32::from(magnitude) - (1 << 14);
    let mut small =
        EIGHTH_ROOT[1..].iter().fold(i32::from(EIGHTH_ROOT[0]), |sum, &next| fraction(sum, centred) + i32::from(next));
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
            squash(isa, isa.splat_i16(0).load_slice(some)).store_slice(&mut found);
            let plain: Vec<i16> = some.iter().map(|&eighths| plain_squash(eighths)).collect();
            assert_eq!(found, plain);
        }
    }

    #[test]
    fn every_tier_squashes_alike() {
        for &tier in Tier::available() {
            on_tier!(tier, isa => isa.with_features(#[inline(always)] || check(isa)));
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
