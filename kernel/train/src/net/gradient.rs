//! Gradients of a share of a net's weights.

use core::ops::Range;

use tavli_simd::Tier;

use super::loops::run_on;
use super::padded::Padded;
use super::part::Part;
use super::product::{AddProduct, Matrix};
use super::sparse::AddSparseProduct;
use super::units::AddRows;

/// The sums of the gradients of a minibatch, of some rows of each layer's weights. They are summed in the order of the
/// positions, whatever parts these are in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradient {
    pub(super) layers: Vec<OfLayer>,
}

/// The gradients of some rows of a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct OfLayer {
    pub(super) rows: Range<usize>,
    pub(super) weights: Vec<f32>,
    /// In the share that has the first row.
    pub(super) biases: Vec<f32>,
}

/// The things of one share of many.
pub(crate) fn share(things: usize, number: usize, of: usize) -> Range<usize> {
    things * number / of..things * (number + 1) / of
}

impl Gradient {
    /// Sums the gradients of share number `share` of `of`.
    pub(crate) fn sum<'a>(
        &mut self,
        tier: Tier,
        net: &Padded,
        (number, of): (usize, usize),
        parts: impl Iterator<Item = &'a Part> + Clone,
    ) {
        self.layers.resize(net.layers.len(), OfLayer::default());
        for (at, (sums, layer)) in self.layers.iter_mut().zip(&net.layers).enumerate() {
            let columns = layer.columns;
            sums.rows = share(layer.rows(), number, of);
            sums.weights.clear();
            sums.weights.resize(sums.rows.len() * columns, 0.0);
            sums.biases.clear();
            if sums.rows.start == 0 {
                sums.biases.resize(columns, 0.0);
            }
            for part in parts.clone() {
                let errors = &part.errors[at];
                if sums.rows.start == 0 {
                    let sum = &mut sums.biases;
                    run_on(tier, AddRows { sum, rows: errors });
                }
                if sums.rows.is_empty() || errors.is_empty() {
                    continue;
                }
                match at {
                    0 => run_on(
                        tier,
                        AddSparseProduct {
                            sums: &mut sums.weights,
                            left: &part.by_input,
                            rows: sums.rows.clone(),
                            right: errors,
                            columns,
                        },
                    ),
                    _ => run_on(
                        tier,
                        AddProduct {
                            sums: &mut sums.weights,
                            left: Matrix {
                                values: &part.forward.layers[at - 1][sums.rows.start..],
                                down: 1,
                                right: layer.rows(),
                            },
                            right: errors,
                            columns,
                            inner: errors.len() / columns,
                        },
                    ),
                }
            }
        }
    }
}
