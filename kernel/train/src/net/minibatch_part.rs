//! The forward and backward pass of a part of a minibatch.

use tavli_backgammon::Stopped;
use tavli_run::Cancel;
use tavli_simd::Tier;
use tavli_simd::loops::Sparse;

use super::padded::{ForwardPass, PaddedNet};
use super::product::{AddProduct, Matrix, add_product};
use super::units::{multiply_by_slopes, write_output_errors};
use crate::examples::Examples;
use crate::recipe::Loss;

/// The unit of losses. They are added as integers, so that the sum does not depend on the order of workers.
pub(crate) const LOSS_UNIT: f64 = 1.0 / (1_u64 << 32) as f64;

/// A loss in units of [`LOSS_UNIT`]; `None` if it is not a finite number.
pub(crate) fn to_units(loss: f64) -> Option<u64> {
    loss.is_finite().then_some((loss / LOSS_UNIT) as u64)
}

/// Some positions of a minibatch: their inputs, activations and errors.
#[derive(Clone, Debug, Default)]
pub(crate) struct MinibatchPart {
    inputs: Sparse,
    targets: Vec<f32>,
    /// The inputs transposed: a row for each input, with the positions in which it is not 0.
    pub(super) by_input: Sparse,
    pub(super) forward: ForwardPass,
    /// The gradient of the loss with respect to each unit's sum: by layer, then a padded row for each position.
    pub(super) errors: Vec<Vec<f32>>,
    transposed: Vec<f32>,
}

impl MinibatchPart {
    /// Reads the examples with the given numbers, and computes a net's activations and the errors of all layers.
    /// Returns the sum of the reported losses, half the squared errors of each position, in units of [`LOSS_UNIT`];
    /// `None` if one is not finite.
    ///
    /// # Errors
    /// [`Stopped`] if it is cancelled before the end.
    pub(crate) fn forward_backward(
        &mut self,
        tier: Tier,
        (net, loss): (&PaddedNet, Loss),
        examples: &Examples,
        numbers: &[u32],
        cancel: &Cancel,
    ) -> Result<Option<u64>, Stopped> {
        self.inputs.clear();
        self.targets.clear();
        for &number in numbers {
            let (position, targets) = examples.get(number as usize);
            net.encoding().encode(position, &mut self.inputs);
            self.targets.extend_from_slice(targets);
        }
        self.by_input.transpose(&self.inputs, net.encoding().inputs());
        net.forward(tier, &self.inputs, &mut self.forward, cancel)?;
        self.backward(tier, net, loss, cancel)?;
        let rows = self.forward.outputs().chunks_exact(net.row());
        let rows = rows.zip(self.targets.chunks_exact(net.row()));
        let losses = rows.map(|(outputs, targets)| {
            let errors = outputs.iter().zip(targets).map(|(a, b)| f64::from(a - b));
            let loss = errors.map(|error| error * error).sum::<f64>() / 2.0;
            to_units(loss)
        });
        Ok(losses.sum())
    }

    /// Propagates the errors from the outputs back to the first layer.
    fn backward(&mut self, tier: Tier, net: &PaddedNet, loss: Loss, cancel: &Cancel) -> Result<(), Stopped> {
        let layers = &net.layers;
        self.errors.resize(layers.len(), Vec::new());
        let errors = self.errors.last_mut().expect("a net has a layer");
        // Not cleared as the hidden layers' errors are: every element is written, and nothing is added to the old ones.
        errors.resize(self.targets.len(), 0.0);
        // Padding has neither outputs nor targets, so no errors.
        let values = (self.forward.outputs(), &self.targets[..]);
        write_output_errors(tier, errors, values, net.points(), loss);
        for number in (1..layers.len()).rev() {
            let layer = &layers[number];
            let (before, after) = self.errors.split_at_mut(number);
            let (errors, after) = (&mut before[number - 1], &after[0]);
            let activations = &self.forward.layers[number - 1];
            errors.clear();
            errors.resize(activations.len(), 0.0);
            // Copied, since the right side of a product is read in vectors along its rows.
            layer.transpose_into(&mut self.transposed, cancel)?;
            add_product(
                tier,
                AddProduct {
                    sums: errors,
                    left: Matrix { values: after, down: layer.columns, right: 1 },
                    right: &self.transposed,
                    columns: layer.rows(),
                    inner: layer.units,
                },
                cancel,
            )?;
            multiply_by_slopes(tier, errors, activations, net.activation);
        }
        Ok(())
    }
}
