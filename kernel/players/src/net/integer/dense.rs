//! Hidden layers after the first.

use tavli_simd::{HalfIsa, Halves, Sums};

use super::activations::SQUASHED_ONE;
use super::line::{LINE, Line, value};
use super::scale::Column;
use crate::net::{Activation, IntegerError, Layer, logistic};

/// Positions that are worked on together: each weight is read once for all of them.
pub(super) const TOGETHER: usize = 4;

/// By how many bits activations are smaller than sums.
const SHIFT: u32 = 9;

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
    /// What stands for 1 in each unit's activation.
    Clipped(Vec<i32>),
    /// Times these, sums are what the logistic function is taken of.
    Squashed(Vec<f32>),
}

impl Of32 {
    /// The activation of a unit's sum.
    #[inline(always)]
    fn of(&self, sum: i32, unit: usize) -> i16 {
        match self {
            Of32::Clipped(ones) => (sum >> SHIFT).clamp(0, ones[unit]) as i16,
            Of32::Squashed(units) => {
                (logistic(sum as f32 * units[unit]) * f32::from(SQUASHED_ONE) + 0.5) as i16
            }
        }
    }
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
        let step = f64::from(1 << SHIFT);
        let lines_before = ones.len().div_ceil(LINE);
        let pairs = lines_before * LINE / 2;
        let mut weights = vec![[Line::ZERO; 2]; padded / LINE * pairs];
        let mut biases = vec![0; padded];
        let mut scales = vec![f64::INFINITY; padded];
        for unit in 0..units {
            // Activations have 14 bits.
            let column = Column::new(layer, number, unit, ones, step, step * f64::from(1 << 14))?;
            for (input, weight) in column.weights.into_iter().enumerate() {
                let lines = &mut weights[unit / LINE * pairs + input / 2];
                let at = 2 * (unit % LINE) + input % 2;
                lines[at / LINE].0[at % LINE] = weight;
            }
            scales[unit] = column.scale;
            biases[unit] = match activation {
                // What is shifted out is rounded.
                Activation::Clipped => column.bias + (1 << (SHIFT - 1)),
                Activation::Logistic => column.bias,
            };
        }
        let scales = scales.into_iter();
        let activation = match activation {
            Activation::Clipped => {
                let one = |scale: f64| if scale.is_finite() { scale / step } else { 0.0 };
                Of32::Clipped(scales.map(|scale| one(scale) as i32).collect())
            }
            Activation::Logistic => {
                Of32::Squashed(scales.map(|scale| (1.0 / scale) as f32).collect())
            }
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
            Of32::Clipped(ones) => ones[..self.units]
                .iter()
                .map(|&one| f64::from(one))
                .collect(),
            Of32::Squashed(_) => vec![f64::from(SQUASHED_ONE); self.units],
        }
    }

    /// The lines of its activations.
    pub(super) fn width(&self) -> usize {
        self.biases.len() / LINE
    }

    /// The activations from those of the layer before, for positions one after another: a multiple of [`TOGETHER`].
    #[inline(always)]
    pub(super) fn run<I: HalfIsa>(&self, isa: I, before: &[Line], after: &mut [Line]) {
        let width = self.width();
        let pairs = self.lines_before * LINE / 2;
        let groups = before.chunks_exact(TOGETHER * self.lines_before);
        for (before, after) in groups.zip(after.chunks_exact_mut(TOGETHER * width)) {
            for (line, weights) in self.weights.chunks_exact(pairs).enumerate() {
                let sums = self.sums(isa, before, weights);
                for (position, sums) in sums.iter().enumerate() {
                    let activations = &mut after[position * width + line].0;
                    for at in 0..LINE {
                        let unit = line * LINE + at;
                        activations[at] = self.activation.of(sums[at] + self.biases[unit], unit);
                    }
                }
            }
        }
    }

    /// The sums of a line of units in some positions, without the biases.
    #[inline(always)]
    fn sums<I: HalfIsa>(
        &self,
        isa: I,
        before: &[Line],
        weights: &[[Line; 2]],
    ) -> [[i32; LINE]; TOGETHER] {
        let zero = isa.halves(0);
        let half = I::Halves::LANES;
        let mut sums = [[0; LINE]; TOGETHER];
        // Two vectors of units at a time.
        let mut from = 0;
        while from < 2 * LINE {
            let mut lanes = [[zero.dot(zero); 2]; TOGETHER];
            for line in 0..self.lines_before {
                let inputs = [
                    &before[line],
                    &before[self.lines_before + line],
                    &before[2 * self.lines_before + line],
                    &before[3 * self.lines_before + line],
                ];
                let weights = &weights[line * LINE / 2..][..LINE / 2];
                for pair in 0..LINE / 2 {
                    let weights = &weights[pair];
                    let low = zero.read(&weights[from / LINE].0[from % LINE..]);
                    let from = from + half;
                    let high = zero.read(&weights[from / LINE].0[from % LINE..]);
                    for position in 0..TOGETHER {
                        let inputs = &inputs[position].0;
                        let inputs = zero.splat_pair([inputs[2 * pair], inputs[2 * pair + 1]]);
                        let [a, b] = &mut lanes[position];
                        *a = a.plus(inputs.dot(low));
                        *b = b.plus(inputs.dot(high));
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
