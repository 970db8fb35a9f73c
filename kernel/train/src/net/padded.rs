//! A net with padded rows, and its forward pass over many positions.

use std::sync::Arc;

use tavli_backgammon::Stopped;
use tavli_backgammon::board::Planes;
use tavli_players::net::{Activation, Encoder, Layer, Network, Outputs};
use tavli_run::Cancel;
use tavli_simd::Tier;
use tavli_simd::loops::{AddSparseProduct, LANES, Sparse};

use super::encoding::Encoding;
use super::product::{AddProduct, Matrix, add_product, add_sparse_product};
use super::units::activate;

/// A net laid out for [loops](tavli_simd::loops) over whole vectors.
#[derive(Clone, Debug)]
pub(crate) struct PaddedNet {
    encoder: Encoder,
    // Shared: nets are copied for each round and each worker, and the table is the same in all of them.
    encoding: Arc<Encoding>,
    pub(super) activation: Activation,
    pub(super) outputs: Outputs,
    /// The equity, in points, of each output of a row.
    points: Vec<f32>,
    pub(super) layers: Vec<PaddedLayer>,
}

/// A layer whose rows are padded with zeros to a multiple of [`LANES`]. It also has rows of zeros for the padding of
/// the layer before.
#[derive(Clone, Debug)]
pub(super) struct PaddedLayer {
    /// Units that it feeds.
    pub(super) units: usize,
    /// The length of a row.
    pub(super) columns: usize,
    /// Units that feed it.
    pub(super) inputs: usize,
    pub(super) biases: Vec<f32>,
    pub(super) weights: Vec<f32>,
}

impl PaddedLayer {
    /// Pads a layer of `inputs` rows to `rows` rows.
    fn new(layer: &Layer, inputs: usize, rows: usize) -> PaddedLayer {
        let units = layer.outputs();
        let columns = units.next_multiple_of(LANES);
        let mut biases = layer.biases.clone();
        biases.resize(columns, 0.0);
        let mut weights = vec![0.0; rows * columns];
        for (row, padded) in weights.chunks_exact_mut(columns).take(inputs).enumerate() {
            padded[..units].copy_from_slice(layer.row(row));
        }
        PaddedLayer { units, columns, inputs, biases, weights }
    }

    /// The number of rows of weights, padding included.
    pub(super) fn rows(&self) -> usize {
        self.weights.len() / self.columns
    }

    fn to_layer(&self) -> Layer {
        let rows = self.weights.chunks_exact(self.columns).take(self.inputs);
        Layer {
            biases: self.biases[..self.units].to_vec(),
            weights: rows.flat_map(|row| &row[..self.units]).copied().collect(),
        }
    }

    /// Writes the transposed matrix of the weights: a row for each unit that the layer feeds.
    pub(super) fn transpose_into(&self, transpose: &mut Vec<f32>, cancel: &Cancel) -> Result<(), Stopped> {
        let rows = self.rows();
        transpose.resize(self.units * rows, 0.0);
        for (unit, row) in transpose.chunks_exact_mut(rows).enumerate() {
            if cancel.is_cancelled() {
                return Err(Stopped);
            }
            for (to, from) in row.iter_mut().zip(self.weights[unit..].iter().step_by(self.columns)) {
                *to = *from;
            }
        }
        Ok(())
    }
}

/// The activations of all layers for some positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForwardPass {
    /// By layer; a padded row for each position.
    pub(super) layers: Vec<Vec<f32>>,
}

impl ForwardPass {
    /// The outputs, by rows of [`PaddedNet::row`].
    pub(crate) fn outputs(&self) -> &[f32] {
        self.layers.last().expect("a net has a layer")
    }
}

impl PaddedNet {
    pub(crate) fn new(network: &Network) -> PaddedNet {
        let mut inputs = network.encoder().inputs();
        let mut rows = inputs;
        let layers = network.layers().iter().map(|layer| {
            let padded = PaddedLayer::new(layer, inputs, rows);
            (inputs, rows) = (padded.units, padded.columns);
            padded
        });
        let layers: Vec<_> = layers.collect();
        let mut points = points(network.outputs());
        points.resize(rows, 0.0);
        PaddedNet {
            encoder: network.encoder(),
            encoding: Arc::new(Encoding::new(network.encoder())),
            activation: network.activation(),
            outputs: network.outputs(),
            points,
            layers,
        }
    }

    pub(crate) fn to_network(&self) -> Network {
        let layers = self.layers.iter().map(PaddedLayer::to_layer).collect();
        Network::new(self.encoder, self.activation, self.outputs, layers).expect("the layers fit as they did")
    }

    /// Whether all weights are finite numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let mut weights = self.layers.iter().flat_map(|layer| [&layer.biases, &layer.weights]);
        weights.all(|weights| weights.iter().all(|weight| weight.is_finite()))
    }

    pub(crate) fn weights(&self) -> usize {
        self.layers.iter().map(|layer| layer.weights.len()).sum()
    }

    /// How positions become rows of inputs.
    pub(crate) fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    pub(crate) fn outputs(&self) -> Outputs {
        self.outputs
    }

    /// The equity, in points, of each output of a row.
    pub(super) fn points(&self) -> &[f32] {
        &self.points
    }

    /// The length of a padded row of outputs.
    pub(crate) fn row(&self) -> usize {
        self.layers.last().expect("a net has a layer").columns
    }

    pub(crate) fn inputs(&self, positions: &[Planes]) -> Sparse {
        let mut inputs = Sparse::new();
        for position in positions {
            self.encoding.encode(position, &mut inputs);
        }
        inputs
    }

    /// Computes the activations for some positions, given by their inputs, unless it is cancelled.
    pub(crate) fn forward(
        &self,
        tier: Tier,
        inputs: &Sparse,
        forward: &mut ForwardPass,
        cancel: &Cancel,
    ) -> Result<(), Stopped> {
        let positions = inputs.rows();
        forward.layers.resize(self.layers.len(), Vec::new());
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, after) = forward.layers.split_at_mut(number);
            let sums = &mut after[0];
            sums.clear();
            for _ in 0..positions {
                sums.extend_from_slice(&layer.biases);
            }
            match before.last() {
                None => add_sparse_product(
                    tier,
                    AddSparseProduct {
                        sums,
                        left: inputs,
                        rows: 0..positions,
                        right: &layer.weights,
                        columns: layer.columns,
                    },
                    cancel,
                ),
                Some(values) => add_product(
                    tier,
                    AddProduct {
                        sums,
                        left: Matrix { values, down: layer.rows(), right: 1 },
                        right: &layer.weights,
                        columns: layer.columns,
                        // Not `rows`: the rows after them are zeros, for the padding of the layer before.
                        inner: layer.inputs,
                    },
                    cancel,
                ),
            }?;
            let is_last = number + 1 == self.layers.len();
            let activation = if is_last { Activation::Logistic } else { self.activation };
            activate(tier, sums, [layer.columns, layer.units], activation);
        }
        Ok(())
    }
}

/// The equity that each output adds, in points: two for a win instead of a loss, one for each gammon and each
/// backgammon.
fn points(outputs: Outputs) -> Vec<f32> {
    // A set begins with its mildest outcome; one that begins with a single win is the win itself.
    let least = outputs.outcomes().iter().map(|set| set[0].points());
    let points = least.map(|least| match least {
        1 => 2.0,
        _ => least.signum() as f32,
    });
    points.collect()
}
