//! Nets in integers: every tier against the plain specification, and that against the net in floats.

mod support;

use support::{play, random_net};
use tavli_backgammon::evaluators::{Conditions, Evaluator, Probabilities};
use tavli_backgammon::{Board, Planes, RuleSet, Stopped, Tier, Win};
use tavli_players::net::{
    Activation, Encoder, IntegerError, IntegerNetwork, NetPlayer, Network, Outputs, PlayerFile,
};

/// Nets of all kinds and of sizes on both sides of a vector's.
fn nets() -> Vec<Network> {
    use Activation::{Clipped, Logistic};
    use Encoder::{Raw196, Raw198};
    use Outputs::{Cumulative, Doubles};
    let kinds: [(_, _, _, &[usize]); 8] = [
        (Raw198, Logistic, Cumulative, &[80]),
        (Raw196, Clipped, Cumulative, &[128]),
        (Raw198, Clipped, Doubles, &[33]),
        (Raw196, Logistic, Doubles, &[1]),
        (Raw196, Clipped, Cumulative, &[64, 40]),
        (Raw196, Clipped, Cumulative, &[31, 97, 65]),
        (Raw198, Logistic, Doubles, &[40, 20]),
        (Raw196, Logistic, Cumulative, &[16, 33, 1]),
    ];
    (1..)
        .zip(kinds)
        .map(|(seed, (encoder, activation, outputs, hidden))| {
            random_net(encoder, activation, outputs, hidden, seed)
        })
        .collect()
}

/// The equity of outputs, without looking at how the crate makes it.
fn equity(outputs: Outputs, rules: RuleSet, values: &[f32]) -> f32 {
    let (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon) = match outputs {
        Outputs::Cumulative => (values[0], values[1], values[2], values[3], values[4]),
        _ => (values[0], values[1], 0.0, values[2], 0.0),
    };
    let win_gammon = win_gammon.min(win);
    let lose_gammon = lose_gammon.min(1.0 - win);
    let gammons = win_gammon - lose_gammon;
    let backgammons = win_backgammon.min(win_gammon) - lose_backgammon.min(lose_gammon);
    let mut equity = 2.0 * win - 1.0;
    if rules.most() > Win::Single {
        equity += gammons;
    }
    if rules.most() > Win::Gammon {
        equity += backgammons;
    }
    equity
}

/// The value of each play of a decision for its player, from scratch.
fn plain_values(net: &IntegerNetwork, rules: RuleSet, results: &[Planes]) -> Vec<f32> {
    let value = |result: &Planes| {
        let board = Board::from(*result);
        match rules.outcome(&board) {
            Some(end) => -end.points() as f32,
            None => -equity(net.outputs(), rules, &net.outputs_of(result)),
        }
    };
    results.iter().map(value).collect()
}

#[test]
fn every_tier_ranks_as_the_specification() {
    for (number, net) in nets().iter().enumerate() {
        let net = IntegerNetwork::new(net).expect("it fits");
        let (mut values, mut picks) = (Vec::new(), Vec::new());
        for &rules in RuleSet::ALL {
            play(rules, 2, |decisions| {
                picks.resize(decisions.len(), 0);
                for &tier in Tier::available() {
                    net.rank(tier, decisions, &mut values);
                    net.pick(tier, decisions, &mut picks);
                    for decision in 0..decisions.len() {
                        let results = decisions.results_of(decision);
                        let plain = plain_values(&net, rules, results);
                        let plays =
                            decisions.offsets()[decision]..decisions.offsets()[decision + 1];
                        let place = || format!("net {number}, {rules}, {tier}, {results:?}");
                        assert_eq!(values[plays], plain, "{}", place());
                        let largest = plain.iter().copied().fold(f32::MIN, f32::max);
                        let first = plain.iter().position(|&value| value == largest);
                        assert_eq!(Some(picks[decision] as usize), first, "{}", place());
                    }
                }
            });
        }
    }
}

#[test]
fn every_tier_evaluates_as_the_specification() {
    let unknown = Probabilities::certain(tavli_backgammon::Outcome::WinSingle);
    for net in &nets() {
        let net = IntegerNetwork::new(net).expect("it fits");
        for &rules in RuleSet::ALL {
            play(rules, 1, |decisions| {
                let positions = decisions.positions();
                let mut values = vec![unknown; positions.len()];
                for &tier in Tier::available() {
                    net.evaluate(rules, tier, positions, &mut values);
                    for (position, value) in positions.iter().zip(&values) {
                        let outputs = net.outputs_of(position);
                        let plain = net.outputs().probabilities_under(rules, &outputs);
                        assert_eq!(*value, plain, "{rules}, {tier}");
                        let equity = equity(net.outputs(), rules, &outputs);
                        assert!((value.equity() - f64::from(equity)).abs() < 1e-5);
                    }
                }
            });
        }
    }
}

#[test]
fn integers_are_near_the_floats() {
    for (number, net) in nets().iter().enumerate() {
        let integer = IntegerNetwork::new(net).expect("it fits");
        let (mut largest, mut squares, mut positions) = (0.0_f32, 0.0, 0);
        for &rules in RuleSet::ALL {
            play(rules, 4, |decisions| {
                for position in decisions.positions() {
                    let (found, exact) = (integer.outputs_of(position), net.outputs_of(position));
                    for (found, exact) in found.iter().zip(exact) {
                        let error = (found - exact).abs();
                        largest = largest.max(error);
                        squares += f64::from(error * error);
                        positions += 1;
                    }
                }
            });
        }
        let rms = (squares / f64::from(positions)).sqrt();
        println!("net {number}: at most {largest}, rms {rms}");
        assert!(
            largest < 0.005 && rms < 0.001,
            "net {number}: at most {largest}, rms {rms}"
        );
    }
}

#[test]
fn the_largest_sums_fit() {
    // All weights of a unit at their extremes, so that fifteen checkers on the best place reach the bound.
    let mut net = Network::zero(
        Encoder::Raw198,
        Activation::Clipped,
        Outputs::Cumulative,
        &[4],
    );
    let first = &mut net.layers_mut()[0];
    for (at, weight) in first.weights.iter_mut().enumerate() {
        *weight = [500.0, -500.0, 1e-6, 0.0][at % 4];
    }
    let net = IntegerNetwork::new(&net).expect("it fits");
    for board in [Board::START, RuleSet::Longgammon.start()] {
        assert_eq!(net.outputs_of(&Planes::from(board)), [0.5; 5]);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let net = || {
        Network::zero(
            Encoder::Raw196,
            Activation::Clipped,
            Outputs::Cumulative,
            &[3, 4],
        )
    };
    let refused = |layer: usize, at: usize, weight: f32| {
        let mut net = net();
        net.layers_mut()[layer].weights[at] = weight;
        IntegerNetwork::new(&net).expect_err("it does not fit")
    };
    for (layer, at, weight, place) in [
        (0, 2, 40_000.0, (1, 3)),
        (1, 5, 5_000.0, (2, 2)),
        (2, 0, -5_000.0, (3, 1)),
        (0, 0, f32::NAN, (1, 1)),
        (1, 0, f32::INFINITY, (2, 1)),
        (2, 1, f32::NAN, (3, 2)),
    ] {
        let error = refused(layer, at, weight);
        let IntegerError::Range { layer, unit, .. } = error else {
            panic!("{error}");
        };
        assert_eq!((layer, unit), place, "{error}");
    }
    let shallow = Network::zero(
        Encoder::Raw196,
        Activation::Clipped,
        Outputs::Cumulative,
        &[],
    );
    assert_eq!(
        IntegerNetwork::new(&shallow).unwrap_err(),
        IntegerError::NoHiddenLayer
    );
    assert!(IntegerNetwork::new(&net()).is_ok());
}

/// Values as a player does, and knows no faster way to the best plays.
#[derive(Debug)]
struct Plainly(NetPlayer);

impl Evaluator for Plainly {
    fn name(&self) -> &str {
        "plainly"
    }

    fn evaluate(
        &self,
        conditions: &Conditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        self.0.evaluate(conditions, positions, values)
    }
}

#[test]
fn the_best_plays_are_those_of_all_values() {
    for net in &nets() {
        let net = IntegerNetwork::new(net).expect("it fits");
        let plainly = Plainly(NetPlayer::new("net", net));
        for &rules in RuleSet::ALL {
            play(rules, 1, |decisions| {
                for &tier in Tier::available() {
                    let conditions = Conditions::new(rules, tier);
                    let expected = plainly.best_plays(&conditions, decisions);
                    let found = plainly.0.best_plays(&conditions, decisions);
                    assert_eq!(found, expected, "{rules}, {tier}");
                }
            });
        }
    }
}

/// The best of some plays by a net in floats.
fn best(net: &Network, rules: RuleSet, results: &[Planes]) -> usize {
    let value = |result: &Planes| match rules.outcome(&Board::from(*result)) {
        Some(end) => -f64::from(end.points()),
        None => -net.probabilities(result).equity(),
    };
    let values = (0..).zip(results.iter().map(value));
    let best = values.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    best.expect("there is a play").0
}

/// The nets of the built-in players in integers, and in 16-bit floats, play as those in 32-bit floats do.
#[test]
fn twins_play_alike() {
    for bytes in [
        &include_bytes!("../players/td80.player")[..],
        include_bytes!("../players/fast.player"),
        include_bytes!("../players/strong.player"),
    ] {
        let net = PlayerFile::read(bytes).expect("a player").net;
        let integers = IntegerNetwork::new(&net).expect("it fits");
        let halves = net.in_16_bits();
        let rules = RuleSet::Backgammon;
        let mut picks = Vec::new();
        let (mut decisions_seen, mut same) = (0, [0; 2]);
        let mut squares = [0.0; 2];
        play(rules, 2, |decisions| {
            picks.resize(decisions.len(), 0);
            integers.pick(Tier::best(), decisions, &mut picks);
            for (decision, &pick) in picks.iter().enumerate() {
                let results = decisions.results_of(decision);
                let of_floats = best(&net, rules, results);
                let of_twins = [pick as usize, best(&halves, rules, results)];
                decisions_seen += 1;
                for (same, of_twin) in same.iter_mut().zip(of_twins) {
                    *same += usize::from(of_twin == of_floats);
                }
                let position = &decisions.positions()[decision];
                let exact = net.probabilities(position).equity();
                let in_integers = integers
                    .outputs()
                    .probabilities(&integers.outputs_of(position));
                for (squares, twin) in squares
                    .iter_mut()
                    .zip([in_integers, halves.probabilities(position)])
                {
                    *squares += (twin.equity() - exact).powi(2);
                }
            }
        });
        let rms = squares.map(|squares| (squares / decisions_seen as f64).sqrt());
        println!("{decisions_seen} decisions, the same {same:?}, rms of equities {rms:?}");
        assert!(rms.iter().all(|&rms| rms < 0.002), "{rms:?}");
        assert!(
            same.iter().all(|&same| same * 100 >= 97 * decisions_seen),
            "{same:?} of {decisions_seen}"
        );
    }
}
