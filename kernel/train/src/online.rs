//! TD(lambda) while a game goes on.

use tavli_backgammon::evaluators::OutcomeSet;
use tavli_backgammon::plays::View;
use tavli_backgammon::stepping::{Games, RollBatch};
use tavli_backgammon::{Board, Planes, Playouts, RuleSet};
use tavli_players::net::{Activation, Network};

use crate::minibatch_plan::Learned;
use crate::net::to_units;
use crate::returns::{SwappedOutputs, write_outcome};

/// A net that learns after each ply (Sutton 1988; Tesauro 1992).
///
/// Each output has a trace: the sum of its gradients at the positions so far, earlier ones decayed by lambda a ply. At
/// the next position, or the end, weights move along the traces by the difference between the new value, seen from this
/// side, and the value before. Outcomes that the rules exclude are taken out of the values.
///
/// Everything is computed in 32-bit floats and in a fixed order, so that weights do not depend on the machine.
#[derive(Clone, Debug)]
pub(crate) struct OnlineLearner {
    pub(crate) net: Network,
    pub(crate) lambda: f32,
    swapped: SwappedOutputs,
    /// For each output a number for each weight: layer by layer the biases, then the weights.
    traces: Vec<Vec<f32>>,
}

/// A position's inputs that are not 0, and the activations of each layer.
struct PositionPass {
    inputs: Vec<(usize, f32)>,
    layers: Vec<Vec<f32>>,
}

impl PositionPass {
    fn outputs(&self) -> &[f32] {
        self.layers.last().expect("a net has a layer")
    }
}

impl OnlineLearner {
    pub(crate) fn new(net: Network, lambda: f32) -> OnlineLearner {
        let layers = net.layers().iter();
        let weights = layers.map(|layer| layer.biases.len() + layer.weights.len());
        OnlineLearner {
            traces: vec![vec![0.0; weights.sum()]; net.outputs().count()],
            swapped: SwappedOutputs::new(net.outputs()),
            lambda,
            net,
        }
    }

    /// Plays a game against itself, and learns. `Err` holds the learning before a loss that was not finite.
    pub(crate) fn play(&mut self, playouts: &Playouts, number: u64, rate: f32) -> Result<Learned, Learned> {
        let outputs = self.net.outputs();
        let mut next = vec![0.0; outputs.count()];
        let mut learned = Learned::default();
        for trace in &mut self.traces {
            trace.fill(0.0);
        }
        let mut games = Games::new(playouts, number..number + 1, 1);
        let view = View { results: true, ..View::default() };
        let mut before: Option<Vec<f32>> = None;
        while !games.is_empty() {
            let decisions = games.roll_for(view);
            let position = decisions.positions()[0];
            let possible = OutcomeSet::possible(playouts.rules(), &position);
            if let Some(before) = before {
                let mut value = self.forward(&position).outputs().to_vec();
                outputs.settle(possible, &mut value);
                self.swapped.swap(&value, &mut next);
                learned.add(self.learn(&before, &next, rate).ok_or(learned)?);
                self.swap_traces();
            }
            // A second forward pass: the step above has moved the weights, and a trace takes the gradient at the new
            // weights.
            let here = self.forward(&position);
            let mut value = here.outputs().to_vec();
            outputs.settle(possible, &mut value);
            if value == here.outputs() {
                self.add_to_traces(&here);
            } else {
                // Outputs that the rules settle are learned in a step of their own, with the gradient of this position
                // alone: earlier positions learn from the settled value as from any next value.
                let zeros = self.traces.iter().map(|trace| vec![0.0; trace.len()]);
                let zeros = zeros.collect();
                let earlier = core::mem::replace(&mut self.traces, zeros);
                self.add_to_traces(&here);
                // Not counted: the loss of a ply is the loss of the step to the next position.
                self.learn(here.outputs(), &value, rate);
                for (trace, earlier) in self.traces.iter_mut().zip(&earlier) {
                    add_times(trace, 1.0, earlier);
                }
            }
            before = Some(value);
            let pick = self.pick(decisions);
            for end in games.make(&[pick]).expect("a play of the decision") {
                let outcome = end.end.outcome.expect("no game is cut off");
                let by_first = end.end.plies % 2 == 1;
                let of_mover = if by_first { outcome } else { outcome.reversed() };
                write_outcome(outputs, of_mover, &mut next);
                let before = before.as_ref().expect("it was just set");
                learned.add(self.learn(before, &next, rate).ok_or(learned)?);
            }
        }
        Ok(learned)
    }

    /// The first play that leaves the next player the least equity.
    fn pick(&self, decisions: &RollBatch) -> u32 {
        let rules = decisions.rules();
        let results = decisions.results_of(0).iter();
        let values = (0..).zip(results.map(|result| self.equity(rules, result)));
        let least = values.min_by(|a, b| f64::total_cmp(&a.1, &b.1));
        least.expect("there is a play").0
    }

    /// The equity of a position for the player on roll.
    fn equity(&self, rules: RuleSet, position: &Planes) -> f64 {
        if let Some(end) = rules.outcome(&Board::from(*position)) {
            return f64::from(end.points());
        }
        self.net.probabilities(rules, position).equity()
    }

    fn forward(&self, position: &Planes) -> PositionPass {
        let mut inputs = Vec::new();
        self.net.encoder().encode(position, |input, value| inputs.push((input, value)));
        let all = self.net.layers();
        let mut layers: Vec<Vec<f32>> = Vec::with_capacity(all.len());
        for (number, layer) in all.iter().enumerate() {
            let mut sums = layer.biases.clone();
            let mut add = |input: usize, value: f32| {
                for (sum, weight) in sums.iter_mut().zip(layer.row(input)) {
                    *sum += value * weight;
                }
            };
            match layers.last() {
                None => inputs.iter().for_each(|&(input, value)| add(input, value)),
                Some(before) => (0..).zip(before).for_each(|(input, &value)| add(input, value)),
            }
            let activation = self.activation(number);
            for sum in &mut sums {
                *sum = activation.apply(*sum);
            }
            layers.push(sums);
        }
        PositionPass { inputs, layers }
    }

    fn activation(&self, layer: usize) -> Activation {
        match layer + 1 == self.net.layers().len() {
            true => Activation::Logistic,
            false => self.net.activation(),
        }
    }

    /// Decays the traces, and turns them into traces of the other side's outputs.
    fn swap_traces(&mut self) {
        let mut old: Vec<Vec<f32>> = self.traces.iter_mut().map(core::mem::take).collect();
        for to in 0..old.len() {
            let (from, is_rest) = self.swapped.source(to);
            let factor = if is_rest { -self.lambda } else { self.lambda };
            // Taken, not cloned: no two outputs equal the same output of the other side.
            let mut trace = core::mem::take(&mut old[from]);
            for weight in &mut trace {
                *weight *= factor;
            }
            self.traces[to] = trace;
        }
    }

    /// Adds the gradient of each output at a position to its trace.
    fn add_to_traces(&mut self, here: &PositionPass) {
        let all = self.net.layers();
        for (output, trace) in self.traces.iter_mut().enumerate() {
            let value = here.outputs()[output];
            // The slope of the output in the sum of each unit of a layer.
            let mut slopes = vec![0.0; here.outputs().len()];
            slopes[output] = Activation::Logistic.slope(value);
            let mut end = trace.len();
            for number in (0..all.len()).rev() {
                let layer = &all[number];
                let units = layer.outputs();
                let begin = end - layer.weights.len() - units;
                let (biases, weights) = trace[begin..end].split_at_mut(units);
                end = begin;
                add_times(biases, 1.0, &slopes);
                let mut add = |input: usize, value: f32| {
                    add_times(&mut weights[input * units..][..units], value, &slopes);
                };
                if number == 0 {
                    for &(input, value) in &here.inputs {
                        add(input, value);
                    }
                    break;
                }
                let before = &here.layers[number - 1];
                for (input, &value) in before.iter().enumerate() {
                    add(input, value);
                }
                let activation = self.net.activation();
                let slope = |(input, &value): (usize, &f32)| {
                    let products = layer.row(input).iter().zip(&slopes);
                    let sum: f32 = products.map(|(weight, slope)| weight * slope).sum();
                    sum * activation.slope(value)
                };
                slopes = before.iter().enumerate().map(slope).collect();
            }
        }
    }

    /// Moves the weights along the traces by the differences between the values after a ply and before it; `None` if
    /// the loss is not finite.
    fn learn(&mut self, before: &[f32], after: &[f32], rate: f32) -> Option<Learned> {
        let errors: Vec<f32> = after.iter().zip(before).map(|(a, b)| a - b).collect();
        let squares = errors.iter().map(|&error| f64::from(error * error));
        let learned = Learned { positions: 1, loss: to_units(squares.sum::<f64>() / 2.0)? };
        let layers = self.net.layers_mut().iter_mut();
        let mut begin = 0;
        for layer in layers {
            for weights in [&mut layer.biases, &mut layer.weights] {
                let here = begin..begin + weights.len();
                for (trace, error) in self.traces.iter().zip(&errors) {
                    add_times(weights, rate * error, &trace[here.clone()]);
                }
                begin = here.end;
            }
        }
        Some(learned)
    }
}

/// `sums += factor * numbers`.
fn add_times(sums: &mut [f32], factor: f32, numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += factor * number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_backgammon::FirstRoll;
    use tavli_players::net::{Encoder, Outputs};

    use crate::initial_weights::random_network;
    use crate::recipe::Shape;

    fn net(outputs: Outputs, activation: Activation, hidden: &[usize]) -> Network {
        let shape = Shape { encoder: Encoder::Raw198, hidden: hidden.to_vec(), activation, outputs, from: None };
        random_network(&shape, 5)
    }

    fn playouts() -> Playouts {
        Playouts::new(Board::START, RuleSet::Backgammon, 3).expect("a game").with_first_roll(FirstRoll::Open)
    }

    /// Traces of one position are the slopes of the outputs, found by moving each weight a little.
    #[test]
    fn traces_begin_with_gradients() {
        let position = Planes::from(Board::START);
        for hidden in [&[4][..], &[5, 3]] {
            let mut online = OnlineLearner::new(net(Outputs::Doubles, Activation::Logistic, hidden), 0.7);
            let here = online.forward(&position);
            assert_eq!(here.outputs(), online.net.outputs_of(&position));
            online.add_to_traces(&here);
            let mut at = 0;
            for layer in 0..online.net.layers().len() {
                let weights = |net: &mut Network, at: usize, by: f32| {
                    let layer = &mut net.layers_mut()[layer];
                    let biases = layer.biases.len();
                    match at.checked_sub(biases) {
                        None => layer.biases[at] += by,
                        Some(at) => layer.weights[at] += by,
                    }
                };
                let of = &online.net.layers()[layer];
                for weight in 0..of.biases.len() + of.weights.len() {
                    let mut nets = [online.net.clone(), online.net.clone()];
                    weights(&mut nets[0], weight, 0.01);
                    weights(&mut nets[1], weight, -0.01);
                    let [more, less] = nets.map(|net| net.outputs_of(&position));
                    for (output, trace) in online.traces.iter().enumerate() {
                        let slope = (more[output] - less[output]) / 0.02;
                        assert!((trace[at] - slope).abs() < 1e-3, "{layer} {weight} {output}");
                    }
                    at += 1;
                }
            }
        }
    }

    /// At a low rate, a game teaches what TD(lambda) of the whole game teaches: the forward view.
    #[test]
    fn traces_are_the_forward_view() {
        for (outputs, lambda) in [(Outputs::Cumulative, 0.7), (Outputs::Doubles, 1.0)] {
            let net = net(outputs, Activation::Logistic, &[6]);
            let rate = 1e-4;
            let mut online = OnlineLearner::new(net.clone(), lambda);
            online.play(&playouts(), 4, rate).expect("finite losses");
            // The same game with the weights from the beginning.
            let mut still = OnlineLearner::new(net.clone(), 0.0);
            let (mut positions, mut last) = (Vec::new(), None);
            let mut games = Games::new(&playouts(), 4..5, 1);
            while !games.is_empty() {
                let decisions = games.roll_for(View { results: true, ..View::default() });
                positions.push(decisions.positions()[0]);
                let pick = still.pick(decisions);
                last = games.make(&[pick]).expect("a play").last().map(|end| {
                    let outcome = end.end.outcome.expect("it ended");
                    match end.end.plies % 2 {
                        1 => outcome,
                        _ => outcome.reversed(),
                    }
                });
            }
            let values: Vec<f32> = positions.iter().flat_map(|at| net.outputs_of(at)).collect();
            // Targets come from the values among the outcomes that the rules allow.
            let among = |at: &Planes| {
                let mut values = net.outputs_of(at);
                outputs.settle(OutcomeSet::possible(RuleSet::Backgammon, at), &mut values);
                values
            };
            let decided: Vec<f32> = positions.iter().flat_map(among).collect();
            assert_ne!(decided, values);
            let mut targets = vec![0.0; values.len()];
            let (row, swapped) = (outputs.count(), SwappedOutputs::new(outputs));
            let outcome = last.expect("the game ends");
            crate::returns::write_targets(outputs, &swapped, lambda, row, &decided, outcome, &mut targets);
            let mut expected = vec![0.0; still.traces[0].len()];
            for (position, (values, targets)) in positions.iter().zip(values.chunks(row).zip(targets.chunks(row))) {
                for trace in &mut still.traces {
                    trace.fill(0.0);
                }
                let here = still.forward(position);
                still.add_to_traces(&here);
                for (trace, (value, target)) in still.traces.iter().zip(values.iter().zip(targets)) {
                    add_times(&mut expected, target - value, trace);
                }
            }
            let flat = |net: &Network| -> Vec<f32> {
                let layers = net.layers().iter();
                layers.flat_map(|layer| layer.biases.iter().chain(&layer.weights).copied()).collect()
            };
            let moved = flat(&online.net).into_iter().zip(flat(&net));
            let largest = expected.iter().fold(0.0_f32, |most, by| most.max(by.abs()));
            for ((after, before), expected) in moved.zip(&expected) {
                let by = (after - before) / rate;
                assert!((by - expected).abs() < 0.02 * largest, "{by} {expected} {largest}");
            }
        }
    }
}
