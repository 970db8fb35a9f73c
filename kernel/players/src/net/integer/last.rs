//! The outputs.

use tavli_simd::{I16Isa, I16Vector, I32Accumulator};

use super::line::{LINE, Line};
use super::scale::Column;
use crate::net::{IntegerError, Layer, Outputs};

/// The largest scale of sums.
const MOST: f64 = (1 << 28) as f64;

/// The last layer.
#[derive(Clone, Debug)]
pub(super) struct Last {
    /// For each line of units before one line of weights for each output.
    pub(super) lines: Vec<Line>,
    pub(super) biases: [i32; Outputs::MOST],
    /// Times these, sums are what the logistic function is taken of.
    pub(super) units: [f32; Outputs::MOST],
    weights: Vec<Vec<i16>>,
}

impl Last {
    pub(super) fn new(ones: &[f64], layer: &Layer, number: usize) -> Result<Last, IntegerError> {
        let mut last = Last {
            lines: vec![Line::ZERO; layer.outputs() * ones.len().div_ceil(LINE)],
            biases: [0; Outputs::MOST],
            units: [0.0; Outputs::MOST],
            weights: Vec::new(),
        };
        for output in 0..layer.outputs() {
            let column = Column::new(layer, number, output, ones, MOST, f64::floor)?;
            let lines = last.lines.chunks_mut(layer.outputs());
            for (line, weights) in lines.zip(Line::of(&column.weights)) {
                line[output] = weights;
            }
            last.biases[output] = column.bias;
            last.units[output] = (1.0 / column.scale) as f32;
            last.weights.push(column.weights);
        }
        Ok(last)
    }

    /// The sums of each output for some positions, whose activations are given by the position, their line and their place
    /// in it.
    #[inline(always)]
    pub(super) fn sums<I: I16Isa, const POSITIONS: usize>(
        &self,
        isa: I,
        width: usize,
        activations: impl Fn(usize, usize, usize) -> I::I16Vector,
    ) -> [[i32; POSITIONS]; Outputs::MOST] {
        match self.weights.len() {
            3 => self.sums_of::<I, POSITIONS, 3>(isa, width, activations),
            _ => self.sums_of::<I, POSITIONS, 5>(isa, width, activations),
        }
    }

    #[inline(always)]
    fn sums_of<I: I16Isa, const POSITIONS: usize, const OUTPUTS: usize>(
        &self,
        isa: I,
        width: usize,
        activations: impl Fn(usize, usize, usize) -> I::I16Vector,
    ) -> [[i32; POSITIONS]; Outputs::MOST] {
        let zero = isa.splat_i16(0);
        let none = zero.dot(zero);
        let mut sums = [[none; POSITIONS]; OUTPUTS];
        let (lines, _) = self.lines.as_chunks::<OUTPUTS>();
        for (line, weights) in lines[..width].iter().enumerate() {
            let mut at = 0;
            while at < LINE {
                for position in 0..POSITIONS {
                    let activations = activations(position, line, at);
                    for output in 0..OUTPUTS {
                        let weights = zero.read(&weights[output].0[at..]);
                        let sum = &mut sums[output][position];
                        *sum = sum.wrapping_add(activations.dot(weights));
                    }
                }
                at += I::I16Vector::LANES;
            }
        }
        // Four sums are totalled at a time: those of an output, or those of a position.
        let mut totals = [[0; POSITIONS]; Outputs::MOST];
        if POSITIONS == 4 {
            for output in 0..OUTPUTS {
                let mut four = [none; 4];
                four.copy_from_slice(&sums[output]);
                totals[output].copy_from_slice(&I32Accumulator::reduce_add(four));
            }
        } else {
            for position in 0..POSITIONS {
                let mut from = 0;
                while from < OUTPUTS {
                    let mut four = [none; 4];
                    for output in from..OUTPUTS.min(from + 4) {
                        four[output - from] = sums[output][position];
                    }
                    let four = I32Accumulator::reduce_add(four);
                    for output in from..OUTPUTS.min(from + 4) {
                        totals[output][position] = four[output - from];
                    }
                    from += 4;
                }
            }
        }
        for (totals, bias) in totals.iter_mut().zip(self.biases) {
            for total in totals {
                *total = total.wrapping_add(bias);
            }
        }
        totals
    }

    /// What the logistic functions are taken of, as plainly as can be.
    pub(super) fn plain(&self, activations: &[i16]) -> Vec<f32> {
        let outputs = self.weights.iter().enumerate();
        let logits = outputs.map(|(output, weights)| {
            let products = weights.iter().zip(activations);
            let products = products.map(|(&weight, &one)| i64::from(weight) * i64::from(one));
            let sum = products.sum::<i64>() + i64::from(self.biases[output]);
            i32::try_from(sum).expect("the scale leaves room") as f32 * self.units[output]
        });
        logits.collect()
    }
}
