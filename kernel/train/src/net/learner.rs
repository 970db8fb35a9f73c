//! A net that learns.

use tavli_players::net::Network;
use tavli_simd::Tier;

use super::loops::run_on;
use super::padded::{Forward, Padded};
use super::product::{AddProduct, Matrix};
use super::sparse::{Sparse, SparseProduct};
use super::steps::{Moments, Step};
use super::units::{AddRows, OutputErrors, Slopes};
use crate::recipe::{Loss, Method};

/// A net, what its optimiser remembers, and room for a step.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    tier: Tier,
    method: Method,
    loss: Loss,
    net: Padded,
    /// Of each layer the biases, then the weights; empty if the method remembers nothing.
    moments: Vec<[Vec<Moments>; 2]>,
    steps: u64,
    forward: Forward,
    /// The slopes of the loss in the sums of each layer's units.
    errors: Vec<Vec<f32>>,
    gradient: Vec<f32>,
    transposed_inputs: Sparse,
    transposed_weights: Vec<f32>,
}

impl Learner {
    pub(crate) fn new(tier: Tier, method: Method, loss: Loss, network: &Network) -> Learner {
        let net = Padded::new(network);
        let moments = net.layers.iter().map(|layer| {
            [&layer.biases, &layer.weights].map(|weights| match method {
                Method::Sgd => Vec::new(),
                Method::Adam => vec![Moments::default(); weights.len()],
            })
        });
        Learner {
            tier,
            method,
            loss,
            moments: moments.collect(),
            net,
            steps: 0,
            forward: Forward::default(),
            errors: Vec::new(),
            gradient: Vec::new(),
            transposed_inputs: Sparse::new(),
            transposed_weights: Vec::new(),
        }
    }

    /// The net as it is.
    pub(crate) fn net(&self) -> &Padded {
        &self.net
    }

    /// Makes one step towards the targets of some positions, and returns the sum of their losses. `targets` has for each
    /// position a row as long as the net's rows of outputs, padded with 0.
    pub(crate) fn step(&mut self, inputs: &Sparse, targets: &[f32], rate: f64) -> f64 {
        self.net.forward(self.tier, inputs, &mut self.forward);
        let loss = self.loss(targets);
        self.go_back(targets);
        self.steps += 1;
        let step = Step::new(self.method, self.steps, rate, inputs.rows());
        self.go_down(inputs, step);
        loss
    }

    /// The loss of the last outputs, as it is reported: half the sum of the squared errors, or the cross-entropy beyond
    /// that of the targets themselves.
    fn loss(&self, targets: &[f32]) -> f64 {
        let squares = self.forward.outputs().iter().zip(targets);
        let squares = squares.map(|(&output, &target)| f64::from(output - target).powi(2));
        squares.sum::<f64>() / 2.0
    }

    /// Finds the errors of all layers.
    fn go_back(&mut self, targets: &[f32]) {
        let layers = &self.net.layers;
        self.errors.resize(layers.len(), Vec::new());
        let errors = self.errors.last_mut().expect("a net has a layer");
        errors.resize(targets.len(), 0.0);
        run_on(
            self.tier,
            OutputErrors {
                errors,
                outputs: self.forward.outputs(),
                targets,
                loss: self.loss,
            },
        );
        // Padded outputs are errors without a cause.
        let last = layers.last().expect("a net has a layer");
        for row in errors.chunks_exact_mut(last.columns) {
            row[last.units..].fill(0.0);
        }
        for number in (1..layers.len()).rev() {
            let layer = &layers[number];
            let (before, after) = self.errors.split_at_mut(number);
            let (errors, after) = (&mut before[number - 1], &after[0]);
            let activations = &self.forward.layers[number - 1];
            errors.clear();
            errors.resize(activations.len(), 0.0);
            layer.transpose_into(&mut self.transposed_weights);
            run_on(
                self.tier,
                AddProduct {
                    sums: errors,
                    left: Matrix {
                        values: after,
                        down: layer.columns,
                        right: 1,
                    },
                    right: &self.transposed_weights,
                    columns: layers[number - 1].columns,
                    inner: layer.units,
                },
            );
            run_on(
                self.tier,
                Slopes {
                    errors,
                    activations,
                    activation: self.net.activation,
                },
            );
        }
    }

    /// Moves all weights against the gradients.
    fn go_down(&mut self, inputs: &Sparse, step: Step) {
        let tier = self.tier;
        for (number, layer) in self.net.layers.iter_mut().enumerate() {
            let errors = &self.errors[number];
            let [of_biases, of_weights] = &mut self.moments[number];
            let gradient = &mut self.gradient;
            gradient.clear();
            gradient.resize(layer.columns, 0.0);
            run_on(
                tier,
                AddRows {
                    sum: gradient,
                    rows: errors,
                },
            );
            step.make(tier, &mut layer.biases, gradient, of_biases);
            gradient.clear();
            gradient.resize(layer.weights.len(), 0.0);
            if number > 0 {
                let rows = layer.weights.len() / layer.columns;
                run_on(
                    tier,
                    AddProduct {
                        sums: gradient,
                        left: Matrix {
                            values: &self.forward.layers[number - 1],
                            down: 1,
                            right: rows,
                        },
                        right: errors,
                        columns: layer.columns,
                        inner: errors.len() / layer.columns,
                    },
                );
                step.make(tier, &mut layer.weights, gradient, of_weights);
                continue;
            }
            self.transposed_inputs.transpose(inputs, layer.inputs);
            run_on(
                tier,
                SparseProduct {
                    sums: gradient,
                    first: &vec![0.0; layer.columns],
                    left: &self.transposed_inputs,
                    right: errors,
                    columns: layer.columns,
                },
            );
            step.make(tier, &mut layer.weights, gradient, of_weights);
        }
    }
}
