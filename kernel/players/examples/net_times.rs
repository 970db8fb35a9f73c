//! The cost of a ply by the built-in players, and by untrained nets of several sizes on each tier, compared with
//! pubeval. Columns are nanoseconds a ply, the part of them that the pick took, and plays a ply. Each is the least of
//! five runs. Untrained nets have a unit that counts pips, so that games are about as long as the players'.
//!
//! `cargo run --release -p tavli-players --example net_times`

use std::sync::Arc;

use tavli_backgammon::policies::{Observer, Policy, PolicyPair, PolicyStage, PolicyTimes, Pubeval, Uniform};
use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
use tavli_players::named;
use tavli_players::net::{Activation, Encoder, IntegerNetwork, NetPlayer, Network, Outputs, Point};

/// Games of a run.
const GAMES: u64 = 500;

/// A net of small random weights, except for a first hidden unit that counts pips.
fn net(activation: Activation, hidden: &[usize]) -> Network {
    let encoder = Encoder::Raw196;
    let mut net = Network::zero(encoder, activation, Outputs::Cumulative, hidden);
    let mut state = 1_u32;
    for layer in net.layers_mut() {
        for weight in &mut layer.weights {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *weight = state.cast_signed() as f32 / (1_u64 << 31) as f32 / 100.0;
        }
    }
    let (first, others) = net.layers_mut().split_first_mut().expect("a layer");
    let units = first.outputs();
    for point in Point::all() {
        let pips = match point {
            Point::Own(point) => -f32::from(point),
            Point::Opponent(point) => f32::from(point),
            Point::OwnOff | Point::OpponentOff => 0.0,
        };
        encoder.point(point, 4, |input, value| {
            first.weights[input * units] = pips * value.ceil() / 1000.0;
        });
    }
    first.biases[0] = 0.5;
    for layer in others {
        layer.weights[0] = 4.0;
        layer.biases[0] = -1.5;
    }
    net
}

/// Prints the times of a policy on a tier.
fn time(name: &str, policy: Arc<dyn Policy>, tier: Tier) {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("a game");
    let players = PolicyPair::alike(policy);
    let runs = (0..5).map(|_| {
        let mut times = PolicyTimes::default();
        let results = players
            .run_observed(&playouts, tier, 0..GAMES, Observer::timing(&mut times), NO_STOP)
            .expect("nothing stops it");
        let plies = results.tally.plies as f64;
        let all: f64 = PolicyStage::ALL.iter().map(|&stage| times.time_of(stage).as_secs_f64()).sum();
        let pick = times.time_of(PolicyStage::Pick).as_secs_f64();
        let plays = results.tally.plays as f64 / plies;
        [all * 1e9 / plies, pick * 1e9 / plies, plays]
    });
    let [all, pick, plays] = runs.min_by(|a, b| a[0].total_cmp(&b[0])).expect("a run");
    println!("{name:<36} {all:9.0} {pick:9.0} {plays:6.1}");
}

fn main() {
    println!("{:<36} {:>9} {:>9} {:>6}", "policy", "ns a ply", "pick", "plays");
    time("pubeval", Arc::new(Pubeval), Tier::best());
    for name in named::names().filter(|&name| name != Pubeval::NAME && name != Uniform::NAME) {
        let player = named::policy(name).expect("a built-in player");
        time(name, player, Tier::best());
    }
    let sizes: [(Activation, &[usize]); 6] = [
        (Activation::Logistic, &[80]),
        (Activation::Clipped, &[80]),
        (Activation::Clipped, &[128]),
        (Activation::Clipped, &[256]),
        (Activation::Clipped, &[256, 32]),
        (Activation::Clipped, &[256, 256, 256]),
    ];
    for (activation, hidden) in sizes {
        let net = IntegerNetwork::new(&net(activation, hidden)).expect("small weights");
        for &tier in Tier::available() {
            let name = format!("{} {hidden:?} {tier}", activation.name());
            time(&name, Arc::new(NetPlayer::new(&name, net.clone())), tier);
        }
    }
}
