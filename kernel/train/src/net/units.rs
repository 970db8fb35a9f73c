//! What units make of their sums, and the slopes.

use tavli_players::net::{Activation, logistic};

use super::loops::Loops;
use crate::recipe::Loss;

/// Turns sums into activations. Units beyond `units` of each row become 0.
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
        if self.units < self.columns {
            for row in self.sums.chunks_exact_mut(self.columns) {
                row[self.units..].fill(0.0);
            }
        }
    }
}

/// Multiplies errors by the slopes at the activations.
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

/// The slopes of the loss in the sums of the outputs.
pub(super) struct OutputErrors<'a> {
    pub(super) errors: &'a mut [f32],
    pub(super) outputs: &'a [f32],
    pub(super) targets: &'a [f32],
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
                    *error = output - target;
                }
            }
        }
    }
}

/// Adds rows to a row, in order.
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
