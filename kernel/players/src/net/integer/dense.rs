//! Hidden layers after the first.

use tavli_simd::{I16Isa, I16Vector, I32Accumulator};

use super::activations::SQUASHED_ONE;
use super::line::{LINE, Line, value};
use super::scale::Column;
use crate::net::{Activation, IntegerError, Layer, logistic};

/// Positions that are worked on together: each weight is read once for all of them.
pub(super) const TOGETHER: usize = 4;

/// The largest scale of sums.
const MOST: f64 = (1 << 30) as f64;

/// By how many bits activations are smaller than sums of a scale: activations of 1 have 14 bits at most, so that they and
/// weights of 16 bits make products for which sums have room.
fn shift(scale: f64) -> u32 {
    let mut shift = 0;
    while scale / f64::from(1 << shift) > f64::from(1 << 14) {
        shift += 1;
    }
    shift
}

/// A layer fed by hidden units.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    units: usize,
    /// The lines of the activations that feed it.
    lines_before: usize,
    /// For each line of units, for each pair of units before two lines: the weights of both in each unit.
    weights: Vec<[Line; 2]>,
    biases: Vec<i32>,
    activation: Of32,
}

/// Activations of sums of 32 bits.
#[derive(Clone, Debug)]
enum Of32 {
    /// By how many bits each unit's activation is smaller than its sum, and what stands for 1 in it.
    Clipped { shifts: Vec<u32>, ones: Vec<i32> },
    /// Times these, sums are what the logistic function is taken of.
    Squashed(Vec<f32>),
}

impl Of32 {
    /// The activations of the sums of a line of units.
    #[inline(always)]
    fn of_line(&self, sums: &[i32; LINE], line: usize, activations: &mut Line) {
        match self {
            Of32::Clipped { shifts, ones } => {
                let shifts = &shifts[line * LINE..][..LINE];
                let ones = &ones[line * LINE..][..LINE];
                for at in 0..LINE {
                    activations.0[at] = clipped(sums[at], shifts[at], ones[at]);
                }
            }
            Of32::Squashed(units) => {
                let units = &units[line * LINE..][..LINE];
                for at in 0..LINE {
                    activations.0[at] = squashed(sums[at], units[at]);
                }
            }
        }
    }

    /// The activation of a unit's sum.
    fn of(&self, sum: i32, unit: usize) -> i16 {
        match self {
            Of32::Clipped { shifts, ones } => clipped(sum, shifts[unit], ones[unit]),
            Of32::Squashed(units) => squashed(sum, units[unit]),
        }
    }
}

/// The activation of a sum, smaller by some bits, where `one` stands for 1.
#[inline(always)]
fn clipped(sum: i32, shift: u32, one: i32) -> i16 {
    // The compiler sees that it is less than 32.
    let sum = sum >> (shift % 32);
    // Not `clamp`, which becomes a call for each unit.
    let sum = if sum < 0 { 0 } else { sum };
    (if sum > one { one } else { sum }) as i16
}

/// The activation of a sum that the logistic function is taken of, times `unit`.
#[inline(always)]
fn squashed(sum: i32, unit: f32) -> i16 {
    let activation = logistic(sum as f32 * unit) * f32::from(SQUASHED_ONE);
    (activation + 0.5) as i32 as i16
}

impl Dense {
    pub(super) fn new(
        activation: Activation,
        ones: &[f64],
        layer: &Layer,
        number: usize,
    ) -> Result<Dense, IntegerError> {
        let units = layer.outputs();
        let padded = units.next_multiple_of(LINE);
        let lines_before = ones.len().div_ceil(LINE);
        let pairs = lines_before * LINE / 2;
        let mut weights = vec![[Line::ZERO; 2]; padded / LINE * pairs];
        let mut biases = vec![0; padded];
        let mut scales = vec![f64::INFINITY; padded];
        let mut shifts = vec![0; padded];
        let round = |scale: f64| {
            let step = f64::from(1 << shift(scale));
            (scale / step).floor() * step
        };
        for unit in 0..units {
            let column = Column::new(layer, number, unit, ones, MOST, round)?;
            for (input, weight) in column.weights.into_iter().enumerate() {
                let lines = &mut weights[unit / LINE * pairs + input / 2];
                let at = 2 * (unit % LINE) + input % 2;
                lines[at / LINE].0[at % LINE] = weight;
            }
            scales[unit] = column.scale;
            shifts[unit] = shift(column.scale);
            biases[unit] = match activation {
                // What is shifted out is rounded.
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
                Of32::Clipped {
                    ones: ones.collect(),
                    shifts,
                }
            }
            Activation::Logistic => Of32::Squashed(scales.map(|scale| (1.0 / scale) as f32).collect()),
        };
        Ok(Dense {
            units,
            lines_before,
            weights,
            biases,
            activation,
        })
    }

    /// What stands for 1 in each activation.
    pub(super) fn ones(&self) -> Vec<f64> {
        match &self.activation {
            Of32::Clipped { ones, .. } => ones[..self.units].iter().map(|&one| f64::from(one)).collect(),
            Of32::Squashed(_) => vec![f64::from(SQUASHED_ONE); self.units],
        }
    }

    /// The lines of its activations.
    pub(super) fn width(&self) -> usize {
        self.biases.len() / LINE
    }

    /// The activations from those of the layer before, for positions one after another: a multiple of [`TOGETHER`].
    #[inline(always)]
    pub(super) fn run<I: I16Isa>(&self, isa: I, before: &[Line], after: &mut [Line]) {
        let width = self.width();
        let pairs = self.lines_before * LINE / 2;
        let groups = before.chunks_exact(TOGETHER * self.lines_before);
        for (before, after) in groups.zip(after.chunks_exact_mut(TOGETHER * width)) {
            for (line, weights) in self.weights.chunks_exact(pairs).enumerate() {
                let mut sums = self.sums(isa, before, weights);
                let biases = &self.biases[line * LINE..][..LINE];
                for (position, sums) in sums.iter_mut().enumerate() {
                    for (sum, bias) in sums.iter_mut().zip(biases) {
                        *sum += bias;
                    }
                    let activations = &mut after[position * width + line];
                    self.activation.of_line(sums, line, activations);
                }
            }
        }
    }

    /// The sums of a line of units in some positions, without the biases.
    #[inline(always)]
    fn sums<I: I16Isa>(&self, isa: I, before: &[Line], weights: &[[Line; 2]]) -> [[i32; LINE]; TOGETHER] {
        let zero = isa.splat_i16(0);
        let half = I::I16Vector::LANES;
        let mut sums = [[0; LINE]; TOGETHER];
        // Two vectors of units at a time.
        let mut from = 0;
        while from < 2 * LINE {
            let mut lanes = [[zero.dot(zero); 2]; TOGETHER];
            for line in 0..self.lines_before {
                let weights: &[[Line; 2]; LINE / 2] = weights[line * LINE / 2..]
                    .first_chunk()
                    .expect("each line before has pairs of weights");
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
                    let low = zero.read(&weights[from / LINE].0[from % LINE..]);
                    let next = from + half;
                    let high = zero.read(&weights[next / LINE].0[next % LINE..]);
                    let inputs = [&i0[pair], &i1[pair], &i2[pair], &i3[pair]];
                    for position in 0..TOGETHER {
                        let inputs = zero.splat_pair(inputs[position]);
                        let [a, b] = &mut lanes[position];
                        *a = a.wrapping_add(inputs.dot(low));
                        *b = b.wrapping_add(inputs.dot(high));
                    }
                }
            }
            for position in 0..TOGETHER {
                let [a, b] = lanes[position];
                a.write(&mut sums[position][from / 2..]);
                b.write(&mut sums[position][(from + half) / 2..]);
            }
            from += 2 * half;
        }
        sums
    }

    /// The activations from those of the layer before, as plainly as can be.
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
            self.activation.of(sum, unit)
        };
        (0..self.units).map(activation).collect()
    }
}
