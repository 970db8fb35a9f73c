//! A net that learns.

use tavli_backgammon::Stopped;
use tavli_players::net::Network;
use tavli_run::Cancel;
use tavli_simd::Tier;

use super::gradient::Gradient;
use super::minibatch_part::MinibatchPart;
use super::optimiser::{Moments, OptimiserStep};
use super::padded::{PaddedLayer, PaddedNet};
use crate::examples::Examples;
use crate::recipe::{Loss, Method};

/// A net, and the state of its optimiser.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    pub(crate) tier: Tier,
    pub(crate) loss: Loss,
    method: Method,
    net: PaddedNet,
    /// For each layer the moments of the biases and of the weights; empty if the method has no moments.
    pub(crate) moments: Vec<[Vec<Moments>; 2]>,
    /// Steps made.
    pub(crate) steps: u64,
}

impl Learner {
    pub(crate) fn new(tier: Tier, method: Method, loss: Loss, network: &Network) -> Learner {
        let net = PaddedNet::new(network);
        let moments = net.layers.iter().map(|layer| {
            [&layer.biases, &layer.weights].map(|weights| match method {
                Method::Sgd => Vec::new(),
                Method::Adam => vec![Moments::default(); weights.len()],
            })
        });
        Learner { tier, method, loss, moments: moments.collect(), net, steps: 0 }
    }

    /// The net as it is now.
    pub(crate) fn net(&self) -> &PaddedNet {
        &self.net
    }

    /// Whether gradients use activations minus their means; [`Method::Adam`] says why.
    pub(crate) fn is_centred(&self) -> bool {
        self.method == Method::Adam
    }

    /// Makes a step on this thread. Returns the sum of the losses before the step, as
    /// [`MinibatchPart::forward_backward`] does; if that is `None`, the weights stay.
    ///
    /// # Errors
    /// [`Stopped`] if it is cancelled before the weights move.
    pub(crate) fn step(
        &mut self,
        room: &mut (MinibatchPart, Gradient),
        examples: &Examples,
        numbers: &[u32],
        rate: f64,
        cancel: &Cancel,
    ) -> Result<Option<u64>, Stopped> {
        let (part, gradient) = room;
        let loss = part.forward_backward(self.tier, (&self.net, self.loss), examples, numbers, cancel)?;
        if loss.is_some() {
            let parts = [&*part].into_iter();
            gradient.sum(self.tier, &self.net, (0, 1), self.is_centred(), parts, cancel)?;
            self.descend([&*gradient].into_iter(), numbers.len(), rate);
        }
        Ok(loss)
    }

    /// Moves all weights against the gradients of a minibatch, given by shares of the rows.
    pub(crate) fn descend<'a>(&mut self, shares: impl Iterator<Item = &'a Gradient>, positions: usize, rate: f64) {
        debug_assert!(positions > 0, "a minibatch has positions");
        self.steps += 1;
        let step = OptimiserStep::new(self.method, self.steps, rate, positions);
        let moved = |layer: &PaddedLayer| vec![0.0; layer.columns];
        let mut moved: Vec<Vec<f32>> = self.net.layers.iter().map(moved).collect();
        for (number, share) in shares.enumerate() {
            let layers = self.net.layers.iter_mut().zip(&mut self.moments);
            let layers = layers.zip(&mut moved).zip(&share.layers);
            for (((layer, [of_biases, of_weights]), moved), gradient) in layers {
                // Every share has the gradients of all biases, but a bias makes one step: with share 0. (The share that
                // begins at row 0 would not do: with more shares than rows, several begin there.)
                if number == 0 {
                    step.make(self.tier, &mut layer.biases, &gradient.biases, of_biases);
                }
                let rows = gradient.rows.start * layer.columns..gradient.rows.end * layer.columns;
                let of_rows = match of_weights.is_empty() {
                    true => &mut [],
                    false => &mut of_weights[rows.clone()],
                };
                let weights = &mut layer.weights[rows];
                match &gradient.means {
                    None => step.make(self.tier, weights, &gradient.weights, of_rows),
                    Some(means) => {
                        let gradients = (&gradient.weights[..], &gradient.biases[..]);
                        step.make_centred(self.tier, weights, gradients, of_rows, (means, moved));
                    }
                }
            }
        }
        // Only a bias's own step may move a sum at the mean activations. So biases take back what the steps of weights
        // add to that sum.
        for (layer, moved) in self.net.layers.iter_mut().zip(&moved) {
            for (bias, moved) in layer.biases.iter_mut().zip(moved) {
                *bias -= moved;
            }
        }
    }
}
