//! The outputs.

use super::line::Line;
use super::scale::Column;
use crate::net::{IntegerError, Layer, Outputs};

/// The last layer.
#[derive(Clone, Debug)]
pub(super) struct Last {
    /// A row of lines for each output.
    pub(super) rows: Vec<Vec<Line>>,
    pub(super) biases: [i32; Outputs::MOST],
    /// Times these, sums are what the logistic function is taken of.
    pub(super) units: [f32; Outputs::MOST],
    weights: Vec<Vec<i16>>,
}

impl Last {
    pub(super) fn new(ones: &[f64], layer: &Layer, number: usize) -> Result<Last, IntegerError> {
        let mut last = Last {
            rows: Vec::new(),
            biases: [0; Outputs::MOST],
            units: [0.0; Outputs::MOST],
            weights: Vec::new(),
        };
        for output in 0..layer.outputs() {
            let column = Column::new(layer, number, output, ones, 1.0, (1 << 28) as f64)?;
            last.rows.push(Line::of(&column.weights));
            last.biases[output] = column.bias;
            last.units[output] = (1.0 / column.scale) as f32;
            last.weights.push(column.weights);
        }
        Ok(last)
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
