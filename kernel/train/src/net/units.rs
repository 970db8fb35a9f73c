//! Activations, their slopes, and the errors of outputs.

use tavli_players::net::Activation;
use tavli_simd::logistic;
use tavli_simd::loops::Loops;

use crate::recipe::Loss;

/// Turns sums into activations in place, and sets the padding of each row, beyond `units`, to 0.
pub(super) struct Activate<'a> {
    /// By rows of `columns`.
    pub(super) sums: &'a mut [f32],
    pub(super) columns: usize,
    pub(super) units: usize,
    pub(super) activation: Activation,
}

impl Loops for Activate<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(self) {
        match self.activation {
            Activation::Logistic => {
                for sum in &mut *self.sums {
                    *sum = logistic(*sum);
                }
            }
            activation => {
                for sum in &mut *self.sums {
                    *sum = activation.of(*sum);
                }
            }
        }
        // The logistic function of the sum of padding, 0, is 1/2. Left there, the rows of padding after it would learn.
        if self.units < self.columns {
            for row in self.sums.chunks_exact_mut(self.columns) {
                row[self.units..].fill(0.0);
            }
        }
    }
}

/// Multiplies errors by the slopes of the activation function.
pub(super) struct Slopes<'a> {
    pub(super) errors: &'a mut [f32],
    pub(super) activations: &'a [f32],
    pub(super) activation: Activation,
}

impl Loops for Slopes<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(self) {
        for (error, &activation) in self.errors.iter_mut().zip(self.activations) {
            *error *= self.activation.slope(activation);
        }
    }
}

/// Writes the gradient of the loss with respect to the sum of each output.
pub(super) struct OutputErrors<'a> {
    pub(super) errors: &'a mut [f32],
    pub(super) outputs: &'a [f32],
    pub(super) targets: &'a [f32],
    /// The equity that each output adds, in points.
    pub(super) points: &'a [f32],
    pub(super) loss: Loss,
}

impl Loops for OutputErrors<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(self) {
        let outputs = self.outputs.iter().zip(self.targets);
        match self.loss {
            Loss::Squared => {
                for (error, (&output, &target)) in self.errors.iter_mut().zip(outputs) {
                    *error = (output - target) * (output * (1.0 - output));
                }
            }
            Loss::CrossEntropy => {
                for (error, (&output, &target)) in self.errors.iter_mut().zip(outputs) {
                    // Without a slope: the logistic function's cancels out against the derivative of the cross-entropy.
                    *error = output - target;
                }
            }
            Loss::Equity => {
                let columns = self.points.len();
                let rows = self.errors.chunks_exact_mut(columns);
                let rows = rows.zip(self.outputs.chunks_exact(columns));
                for ((errors, outputs), targets) in rows.zip(self.targets.chunks_exact(columns)) {
                    let mut equity = 0.0;
                    let outputs = outputs.iter().zip(targets).zip(self.points);
                    for ((&output, &target), points) in outputs.clone() {
                        equity += points * (output - target);
                    }
                    for (error, ((&output, &target), points)) in errors.iter_mut().zip(outputs) {
                        let slope = output * (1.0 - output);
                        *error = (equity * points + output - target) * slope;
                    }
                }
            }
        }
    }
}

/// Adds rows to one row, in order.
pub(super) struct AddRows<'a> {
    pub(super) sum: &'a mut [f32],
    /// By rows as long as `sum`.
    pub(super) rows: &'a [f32],
}

impl Loops for AddRows<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(self) {
        for row in self.rows.chunks_exact(self.sum.len()) {
            for (sum, &value) in self.sum.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }
}
