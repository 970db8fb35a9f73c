//! Random nets, and the decisions of games.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use tavli_backgammon::playout::Throw;
use tavli_backgammon::plays::View;
use tavli_backgammon::stepping::{Games, RollBatch};
use tavli_backgammon::{Playouts, RuleSet};
use tavli_players::net::{Activation, Encoder, Network, Outputs};

/// Numbers from -1 to 1.
fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut random = SplitMix64::seed_from_u64(seed);
    move || random.next_u32() as f32 / (1_u64 << 31) as f32 - 1.0
}

/// A net with random weights and sums as large as a trained net's.
pub(crate) fn random_net(
    encoder: Encoder,
    activation: Activation,
    outputs: Outputs,
    hidden: &[usize],
    seed: u64,
) -> Network {
    let mut net = Network::zero(encoder, activation, outputs, hidden);
    let mut number = numbers(seed);
    for (layer, weights) in net.layers_mut().iter_mut().enumerate() {
        let inputs = weights.weights.len() / weights.outputs();
        let size = if layer == 0 { 0.5 } else { 3.0 / (inputs as f32).sqrt() };
        for weight in weights.weights.iter_mut().chain(&mut weights.biases) {
            *weight = size * number();
        }
    }
    net
}

/// Calls `look` with the decisions of each ply of some games of uniform players.
pub(crate) fn play(rules: RuleSet, games: u64, mut look: impl FnMut(&RollBatch)) {
    let playouts = Playouts::new(rules.start(), rules, 5).expect("a game");
    let mut games = Games::new(&playouts, 0..games, 7);
    let mut picks = Vec::new();
    while !games.is_empty() {
        let decisions = games.roll_for(View { results: true, changes: true });
        look(decisions);
        picks.clear();
        let throws = decisions.rolls().iter().zip(decisions.fractions());
        picks.extend(
            throws.enumerate().map(|(decision, (&roll, &fraction))| {
                Throw { roll, fraction }.draw(decisions.plays_of(decision)) as u32
            }),
        );
        games.make(&picks).expect("indices of plays");
    }
}
