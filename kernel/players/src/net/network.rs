//! A net in 32-bit floats.

use tavli_backgammon::RuleSet;
use tavli_backgammon::board::Planes;
use tavli_backgammon::evaluators::{OutcomeSet, Probabilities};
use tavli_simd::logistic;
use thiserror::Error;

use crate::net::activation::Activation;
use crate::net::encoder::Encoder;
use crate::net::outputs::Outputs;

/// A net in 32-bit floats: encoded positions in, probabilities out, and any number of hidden layers between.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    encoder: Encoder,
    activation: Activation,
    outputs: Outputs,
    layers: Vec<Layer>,
}

/// The weights between one layer of units and the next.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// Added to the sum of each unit that the layer feeds.
    pub biases: Vec<f32>,
    /// A row for each input of the layer: its weight in the sum of each unit that the layer feeds.
    pub weights: Vec<f32>,
}

/// Layers that do not fit together.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("layer {layer} has {found} weights and biases; {inputs} units before it and {outputs} in it make {expected}")]
pub struct ShapeError {
    /// Which layer, from 1 on.
    pub layer: usize,
    /// The inputs that it should have.
    pub inputs: usize,
    /// The units that it should feed.
    pub outputs: usize,
    /// The weights and biases that it has.
    pub found: usize,
    /// The weights and biases that it should have.
    pub expected: usize,
}

impl Layer {
    /// A layer whose weights and biases are 0.
    #[must_use]
    pub fn zero(inputs: usize, outputs: usize) -> Layer {
        Layer { biases: vec![0.0; outputs], weights: vec![0.0; inputs * outputs] }
    }

    /// The number of units that the layer feeds.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.biases.len()
    }

    /// The weights of an input.
    #[must_use]
    #[inline]
    pub fn row(&self, input: usize) -> &[f32] {
        &self.weights[input * self.outputs()..][..self.outputs()]
    }

    /// Adds an input times its weights to the sums.
    #[inline]
    fn add(&self, sums: &mut [f32], input: usize, value: f32) {
        for (sum, &weight) in sums.iter_mut().zip(self.row(input)) {
            *sum += value * weight;
        }
    }
}

impl Network {
    /// A net of `layers`, the first one fed by the encoder's inputs.
    ///
    /// # Errors
    /// [`ShapeError`] names the first layer that does not fit the one before, or the outputs.
    pub fn new(
        encoder: Encoder,
        activation: Activation,
        outputs: Outputs,
        layers: Vec<Layer>,
    ) -> Result<Network, ShapeError> {
        let mut inputs = encoder.inputs();
        for (number, layer) in (1..).zip(&layers) {
            let units = if number == layers.len() { outputs.count() } else { layer.outputs() };
            let expected = (inputs + 1) * units;
            let found = layer.biases.len() + layer.weights.len();
            if found != expected || layer.outputs() != units {
                return Err(ShapeError { layer: number, inputs, outputs: units, found, expected });
            }
            inputs = units;
        }
        assert!(!layers.is_empty(), "a net has a layer");
        Ok(Network { encoder, activation, outputs, layers })
    }

    /// A net with `hidden` units in its hidden layers and all weights 0.
    #[must_use]
    pub fn zero(encoder: Encoder, activation: Activation, outputs: Outputs, hidden: &[usize]) -> Network {
        let mut units = vec![encoder.inputs()];
        units.extend(hidden);
        units.push(outputs.count());
        let layers = units.windows(2).map(|pair| Layer::zero(pair[0], pair[1]));
        Network { encoder, activation, outputs, layers: layers.collect() }
    }

    /// How positions become inputs.
    #[must_use]
    pub fn encoder(&self) -> Encoder {
        self.encoder
    }

    /// The activation function of hidden units.
    #[must_use]
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// The meaning of the outputs.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        self.outputs
    }

    /// The layers, from the inputs to the outputs.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The layers. Their weights may be changed, but not their number.
    pub fn layers_mut(&mut self) -> &mut [Layer] {
        &mut self.layers
    }

    /// The outputs, each 0..=1, for a position in which the game goes on, seen by the player about to roll: the plain
    /// specification of every faster evaluation.
    #[must_use]
    pub fn outputs_of(&self, position: &Planes) -> Vec<f32> {
        let (first, others) = self.layers.split_first().expect("a net has a layer");
        let mut sums = first.biases.clone();
        self.encoder.encode(position, |input, value| first.add(&mut sums, input, value));
        for layer in others {
            let mut next = layer.biases.clone();
            for (input, &sum) in sums.iter().enumerate() {
                layer.add(&mut next, input, self.activation.apply(sum));
            }
            sums = next;
        }
        sums.into_iter().map(logistic).collect()
    }

    /// The probabilities of the outcomes for a position in which the game goes on. Outcomes that the rules exclude
    /// have the probability 0.
    #[must_use]
    pub fn probabilities(&self, rules: RuleSet, position: &Planes) -> Probabilities {
        let possible = OutcomeSet::possible(rules, position);
        self.outputs.probabilities_among(possible, &self.outputs_of(position))
    }
}
