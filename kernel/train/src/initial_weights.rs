//! The first weights.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tavli_players::net::{Activation, Network};
use tavli_variants::nets as variants;

use crate::recipe::Shape;

/// About how many inputs of a position are not 0.
const INPUTS_IN_USE: f32 = 32.0;

/// About the variance of a hidden unit's activation between positions, around its mean of 1/2.
const VARIANCE: f32 = 1.0 / 16.0;

/// Draws the weights of a net evenly from an interval around 0. The interval is so wide that sums have a standard
/// deviation near 1 for logistic units, and near 1/4 for clipped units, which have biases of 1/2. After the first layer
/// the biases of hidden units make up for the means of the activations.
pub(crate) fn random_network(shape: &Shape, seed: u64) -> Network {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Shape { encoder, activation, outputs, ref hidden, .. } = *shape;
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
            // Its biases do not make up for means, so whole activations count, with squares near 1/4. Small sums begin
            // near the middle of the logistic function.
            _ if number == last => (inputs as f32 / 4.0, 0.1),
            _ => (inputs as f32 * VARIANCE, deviation),
        };
        // An even distribution has the standard deviation of half its width over the root of 3.
        let half = deviation * (3.0 / in_use).sqrt();
        for weight in &mut layer.weights {
            *weight = half * even(&mut generator);
        }
        if number < last {
            layer.biases.fill(bias);
        }
        if (1..last).contains(&number) {
            for input in 0..inputs {
                let outputs = layer.biases.len();
                let row = &layer.weights[input * outputs..][..outputs];
                for (bias, weight) in layer.biases.iter_mut().zip(row) {
                    *bias -= weight / 2.0;
                }
            }
        }
    }
    network
}

/// Draws the weights of a net of tables evenly, from the intervals of [`random_network`].
pub(crate) fn random_variant_net(encoder: variants::Encoder, units: usize, seed: u64) -> variants::Net {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut net = variants::Net::zero(encoder, units);
    let (inputs, columns) = (encoder.inputs(), net.columns());
    // Biases, which stand after these rows and units, are 0.
    for (rows, (in_use, deviation)) in
        net.weights_mut().into_iter().zip([(INPUTS_IN_USE, 1.0), (units as f32 / 4.0, 0.1)])
    {
        let half = deviation * (3.0 / in_use).sqrt();
        for row in rows.chunks_exact_mut(columns).take(inputs) {
            for weight in &mut row[..units] {
                *weight = half * even(&mut generator);
            }
        }
    }
    net
}

/// A number from -1 to 1, each as likely as any other.
fn even(generator: &mut Xoshiro256PlusPlus) -> f32 {
    // 24 bits, as many as the significand of a float has: nothing is rounded.
    (generator.next_u64() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::Board;
    use tavli_backgammon::board::Planes;
    use tavli_players::net::{Encoder, Outputs};

    /// The first outputs of deep nets differ from position to position, as the outputs of flat nets do.
    #[test]
    fn layers_pass_differences_on() {
        let boards = [
            Board::START,
            Board::from_position_id("4HPwATDgc/ABMA").expect("the start"),
            Board::from_position_id("tgAAQCsBAAAAAA").expect("a bear-off"),
            Board::from_position_id("AQAAAAAAAAAAAA").expect("a checker"),
        ];
        for activation in [Activation::Logistic, Activation::Clipped] {
            let spread = |hidden: &[usize]| {
                let shape = Shape {
                    encoder: Encoder::Raw196,
                    hidden: hidden.to_vec(),
                    activation,
                    outputs: Outputs::Cumulative,
                    from: None,
                };
                let net = random_network(&shape, 3);
                let of = boards.map(|board| net.outputs_of(&Planes::from(board))[0]);
                of.iter().copied().fold(f32::MIN, f32::max) - of.iter().copied().fold(f32::MAX, f32::min)
            };
            let (flat, deep) = (spread(&[256]), spread(&[256, 256, 256]));
            assert!(deep > flat / 4.0, "{activation:?}: {flat} {deep}");
        }
    }
}
