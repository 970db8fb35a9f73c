//! The nets of training against the plain [`Network`].

use std::thread;
use std::time::{Duration, Instant};

use tavli_backgammon::board::Planes;
use tavli_backgammon::playout::Throw;
use tavli_backgammon::stepping::Games;
use tavli_backgammon::{Board, Playouts, RuleSet, Stopped, Tier};
use tavli_players::net::{Activation, Encoder, Network, Outputs};
use tavli_run::Cancel;

use super::{ForwardPass, Gradient, Learner, MinibatchPart, PaddedNet};
use crate::examples::Examples;
use crate::initial_weights::random_network;
use crate::recipe::{Loss, Method, Shape};

/// Positions of uniform play.
fn positions() -> Vec<Planes> {
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 3).expect("the start");
    let mut games = Games::new(&playouts, 0..40, 8);
    let mut positions = Vec::new();
    while !games.is_empty() {
        let decisions = games.roll();
        positions.extend_from_slice(decisions.positions());
        let throws = decisions.rolls().iter().zip(decisions.fractions()).enumerate();
        let picks: Vec<u32> = throws
            .map(|(at, (&roll, &fraction))| Throw { roll, fraction }.draw(decisions.plays_of(at)) as u32)
            .collect();
        games.make(&picks).expect("plays");
    }
    positions.into_iter().step_by(61).collect()
}

fn nets() -> Vec<Network> {
    let mut nets = Vec::new();
    for &encoder in Encoder::ALL {
        for &activation in Activation::ALL {
            for &outputs in Outputs::ALL {
                for hidden in [vec![80], vec![20, 7], vec![33, 16, 65]] {
                    let shape = Shape { encoder, hidden, activation, outputs, from: None };
                    nets.push(random_network(&shape, 5));
                }
            }
        }
    }
    nets
}

fn examples(net: &Network) -> Examples {
    let positions = positions();
    let row = PaddedNet::new(net).row();
    let mut targets = vec![0.0; positions.len() * row];
    for (number, target) in targets.chunks_mut(row).enumerate() {
        for (output, target) in target[..net.outputs().count()].iter_mut().enumerate() {
            *target = ((7 * number + 3 * output) % 13) as f32 / 13.0;
        }
    }
    Examples { positions, targets, games: Vec::new() }
}

/// The loss that training minimises, by the plain net, with outputs in double precision.
fn plain_loss(net: &Network, loss: Loss, examples: &Examples) -> f64 {
    let of_position = |number| {
        let (position, targets) = examples.get(number);
        let outputs = net.outputs_of(position);
        let pairs = outputs.iter().zip(targets);
        let pairs = pairs.map(|(&output, &target)| (f64::from(output), f64::from(target)));
        let squares = |pairs: &[(f64, f64)]| {
            let squares = pairs.iter().map(|(output, target)| (output - target).powi(2));
            squares.sum::<f64>() / 2.0
        };
        let pairs: Vec<_> = pairs.collect();
        match loss {
            Loss::Squared => squares(&pairs),
            Loss::CrossEntropy => {
                let entropies =
                    pairs.iter().map(|(output, target)| -target * output.ln() - (1.0 - target) * (1.0 - output).ln());
                entropies.sum()
            }
            Loss::Equity => {
                let equity = |of: fn(&(f64, f64)) -> f64| {
                    let values: Vec<f64> = pairs.iter().map(of).collect();
                    match (net.outputs(), &values[..]) {
                        (Outputs::Cumulative, [w, w2, w3, l2, l3]) => 2.0 * w - 1.0 + w2 + w3 - l2 - l3,
                        (Outputs::Doubles, [w, w2, l2]) => 2.0 * w - 1.0 + w2 - l2,
                        other => panic!("{other:?}"),
                    }
                };
                let difference = equity(|pair| pair.0) - equity(|pair| pair.1);
                difference.powi(2) / 2.0 + squares(&pairs)
            }
        }
    };
    (0..examples.len()).map(of_position).sum()
}

#[test]
fn outputs_are_those_of_the_plain_net_and_alike_on_every_tier() {
    let positions = positions();
    for net in nets() {
        let padded = PaddedNet::new(&net);
        assert!(padded.to_network() == net);
        let inputs = padded.inputs(&positions);
        let mut first: Option<Vec<f32>> = None;
        for &tier in Tier::available() {
            let mut forward = ForwardPass::default();
            let done = padded.forward(tier, &inputs, &mut forward, &Cancel::new());
            done.expect("nothing stops it");
            let rows = forward.outputs().chunks_exact(padded.row());
            for (position, outputs) in positions.iter().zip(rows) {
                let plain = net.outputs_of(position);
                for (a, b) in plain.iter().zip(outputs) {
                    assert!((a - b).abs() < 1e-5, "{a} {b}");
                }
            }
            let outputs = forward.outputs().to_vec();
            assert_eq!(*first.get_or_insert_with(|| outputs.clone()), outputs, "{tier}");
        }
    }
}

/// A step of gradient descent moves each weight by the slope of the loss, as differences of the loss measure it.
#[test]
fn steps_follow_the_slopes_of_the_loss() {
    let rate = 1e-2;
    for net in nets() {
        if net.activation() == Activation::Clipped {
            continue; // its slope has jumps
        }
        for loss in [Loss::Squared, Loss::CrossEntropy, Loss::Equity] {
            let examples = examples(&net);
            let numbers: Vec<u32> = (0..examples.len() as u32).collect();
            let mut learner = Learner::new(Tier::best(), Method::Sgd, loss, &net);
            let mut room = (MinibatchPart::default(), Gradient::default());
            learner.step(&mut room, &examples, &numbers, rate, &Cancel::new()).expect("nothing stops it");
            let moved = learner.net().to_network();
            for layer in 0..net.layers().len() {
                let weights = net.layers()[layer].weights.len();
                for weight in [0, weights / 3, weights / 2, weights - 1] {
                    let slope = difference(&net, loss, &examples, |net| &mut net.layers_mut()[layer].weights[weight]);
                    let of = |net: &Network| f64::from(net.layers()[layer].weights[weight]);
                    let step = (of(&net) - of(&moved)) / rate * examples.len() as f64;
                    assert!((step - slope).abs() < 0.02 + 0.02 * slope.abs(), "{step} {slope}");
                }
                let slope = difference(&net, loss, &examples, |net| &mut net.layers_mut()[layer].biases[0]);
                let of = |net: &Network| f64::from(net.layers()[layer].biases[0]);
                let step = (of(&net) - of(&moved)) / rate * examples.len() as f64;
                assert!((step - slope).abs() < 0.02 + 0.02 * slope.abs(), "{step} {slope}");
            }
        }
    }
}

/// The slope of the loss in a weight.
fn difference(net: &Network, loss: Loss, examples: &Examples, weight: impl Fn(&mut Network) -> &mut f32) -> f64 {
    let by = 1e-2;
    let at = |change: f32| {
        let mut net = net.clone();
        *weight(&mut net) += change;
        plain_loss(&net, loss, examples)
    };
    (at(by) - at(-by)) / (2.0 * f64::from(by))
}

/// Adam's steps against its definition in double precision, in the first layer: its inputs are not centred.
#[test]
fn adam_is_that_of_its_authors() {
    let net = &nets()[0];
    let examples = examples(net);
    let numbers: Vec<u32> = (0..examples.len() as u32).collect();
    let rate = 1e-3;
    let mut learner = Learner::new(Tier::best(), Method::Adam, Loss::Squared, net);
    let (mut mean, mut square) = (0.0, 0.0);
    let mut expected = f64::from(net.layers()[0].biases[0]);
    for step in 1..=5 {
        let now = learner.net().to_network();
        let mut room = (MinibatchPart::default(), Gradient::default());
        let mut descent = Learner::new(Tier::best(), Method::Sgd, Loss::Squared, &now);
        descent.step(&mut room, &examples, &numbers, 1.0, &Cancel::new()).expect("nothing stops it");
        let bias = |net: &Network| f64::from(net.layers()[0].biases[0]);
        let gradient = bias(&now) - bias(&descent.net().to_network());
        mean = 0.9 * mean + 0.1 * gradient;
        square = 0.999 * square + 0.001 * gradient * gradient;
        let corrected = mean / (1.0 - 0.9_f64.powi(step));
        let root = (square / (1.0 - 0.999_f64.powi(step))).sqrt();
        expected -= rate * corrected / (root + 1e-8);
        learner.step(&mut room, &examples, &numbers, rate, &Cancel::new()).expect("nothing stops it");
        assert!((bias(&learner.net().to_network()) - expected).abs() < 1e-5);
    }
}

/// After the first layer, weights follow the differences of activations from their means. So the first step of a unit's
/// weights, each as large as the rate, leaves the unit's sum at the means where the step of its bias has moved it.
#[test]
fn adam_moves_sums_at_the_mean_activations_by_the_biases_alone() {
    let rate = 1e-3;
    for net in &nets() {
        let examples = examples(net);
        let numbers: Vec<u32> = (0..examples.len() as u32).collect();
        let mut learner = Learner::new(Tier::best(), Method::Adam, Loss::CrossEntropy, net);
        let mut room = (MinibatchPart::default(), Gradient::default());
        learner.step(&mut room, &examples, &numbers, rate, &Cancel::new()).expect("nothing stops it");
        let moved = learner.net().to_network();
        let inputs = learner.net().inputs(&examples.positions);
        let mut forward = ForwardPass::default();
        let done = PaddedNet::new(net).forward(Tier::best(), &inputs, &mut forward, &Cancel::new());
        done.expect("nothing stops it");
        for number in 1..net.layers().len() {
            let rows = forward.layers[number - 1].len() / examples.len();
            let mean = |unit: usize| {
                let activations = forward.layers[number - 1].iter().skip(unit).step_by(rows);
                activations.map(|&one| f64::from(one)).sum::<f64>() / examples.len() as f64
            };
            let [before, after] = [net, &moved].map(|net| &net.layers()[number]);
            for unit in 0..before.outputs() {
                let weights = before.weights.iter().zip(&after.weights);
                let steps = weights.skip(unit).step_by(before.outputs());
                let steps: Vec<f64> = steps.map(|(a, b)| f64::from(b - a)).collect();
                assert!(steps.iter().all(|step| step.abs() < 1.01 * rate));
                let of_weights: f64 = (0..).zip(&steps).map(|(one, step)| mean(one) * step).sum();
                let of_bias = f64::from(after.biases[unit] - before.biases[unit]);
                let moved = (of_weights + of_bias).abs();
                assert!(moved < 1.01 * rate + 1e-6, "{moved}");
            }
        }
    }
}

/// A layer of few units has fewer rows than a machine has workers.
#[test]
fn weights_depend_on_no_number_of_shares() {
    for method in [Method::Sgd, Method::Adam] {
        let net = &nets()[1];
        let examples = examples(net);
        let numbers: Vec<u32> = (0..examples.len() as u32).collect();
        let learned = |shares: usize| {
            let mut learner = Learner::new(Tier::best(), method, Loss::CrossEntropy, net);
            for _ in 0..2 {
                let mut part = MinibatchPart::default();
                let before = (learner.net(), learner.loss);
                let loss = part.forward_backward(learner.tier, before, &examples, &numbers, &Cancel::new());
                loss.expect("nothing stops it").expect("a finite loss");
                let gradient = |number| {
                    let mut gradient = Gradient::default();
                    let (net, parts) = (learner.net(), [&part].into_iter());
                    let of = (number, shares);
                    gradient
                        .sum(learner.tier, net, of, learner.is_centred(), parts, &Cancel::new())
                        .expect("nothing stops it");
                    gradient
                };
                let gradients: Vec<Gradient> = (0..shares).map(gradient).collect();
                learner.descend(gradients.iter(), numbers.len(), 1e-2);
            }
            (learner.net().to_network(), learner.moments)
        };
        let alone = learned(1);
        for shares in [2, 17, 40] {
            assert!(learned(shares) == alone, "{shares} shares, {method:?}");
        }
    }
}

/// A step of a large net takes seconds: cancelling ends it within a fraction of a second, and leaves the weights as
/// they were.
#[test]
fn a_step_hears_that_it_is_cancelled() {
    let shape = Shape {
        encoder: Encoder::Raw196,
        hidden: vec![2048, 2048],
        activation: Activation::Clipped,
        outputs: Outputs::Cumulative,
        from: None,
    };
    let net = random_network(&shape, 1);
    let examples = examples(&nets()[0]);
    let numbers: Vec<u32> = (0..examples.len() as u32).cycle().take(8000).collect();
    let mut learner = Learner::new(Tier::best(), Method::Sgd, Loss::Squared, &net);
    let mut room = (MinibatchPart::default(), Gradient::default());
    let cancel = Cancel::new();
    let (step, late) = thread::scope(|scope| {
        let cancelled = scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            cancel.cancel();
            Instant::now()
        });
        let step = learner.step(&mut room, &examples, &numbers, 1.0, &cancel);
        (step, cancelled.join().expect("it sleeps").elapsed())
    });
    assert_eq!((step, learner.steps), (Err(Stopped), 0));
    // Far above the usual time, for busy machines.
    assert!(late < Duration::from_secs(1), "{late:?}");
}

/// Steps towards fixed targets end where the targets are.
#[test]
fn a_net_learns_what_it_is_told() {
    for method in [Method::Sgd, Method::Adam] {
        let net = &nets()[0];
        let examples = examples(net);
        let few: Vec<u32> = (0..8).collect();
        let mut learner = Learner::new(Tier::best(), method, Loss::CrossEntropy, net);
        let mut room = (MinibatchPart::default(), Gradient::default());
        let rate = match method {
            Method::Sgd => 0.5,
            Method::Adam => 0.01,
        };
        let mut step = || {
            let loss = learner.step(&mut room, &examples, &few, rate, &Cancel::new()).expect("nothing stops it");
            loss.expect("a finite loss")
        };
        let first = step();
        let last = (0..2000).map(|_| step()).last();
        let last = last.expect("there are steps");
        assert!(last < first / 1000, "{method:?}: {first} {last}");
    }
}
