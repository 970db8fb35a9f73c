//! The outputs.

use tavli_simd::{HalfIsa, Halves, Sums};

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

    /// The sums of activations, which are given by their line and their place in it.
    #[inline(always)]
    pub(super) fn sums<I: HalfIsa>(
        &self,
        isa: I,
        width: usize,
        activations: impl Fn(usize, usize) -> I::Halves,
    ) -> [i32; Outputs::MOST] {
        match self.weights.len() {
            3 => self.sums_of::<I, 3>(isa, width, activations),
            _ => self.sums_of::<I, 5>(isa, width, activations),
        }
    }

    #[inline(always)]
    fn sums_of<I: HalfIsa, const OUTPUTS: usize>(
        &self,
        isa: I,
        width: usize,
        activations: impl Fn(usize, usize) -> I::Halves,
    ) -> [i32; Outputs::MOST] {
        let zero = isa.halves(0);
        let none = zero.dot(zero);
        let mut sums = [none; Outputs::MOST];
        let (lines, _) = self.lines.as_chunks::<OUTPUTS>();
        for (line, weights) in lines[..width].iter().enumerate() {
            let mut at = 0;
            while at < LINE {
                let activations = activations(line, at);
                for output in 0..OUTPUTS {
                    let weights = zero.read(&weights[output].0[at..]);
                    sums[output] = sums[output].plus(activations.dot(weights));
                }
                at += I::Halves::LANES;
            }
        }
        let [a, b, c, d, e] = sums;
        let [a, b, c, d] = Sums::totals([a, b, c, d]);
        let e = if OUTPUTS > 4 {
            Sums::totals([e, none, none, none])[0]
        } else {
            0
        };
        let mut totals = [a, b, c, d, e];
        for (total, bias) in totals.iter_mut().zip(self.biases) {
            *total = total.wrapping_add(bias);
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
