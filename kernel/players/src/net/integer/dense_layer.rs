//! Dense layers: hidden layers after the first, with 32-bit sums.
//!
//! Tested by `tests/suite/net.rs`.

use tavli_simd::{I16Isa, I16Vector, I32Accumulator, logistic};

use super::activations::{CacheLine, LINE, SQUASHED_ONE, value};
use crate::net::activation::Activation;
use crate::net::integer::error::IntegerError;
use crate::net::network::Layer;

/// Positions that go through a layer together, so that each weight is read once for all of them.
pub(super) const POSITIONS_PER_LAYER_PASS: usize = 4;

/// The largest scale of a sum.
const MAX_SCALE: f64 = (1 << 30) as f64;

/// The bits by which a sum of scale `scale` is shifted to be an activation: an activation of 1 has at most 14 bits, so
/// that its products with 16-bit weights leave room in 32-bit sums.
fn shift(scale: f64) -> u32 {
    let mut shift = 0;
    while scale / f64::from(1 << shift) > f64::from(1 << 14) {
        shift += 1;
    }
    shift
}

/// A layer fed by hidden units.
// Each unit has the largest scale that it can, and its own shift. This took the error of equities from 0.0074 points to
// 0.0006, root of the mean square over 296 positions (profiles/LOG.md, 2026-11-24).
#[derive(Clone, Debug)]
pub(super) struct DenseLayer {
    units: usize,
    /// The cache lines of the activations that feed the layer.
    lines_before: usize,
    /// By line of units and pair of units before: two lines, which hold the two weights of each unit side by side, as
    /// the instruction that multiplies and adds pairs wants them.
    weights: Vec<[CacheLine; 2]>,
    biases: Vec<i32>,
    activation: WideActivations,
}

/// The activation function of 32-bit sums, by unit.
#[derive(Clone, Debug)]
enum WideActivations {
    /// The bits by which each sum is shifted, and the number that stands for 1 in the activation.
    Clipped { shifts: Vec<u32>, ones: Vec<i32> },
    /// The factor of each sum: the product is the argument of the logistic function.
    Squashed(Vec<f32>),
}

impl WideActivations {
    /// The activations of the sums of a line of units.
    #[inline(always)]
    fn line(&self, sums: &[i32; LINE], line: usize, activations: &mut CacheLine) {
        match self {
            WideActivations::Clipped { shifts, ones } => {
                let shifts = &shifts[line * LINE..][..LINE];
                let ones = &ones[line * LINE..][..LINE];
                for at in 0..LINE {
                    activations.0[at] = clipped(sums[at], shifts[at], ones[at]);
                }
            }
            WideActivations::Squashed(units) => {
                let units = &units[line * LINE..][..LINE];
                for at in 0..LINE {
                    activations.0[at] = squashed(sums[at], units[at]);
                }
            }
        }
    }

    fn activate(&self, sum: i32, unit: usize) -> i16 {
        match self {
            WideActivations::Clipped { shifts, ones } => clipped(sum, shifts[unit], ones[unit]),
            WideActivations::Squashed(units) => squashed(sum, units[unit]),
        }
    }
}

/// The activation of a sum shifted by some bits, where `one` stands for 1.
#[inline(always)]
fn clipped(sum: i32, shift: u32, one: i32) -> i16 {
    // The remainder shows the compiler that the shift is below 32, so that it checks nothing.
    let sum = sum >> (shift % 32);
    // Not `clamp`, which becomes a call for each unit.
    let sum = if sum < 0 { 0 } else { sum };
    (if sum > one { one } else { sum }) as i16
}

/// The logistic function of `unit` times a sum; [`SQUASHED_ONE`] stands for 1.
#[inline(always)]
fn squashed(sum: i32, unit: f32) -> i16 {
    let activation = logistic(sum as f32 * unit) * f32::from(SQUASHED_ONE);
    (activation + 0.5) as i32 as i16
}

impl DenseLayer {
    pub(super) fn new(
        activation: Activation,
        ones: &[f64],
        layer: &Layer,
        number: usize,
    ) -> Result<DenseLayer, IntegerError> {
        let units = layer.outputs();
        let padded = units.next_multiple_of(LINE);
        let lines_before = ones.len().div_ceil(LINE);
        let pairs = lines_before * LINE / 2;
        let mut weights = vec![[CacheLine::ZERO; 2]; padded / LINE * pairs];
        let mut biases = vec![0; padded];
        let mut scales = vec![f64::INFINITY; padded];
        let mut shifts = vec![0; padded];
        // To a multiple of the shift, so that the number that stands for 1 after the shift is whole.
        let round = |scale: f64| {
            let step = f64::from(1 << shift(scale));
            (scale / step).floor() * step
        };
        for unit in 0..units {
            let column = QuantizedUnit::new(layer, number, unit, ones, MAX_SCALE, round)?;
            for (input, weight) in column.weights.into_iter().enumerate() {
                let lines = &mut weights[unit / LINE * pairs + input / 2];
                let at = 2 * (unit % LINE) + input % 2;
                lines[at / LINE].0[at % LINE] = weight;
            }
            scales[unit] = column.scale;
            shifts[unit] = shift(column.scale);
            biases[unit] = match activation {
                // Half of the unit after the shift, so that the shift rounds to the nearest.
                Activation::Clipped => column.bias + (1 << shifts[unit] >> 1),
                Activation::Logistic => column.bias,
            };
        }
        let scales = scales.into_iter();
        let activation = match activation {
            Activation::Clipped => {
                let ones = scales.zip(&shifts).map(|(scale, &shift)| match scale.is_finite() {
                    true => (scale / f64::from(1 << shift)) as i32,
                    false => 0,
                });
                WideActivations::Clipped { ones: ones.collect(), shifts }
            }
            Activation::Logistic => WideActivations::Squashed(scales.map(|scale| (1.0 / scale) as f32).collect()),
        };
        Ok(DenseLayer { units, lines_before, weights, biases, activation })
    }

    /// The number that stands for 1 in each activation.
    pub(super) fn ones(&self) -> Vec<f64> {
        match &self.activation {
            WideActivations::Clipped { ones, .. } => ones[..self.units].iter().map(|&one| f64::from(one)).collect(),
            WideActivations::Squashed(_) => vec![f64::from(SQUASHED_ONE); self.units],
        }
    }

    /// The cache lines of its activations.
    pub(super) fn width(&self) -> usize {
        self.biases.len() / LINE
    }

    /// Computes the activations of consecutive positions, a multiple of [`POSITIONS_PER_LAYER_PASS`], from the
    /// activations of the layer before.
    #[inline(always)]
    pub(super) fn run<I: I16Isa>(&self, isa: I, before: &[CacheLine], after: &mut [CacheLine]) {
        let width = self.width();
        debug_assert_eq!(before.len() % (POSITIONS_PER_LAYER_PASS * self.lines_before), 0, "whole groups of positions");
        debug_assert!(after.len() / width >= before.len() / self.lines_before, "room for each position");
        let pairs = self.lines_before * LINE / 2;
        let groups = before.chunks_exact(POSITIONS_PER_LAYER_PASS * self.lines_before);
        for (before, after) in groups.zip(after.chunks_exact_mut(POSITIONS_PER_LAYER_PASS * width)) {
            for (line, weights) in self.weights.chunks_exact(pairs).enumerate() {
                let mut sums = self.sums(isa, before, weights);
                let biases = &self.biases[line * LINE..][..LINE];
                for (position, sums) in sums.iter_mut().enumerate() {
                    for (sum, bias) in sums.iter_mut().zip(biases) {
                        *sum += bias;
                    }
                    let activations = &mut after[position * width + line];
                    self.activation.line(sums, line, activations);
                }
            }
        }
    }

    /// The sums of a line of units in a group of positions, without the biases.
    #[inline(always)]
    fn sums<I: I16Isa>(
        &self,
        isa: I,
        before: &[CacheLine],
        weights: &[[CacheLine; 2]],
    ) -> [[i32; LINE]; POSITIONS_PER_LAYER_PASS] {
        let zero = isa.splat_i16(0);
        let half = I::I16Vector::LANES;
        let mut sums = [[0; LINE]; POSITIONS_PER_LAYER_PASS];
        // Two vectors of units at a time: with four positions, eight sums stay in registers.
        let mut from = 0;
        while from < 2 * LINE {
            let mut lanes = [[zero.dot(zero); 2]; POSITIONS_PER_LAYER_PASS];
            for line in 0..self.lines_before {
                let weights: &[[CacheLine; 2]; LINE / 2] =
                    weights[line * LINE / 2..].first_chunk().expect("each line before has pairs of weights");
                let inputs = [
                    before[line].0.as_chunks().0,
                    before[self.lines_before + line].0.as_chunks().0,
                    before[2 * self.lines_before + line].0.as_chunks().0,
                    before[3 * self.lines_before + line].0.as_chunks().0,
                ];
                let inputs = inputs.map(|pairs| pairs.first_chunk::<{ LINE / 2 }>());
                let [Some(i0), Some(i1), Some(i2), Some(i3)] = inputs else {
                    continue;
                };
                for pair in 0..LINE / 2 {
                    let weights = &weights[pair];
                    let low = zero.load_slice(&weights[from / LINE].0[from % LINE..]);
                    let next = from + half;
                    let high = zero.load_slice(&weights[next / LINE].0[next % LINE..]);
                    let inputs = [&i0[pair], &i1[pair], &i2[pair], &i3[pair]];
                    for position in 0..POSITIONS_PER_LAYER_PASS {
                        let inputs = zero.splat_pair(inputs[position]);
                        let [a, b] = &mut lanes[position];
                        *a = a.wrapping_add(inputs.dot(low));
                        *b = b.wrapping_add(inputs.dot(high));
                    }
                }
            }
            for position in 0..POSITIONS_PER_LAYER_PASS {
                let [a, b] = lanes[position];
                a.store_slice(&mut sums[position][from / 2..]);
                b.store_slice(&mut sums[position][(from + half) / 2..]);
            }
            from += 2 * half;
        }
        sums
    }

    /// The activations from the activations before: the plain specification, in sums that cannot overflow.
    pub(super) fn plain(&self, before: &[i16]) -> Vec<i16> {
        let pairs = self.lines_before * LINE / 2;
        let activation = |unit: usize| {
            let products = before.iter().enumerate().map(|(input, &one)| {
                let lines = &self.weights[unit / LINE * pairs + input / 2];
                let weight = value(lines, 2 * (unit % LINE) + input % 2);
                i64::from(one) * i64::from(weight)
            });
            let sum = products.sum::<i64>() + i64::from(self.biases[unit]);
            let sum = i32::try_from(sum).expect("the scale leaves room");
            self.activation.activate(sum, unit)
        };
        (0..self.units).map(activation).collect()
    }
}

/// The weights of a unit with 32-bit sums, as 16-bit integers.
pub(super) struct QuantizedUnit {
    /// The number that stands for 1 in the unit's sums.
    pub(super) scale: f64,
    /// By unit of the layer before.
    pub(super) weights: Vec<i16>,
    pub(super) bias: i32,
}

impl QuantizedUnit {
    /// Quantizes a unit at the largest scale up to `most` for which no dot product can overflow, whatever the
    /// activations. `ones` has the number that stands for 1 in each unit of the layer before; `round` rounds the scale
    /// down.
    pub(super) fn new(
        layer: &Layer,
        number: usize,
        unit: usize,
        ones: &[f64],
        most: f64,
        round: impl Fn(f64) -> f64,
    ) -> Result<QuantizedUnit, IntegerError> {
        let exact = || {
            let weights = (0..ones.len()).map(|input| f64::from(layer.row(input)[unit]));
            weights.zip(ones)
        };
        let bias = f64::from(layer.biases[unit]);
        let largest_sum = exact().map(|(weight, _)| weight.abs()).sum::<f64>() + bias.abs();
        IntegerError::check(number, unit + 1, largest_sum, ROOM)?;
        // Activations are multiples of the number that stands for 1, so weights are divided by that number.
        let largest_weight = exact().map(|(weight, one)| weight.abs() / one).fold(0.0, f64::max);
        // A weight is rounded by at most a half, so a sum by at most half of this.
        let rounding: f64 = ones.iter().sum();
        let limits = [
            most,
            (f64::from(i16::MAX) - 1.0) / largest_weight,
            (f64::from(i32::MAX) * 0.999 - rounding) / largest_sum,
        ];
        let scale = round(limits.into_iter().fold(f64::INFINITY, f64::min));
        Ok(QuantizedUnit {
            scale,
            weights: exact().map(|(weight, one)| (weight * scale / one).round() as i16).collect(),
            bias: (bias * scale).round() as i32,
        })
    }
}

/// The largest magnitude of a sum, in floats. With this room activations still have a thousand distinct values.
const ROOM: f64 = 4_000.0;
