//! The first weights.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tavli_players::net::{Activation, Network};

use crate::recipe::Shape;

/// Inputs that are not 0 in a position, about.
const INPUTS_IN_USE: f32 = 32.0;

/// A net of a shape, whose weights are drawn evenly from an interval around 0. Its width is such that sums have a
/// standard deviation near 1 where hidden units are logistic, and near 1/4 where they are clipped, which begin at 1/2.
pub(crate) fn draw(shape: &Shape, seed: u64) -> Network {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Shape {
        encoder,
        activation,
        outputs,
        ref hidden,
        ..
    } = *shape;
    let mut network = Network::zero(encoder, activation, outputs, hidden);
    let (deviation, bias) = match activation {
        Activation::Clipped => (0.25, 0.5),
        _ => (1.0, 0.0),
    };
    let layers = network.layers_mut();
    let last = layers.len() - 1;
    for (number, layer) in layers.iter_mut().enumerate() {
        let inputs = layer.weights.len() / layer.outputs();
        let (in_use, deviation) = match number {
            0 => (INPUTS_IN_USE, deviation),
            _ if number == last => (inputs as f32 / 4.0, 0.1),
            _ => (inputs as f32 / 4.0, deviation),
        };
        if number < last {
            layer.biases.fill(bias);
        }
        // An even distribution has the standard deviation of half its width over the root of 3.
        let half = deviation * (3.0 / in_use).sqrt();
        for weight in &mut layer.weights {
            let fraction = (generator.next_u64() >> 40) as f32 / (1_u32 << 23) as f32;
            *weight = half * (fraction - 1.0);
        }
    }
    network
}
