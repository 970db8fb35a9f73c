//! The gradients of a share of a net's weights, summed over a minibatch.

use core::ops::Range;

use tavli_backgammon::Stopped;
use tavli_run::Cancel;
use tavli_simd::Tier;
use tavli_simd::loops::AddSparseProduct;

use super::minibatch_part::MinibatchPart;
use super::padded::PaddedNet;
use super::product::{AddProduct, Matrix, add_product, add_sparse_product};
use super::units::add_rows;

/// The gradients of some rows of each layer's weights, summed over the positions of a minibatch. They are added in the
/// order of the positions, however these are divided into parts: sums of floats depend on their order, and results must
/// not depend on the number of workers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradient {
    pub(super) layers: Vec<LayerGradient>,
}

/// The gradients of some rows of a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerGradient {
    pub(super) rows: Range<usize>,
    pub(super) weights: Vec<f32>,
    pub(super) biases: Vec<f32>,
    /// The mean activation of each row's unit, if steps are centred.
    pub(super) means: Option<Vec<f32>>,
}

/// Share number `number` of `of` equal shares of things.
pub(crate) fn share(things: usize, number: usize, of: usize) -> Range<usize> {
    things * number / of..things * (number + 1) / of
}

impl Gradient {
    /// Sums the gradients of the rows in share `number` of `of` equal shares, and the mean activations if steps are
    /// centred.
    ///
    /// # Errors
    /// [`Stopped`] if it is cancelled before the end.
    pub(crate) fn sum<'a>(
        &mut self,
        tier: Tier,
        net: &PaddedNet,
        (number, of): (usize, usize),
        centred: bool,
        parts: impl Iterator<Item = &'a MinibatchPart> + Clone,
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        self.layers.resize(net.layers.len(), LayerGradient::default());
        for (at, (sums, layer)) in self.layers.iter_mut().zip(&net.layers).enumerate() {
            let columns = layer.columns;
            sums.rows = share(layer.rows(), number, of);
            sums.weights.clear();
            sums.weights.resize(sums.rows.len() * columns, 0.0);
            // Every share sums all biases: centring subtracts the gradient of a weight's bias, times the mean, from the
            // gradient of the weight.
            sums.biases.clear();
            sums.biases.resize(columns, 0.0);
            for part in parts.clone() {
                let errors = &part.errors[at];
                add_rows(tier, &mut sums.biases, errors);
                // There may be more workers than rows or positions. A part without positions has no activations at
                // `rows.start`.
                if sums.rows.is_empty() || errors.is_empty() {
                    continue;
                }
                match at {
                    0 => add_sparse_product(
                        tier,
                        AddSparseProduct {
                            sums: &mut sums.weights,
                            left: &part.by_input,
                            rows: sums.rows.clone(),
                            right: errors,
                            columns,
                        },
                        cancel,
                    ),
                    _ => add_product(
                        tier,
                        AddProduct {
                            sums: &mut sums.weights,
                            left: Matrix {
                                values: &part.forward.layers[at - 1][sums.rows.start..],
                                // Only the strides are transposed: numbers of the left side are read one at a time.
                                down: 1,
                                right: layer.rows(),
                            },
                            right: errors,
                            columns,
                            inner: errors.len() / columns,
                        },
                        cancel,
                    ),
                }?;
            }
            sums.means = (centred && at > 0).then(|| {
                let before = parts.clone().map(|part| &part.forward.layers[at - 1][..]);
                means(tier, sums.rows.clone(), layer.rows(), before)
            });
        }
        Ok(())
    }
}

/// The mean activation of each unit in `of`, from the activations of all `units` of the layer in the parts of a
/// minibatch.
fn means<'a>(tier: Tier, of: Range<usize>, units: usize, parts: impl Iterator<Item = &'a [f32]>) -> Vec<f32> {
    let mut sum = vec![0.0; units];
    let mut positions = 0;
    for rows in parts {
        positions += rows.len() / units;
        add_rows(tier, &mut sum, rows);
    }
    let sums = sum[of].iter();
    sums.map(|sum| sum / positions as f32).collect()
}
