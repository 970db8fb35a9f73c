//! TD(lambda) of Plakoto and Fevga while a game goes on.

use std::collections::VecDeque;

use tavli_game::streams::{StreamKey, generator};
use tavli_game::{PlayableGame, draw};
use tavli_simd::Tier;
use tavli_simd::loops::{LANES, call_on};
use tavli_variants::Position;
use tavli_variants::nets::{Net, NetBuffers, Outputs, Primes};

use rand_xoshiro::rand_core::Rng;

use crate::minibatch_plan::Learned;
use crate::net::to_units;

/// A position learns from a later error as long as its share in that error is at least this.
// Gradients are kept by position: traces would be as large as the net for each output.
const MIN_SHARE: f32 = 1e-2;

/// A net that learns after each ply of a game against itself (Sutton 1988; Tesauro 1992), as the nets of Papahristou
/// and Refanidis did.
///
/// Positions are valued for the player who has just played. At the next one, or the end, the weights move along the
/// gradients of the positions so far, earlier ones decayed by lambda a ply, by the difference between the new value and
/// the value before. The gradients are kept by position, as factors: their sums, the traces, would be as large as the
/// net for each output.
///
/// Everything is computed in 32-bit floats and in a fixed order, so that weights do not depend on the machine.
#[derive(Clone, Debug)]
pub(super) struct VariantLearner {
    pub(super) net: Net,
    tier: Tier,
    /// The latest positions, the last one first.
    past: VecDeque<Gradient>,
    inputs: InputRuns,
    /// Gradients of earlier games: their memory is reused.
    spare: Vec<Gradient>,
    room: NetBuffers,
    /// Working memory of a step.
    sums: Vec<f32>,
}

/// The number of outputs.
const OUTPUTS: usize = 3;

/// The gradients of a position's outputs, as factors.
#[derive(Clone, Debug, Default)]
struct Gradient {
    /// The share in the latest error: lambda to the power of the plies since.
    share: f32,
    activations: Vec<f32>,
    /// The slopes of the outputs in their sums.
    outputs: [f32; OUTPUTS],
    /// For each output a row of its slopes in the sums of the hidden units.
    hidden: Vec<f32>,
}

/// How a game is played and learned from.
#[derive(Clone, Copy, Debug)]
pub(super) struct LearningSettings {
    /// The factor of the gradient in a step.
    pub(super) rate: f32,
    /// The decay of earlier gradients with each ply.
    pub(super) lambda: f32,
    /// Whether the value after a play that forms a prime is a won game, a double one if the prime is late.
    pub(super) rewards_primes: bool,
    pub(super) choice: ChoiceRule,
}

/// How a net chooses between plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ChoiceRule {
    pub(super) bounds: Bounds,
    /// The points of a double game beyond a single game's.
    pub(super) double: f32,
}

impl ChoiceRule {
    /// By mean points, as a game counts them.
    pub(super) fn by_points(bounds: Bounds) -> ChoiceRule {
        ChoiceRule { bounds, double: 1.0 }
    }

    fn value(self, outputs: Outputs) -> f32 {
        2.0 * outputs.win - 1.0 + self.double * (outputs.double_win - outputs.double_loss)
    }
}

/// Whether outputs are bounded by the rules where plays are chosen and learned from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bounds {
    /// As the net has them: it may expect a double win that the rules exclude.
    Raw,
    /// [Clamped](Outputs::clamped) to the points that are possible in the position, as players of the net take them.
    Rules,
}

impl VariantLearner {
    pub(super) fn new(net: Net, tier: Tier) -> VariantLearner {
        VariantLearner {
            tier,
            past: VecDeque::new(),
            inputs: InputRuns::new(net.encoder().inputs()),
            spare: Vec::new(),
            room: NetBuffers::default(),
            sums: Vec::new(),
            net,
        }
    }

    /// Plays a game against itself, and learns. `Err` holds the learning before a loss that was not finite.
    pub(super) fn play<G: PlayableGame<Position = Position>>(
        &mut self,
        game: &G,
        key: &StreamKey,
        number: u64,
        settings: &LearningSettings,
    ) -> Result<Learned, Learned> {
        self.spare.extend(self.past.drain(..));
        self.inputs.clear();
        let mut words = generator(key.state(number));
        let mut learned = Learned::default();
        let mut position = game.start();
        let mut before: Option<PendingUpdate> = None;
        loop {
            let (chance, _) = draw(game.chances(), words.next_u32());
            let results = game.results(&position, chance);
            let (after, end, value) =
                best(game, (&self.net, self.tier, settings.choice), &position, &results, &mut self.room);
            if let Some(before) = before {
                let target = before.reward.unwrap_or_else(|| value.swapped());
                let step = self.learn(before.value, target, settings.rate);
                learned.add(step.ok_or(learned)?);
            }
            if end.is_some() {
                return Ok(learned);
            }
            // Valued again, with the weights as they are now.
            let value = self.net.values(self.tier, &[after], &mut self.room)[0];
            self.add_gradient(value, settings.lambda);
            let reward = settings.rewards_primes.then(|| reward(&position, &after)).flatten();
            before = Some(PendingUpdate { value, reward });
            position = after;
        }
    }

    /// Decays the shares of earlier positions, and adds the gradients of the position that was valued last.
    fn add_gradient(&mut self, value: Outputs, lambda: f32) {
        for gradient in &mut self.past {
            gradient.share *= lambda;
        }
        while self.past.back().is_some_and(|last| last.share < MIN_SHARE) {
            self.spare.extend(self.past.pop_back());
        }
        let mut gradient = self.spare.pop().unwrap_or_default();
        gradient.share = 1.0;
        gradient.activations.clear();
        gradient.activations.extend_from_slice(self.room.activations());
        gradient.outputs = value.to_array().map(|output| output * (1.0 - output));
        gradient.hidden.resize(OUTPUTS * gradient.activations.len(), 0.0);
        let (activations, weights) = (&gradient.activations[..], self.net.outputs());
        write_hidden_slopes(self.tier, &mut gradient.hidden, gradient.outputs, activations, weights);
        self.past.push_front(gradient);
        let (inputs, values) = self.room.inputs().row(0);
        let inputs = inputs.iter().copied().zip(values.iter().copied());
        self.inputs.add(inputs, self.past.len());
    }

    /// Moves the weights along the gradients of the positions so far, by the difference between the values after a ply
    /// and before it; `None` if the loss is not finite.
    fn learn(&mut self, before: Outputs, after: Outputs, rate: f32) -> Option<Learned> {
        let (before, after) = (before.to_array(), after.to_array());
        let errors: [f32; OUTPUTS] = core::array::from_fn(|output| after[output] - before[output]);
        let squares = errors.map(|error| f64::from(error * error));
        let learned = Learned { positions: 1, loss: to_units(squares.iter().sum::<f64>() / 2.0)? };
        let errors = errors.map(|error| rate * error);
        let past = (&self.past, &self.inputs);
        move_weights(self.tier, self.net.weights_mut(), past, errors, &mut self.sums);
        Some(learned)
    }
}

/// The best result for the player who made the play, the first of several; that player's points if the game is over
/// there; and the value of the result.
pub(super) fn best<G: PlayableGame<Position = Position>>(
    game: &G,
    (net, tier, choice): (&Net, Tier, ChoiceRule),
    position: &Position,
    results: &[Position],
    room: &mut NetBuffers,
) -> (Position, Option<i32>, Outputs) {
    // Finished games are valued, too, since they are few; their points replace the value.
    let values = net.values_of_plays(tier, position, results, room);
    let mut best = (f32::NEG_INFINITY, (results[0], None, Outputs::default()));
    for (result, &outputs) in results.iter().zip(values) {
        let end = game.points(result).map(|points| -points);
        let outputs = match (end, choice.bounds) {
            (Some(points), _) => Outputs::at_end(points),
            (None, Bounds::Rules) => outputs.clamped(game.possible_points(result)),
            (None, Bounds::Raw) => outputs,
        };
        let value = choice.value(outputs);
        if value > best.0 {
            best = (value, (*result, end, outputs));
        }
    }
    best.1
}

/// A position that waits for the next one.
struct PendingUpdate {
    value: Outputs,
    /// The value after it, if it is not the value of the next position.
    reward: Option<Outputs>,
}

/// The value after a play of Fevga that forms a prime, for the player who made it; `None` if the prime is not worth
/// more than that player's best prime before the play.
fn reward(before: &Position, after: &Position) -> Option<Outputs> {
    let points = |primes: Primes| match primes {
        Primes { late: true, .. } => 2,
        Primes { early: true, .. } => 1,
        _ => 0,
    };
    let had = points(Primes::new(before.own(), before.opponent()));
    let has = points(Primes::new(after.opponent(), after.own()));
    (has > had).then(|| Outputs::at_end(has))
}

/// Writes the slopes of the outputs in the sums of the hidden units. `slopes` and `weights` have a row for each output.
fn write_hidden_slopes(tier: Tier, slopes: &mut [f32], outputs: [f32; OUTPUTS], activations: &[f32], weights: &[f32]) {
    call_on(
        tier,
        #[inline(always)]
        move || {
            let columns = activations.len();
            let rows = slopes.chunks_exact_mut(columns).zip(weights.chunks_exact(columns));
            for ((slopes, weights), output) in rows.zip(outputs) {
                for (slope, (&weight, &activation)) in slopes.iter_mut().zip(weights.iter().zip(activations)) {
                    *slope = output * weight * (activation * (1.0 - activation));
                }
            }
        },
    );
}

/// Moves the weights along the gradients of the past positions. `errors` are the errors of the outputs of the last
/// position, times the rate.
///
/// Writes two rows of zeros to `sums`, then a row for each past position, the latest first. A row is the change of the
/// hidden units' weights for the position's inputs, summed over this position and all later positions of the same
/// player.
fn move_weights(
    tier: Tier,
    [hidden, outputs]: [&mut [f32]; 2],
    (past, inputs): (&VecDeque<Gradient>, &InputRuns),
    errors: [f32; OUTPUTS],
    sums: &mut Vec<f32>,
) {
    call_on(
        tier,
        #[inline(always)]
        move || {
            let Some(columns) = past.front().map(|last| last.activations.len()) else {
                return;
            };
            sums.resize((past.len() + 2) * columns, 0.0);
            sums[..2 * columns].fill(0.0);
            for column in (0..columns).step_by(LANES) {
                let mut errors = errors;
                let mut weights = [[0.0; LANES]; OUTPUTS];
                for (weights, row) in weights.iter_mut().zip(outputs.chunks_exact(columns)) {
                    *weights = lanes(row, column);
                }
                for (age, gradient) in past.iter().enumerate() {
                    let activations = lanes(&gradient.activations, column);
                    let mut slopes = lanes(&sums[age * columns..], column);
                    let rows = weights.iter_mut().zip(gradient.hidden.chunks_exact(columns));
                    for ((weights, hidden), (error, slope)) in rows.zip(errors.into_iter().zip(gradient.outputs)) {
                        let error = gradient.share * error;
                        let hidden = lanes(hidden, column);
                        for lane in 0..LANES {
                            weights[lane] += error * slope * activations[lane];
                            slopes[lane] += error * hidden[lane];
                        }
                    }
                    sums[(age + 2) * columns + column..][..LANES].copy_from_slice(&slopes);
                    // The ply before was the other player's: that player's wins are this player's losses.
                    let [win, double_win, double_loss] = errors;
                    errors = [-win, double_loss, double_win];
                }
                for (weights, row) in weights.iter().zip(outputs.chunks_exact_mut(columns)) {
                    row[column..][..LANES].copy_from_slice(weights);
                }
            }
            for run in &inputs.runs {
                // Rows are sums, so a run costs two additions however long it is: its first row, minus the row after
                // its last.
                let [first, last] = [run.first, run.last].map(|ply| (inputs.plies - ply) as usize);
                let to = &mut hidden[run.input as usize * columns..][..columns];
                add_times(to, run.value, &sums[(first + 2) * columns..][..columns]);
                // A run that has not ended has nothing to subtract.
                if last >= 2 {
                    add_times(to, -run.value, &sums[last * columns..][..columns]);
                }
            }
            let biases = hidden.len() - columns;
            // The oldest rows, one for each player, are the sums over all positions.
            for row in sums.chunks_exact(columns).rev().take(past.len().min(2)) {
                add_times(&mut hidden[biases..], 1.0, row);
            }
        },
    );
}

/// The numbers of a row from a column on.
#[inline(always)]
fn lanes(row: &[f32], column: usize) -> [f32; LANES] {
    row[column..][..LANES].try_into().expect("as many")
}

/// The inputs of the positions that a net still learns from, in runs. A run is an input that keeps its value over
/// positions of the same player: most inputs stay for many plies.
#[derive(Clone, Debug)]
struct InputRuns {
    runs: Vec<InputRun>,
    /// Plies so far.
    plies: u32,
    /// By input: the index, plus one, of the run that the position two plies ago was in.
    open: Vec<u32>,
}

/// An input that successive positions of a player share.
#[derive(Clone, Copy, Debug)]
struct InputRun {
    input: u32,
    value: f32,
    /// The plies of the first and the last of the positions, counted from 1 on.
    first: u32,
    last: u32,
}

impl InputRuns {
    fn new(inputs: usize) -> InputRuns {
        InputRuns { runs: Vec::new(), plies: 0, open: vec![0; inputs] }
    }

    fn clear(&mut self) {
        self.runs.clear();
        self.plies = 0;
    }

    /// Adds the inputs of a position, and forgets the inputs of all positions except the latest `kept`.
    fn add(&mut self, inputs: impl Iterator<Item = (u32, f32)>, kept: usize) {
        self.plies += 1;
        let oldest = self.plies + 1 - kept as u32;
        self.runs.retain(|run| run.last >= oldest);
        self.open.fill(0);
        for (number, run) in (1..).zip(&mut self.runs) {
            if run.first < oldest {
                // The next position of the same player is two plies later.
                run.first += 2;
            }
            if run.last + 2 == self.plies {
                self.open[run.input as usize] = number;
            }
        }
        for (input, value) in inputs {
            match self.open[input as usize].checked_sub(1).map(|run| &mut self.runs[run as usize]) {
                Some(run) if run.value == value => run.last = self.plies,
                _ => self.runs.push(InputRun { input, value, first: self.plies, last: self.plies }),
            }
        }
    }
}

/// `sums += factor * numbers`, in whole vectors.
#[inline(always)]
fn add_times(sums: &mut [f32], factor: f32, numbers: &[f32]) {
    for column in (0..sums.len()).step_by(LANES) {
        // As arrays: the compiler knows that they do not overlap.
        let (mut part, numbers) = (lanes(sums, column), lanes(numbers, column));
        for lane in 0..LANES {
            part[lane] += factor * numbers[lane];
        }
        sums[column..][..LANES].copy_from_slice(&part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli_game::Game;
    use tavli_variants::nets::Encoder;
    use tavli_variants::{Fevga, Plakoto};

    use crate::initial_weights::random_variant_net;

    /// The values of positions, in the order of the outputs.
    fn values(net: &Net, positions: &[Position]) -> Vec<[f32; OUTPUTS]> {
        let mut room = NetBuffers::default();
        let values = net.values(Tier::Portable, positions, &mut room);
        values.iter().map(|outputs| outputs.to_array()).collect()
    }

    fn outputs([win, double_win, double_loss]: [f32; OUTPUTS]) -> Outputs {
        Outputs { win, double_win, double_loss }
    }

    /// At a low rate, a game teaches what TD(lambda) says: each error moves the weights along the gradients of all
    /// positions so far. The test finds the gradients by moving each weight a little.
    fn learns_as_defined<G: PlayableGame<Position = Position>>(encoder: Encoder, lambda: f32) {
        let game = G::by_rules(G::RULES[0], Tier::Portable, 1).expect("rules");
        let key = StreamKey::new(5);
        let before = random_variant_net(encoder, 5, 3);
        // The game that these weights play.
        let (mut positions, mut position, mut words) = (Vec::new(), game.start(), generator(key.state(2)));
        let points = loop {
            let (chance, _) = draw(game.chances(), words.next_u32());
            let results = game.results(&position, chance);
            let room = &mut NetBuffers::default();
            let net = (&before, Tier::Portable, ChoiceRule::by_points(Bounds::Raw));
            let (after, end, _) = best(&game, net, &position, &results, room);
            if let Some(points) = end {
                break points;
            }
            positions.push(after);
            position = after;
        };
        let of = values(&before, &positions);
        let value = |at: usize| outputs(of[at]);
        let last = positions.len() - 1;
        let errors: Vec<[f32; OUTPUTS]> = (0..=last)
            .map(|at| {
                let next = if at < last { value(at + 1) } else { Outputs::at_end(points) };
                let target = next.swapped().to_array();
                core::array::from_fn(|output| target[output] - of[at][output])
            })
            .collect();
        let rate = 1e-3;
        let mut learner = VariantLearner::new(before.clone(), Tier::best());
        let settings =
            LearningSettings { rate, lambda, rewards_primes: false, choice: ChoiceRule::by_points(Bounds::Raw) };
        let learned = learner.play(&game, &key, 2, &settings).expect("finite");
        assert_eq!(learned.positions as usize, positions.len());
        let (mut largest, mut off) = (0.0_f32, 0.0_f32);
        for of_outputs in [false, true] {
            let rows = |net: &Net| {
                if of_outputs { net.outputs().to_vec() } else { net.hidden().to_vec() }
            };
            let all = rows(&before).len();
            for weight in (0..all).step_by(if of_outputs { 1 } else { 97 }) {
                let moved = |by: f32| {
                    let mut net = before.clone();
                    net.weights_mut()[usize::from(of_outputs)][weight] += by;
                    values(&net, &positions)
                };
                // The padding after the units stays 0.
                if weight % before.columns() > before.units() - usize::from(!of_outputs) {
                    assert_eq!(rows(&learner.net)[weight], 0.0);
                    continue;
                }
                let [more, less] = [moved(0.02), moved(-0.02)];
                let slope = |at: usize, output: usize| (more[at][output] - less[at][output]) / 0.04;
                let mut expected = 0.0;
                for (now, errors) in errors.iter().enumerate() {
                    let [win, double_win, double_loss] = *errors;
                    let swapped = [-win, double_loss, double_win];
                    for at in 0..=now {
                        let errors = if (now - at) % 2 == 0 { *errors } else { swapped };
                        let share = lambda.powi((now - at) as i32);
                        expected += (0..OUTPUTS).map(|output| share * errors[output] * slope(at, output)).sum::<f32>();
                    }
                }
                let step = (rows(&learner.net)[weight] - rows(&before)[weight]) / rate;
                largest = largest.max(expected.abs());
                off = off.max((step - expected).abs());
            }
        }
        assert!(largest > 0.05 && off < 0.05 * largest, "{encoder} {lambda}: {off} of {largest}");
    }

    #[test]
    fn games_teach_what_td_lambda_says() {
        learns_as_defined::<Fevga>(Encoder::Fevga2, 0.0);
        learns_as_defined::<Fevga>(Encoder::Fevga1, 0.5);
        learns_as_defined::<Plakoto>(Encoder::Plakoto2, 0.0);
        learns_as_defined::<Plakoto>(Encoder::Plakoto1, 0.5);
    }

    #[test]
    fn impossible_double_wins_are_learned_only_raw() {
        let game = Fevga::by_rules("default", Tier::Portable, 1).expect("rules");
        let net = random_variant_net(Encoder::Fevga2, 5, 3);
        let double_wins = |bounds: Bounds, text: &str| {
            let position = game.read(text).expect(text);
            let results = game.results(&position, game.chance("31").expect("a roll"));
            let room = &mut NetBuffers::default();
            let net = (&net, Tier::Portable, ChoiceRule::by_points(bounds));
            let (_, end, value) = best(&game, net, &position, &results, room);
            assert_eq!(end, None);
            value.double_win
        };
        // The other side has borne off all of its checkers except one, or no checkers.
        let [late, early] = ["EEE------a--------------", "EEE----------------o----"];
        assert!(double_wins(Bounds::Raw, late) > 0.0);
        assert_eq!(double_wins(Bounds::Rules, late), 0.0);
        assert!(double_wins(Bounds::Rules, early) > 0.0);
    }

    #[test]
    fn double_games_count_in_choices_as_much_as_they_are_said_to() {
        let [safe, daring] = [[0.75, 0.0, 0.0], [0.625, 0.2, 0.05]].map(outputs);
        let prefers_daring = |double: f32| {
            let choice = ChoiceRule { bounds: Bounds::Raw, double };
            choice.value(daring) > choice.value(safe)
        };
        assert!(!prefers_daring(1.0) && prefers_daring(2.0));
        for points in -2..=2 {
            let outputs = Outputs::at_end(points);
            assert_eq!(ChoiceRule::by_points(Bounds::Raw).value(outputs), outputs.equity());
        }
    }

    #[test]
    fn a_new_prime_is_rewarded() {
        let game = Fevga::by_rules("default", Tier::Portable, 1).expect("rules");
        // Positions are seen by the player on roll: before the play by the mover, after it by the other.
        let reward = |before: &str, after: &str| {
            let [before, after] = [before, after].map(|text| game.read(text).expect(text));
            reward(&before, &after).map(Outputs::equity)
        };
        let start = "-----------o-----------O";
        assert_eq!(reward(start, start), None);
        let [early, late] = ["iaaaaa-------a---------O", "-----A------jaaaaa-----N"];
        assert_eq!(reward(start, early), Some(1.0));
        assert_eq!(reward(start, late), Some(2.0));
        // The same primes, but the mover had them before.
        let seen_before = |after: &str| game.text(&game.read(after).expect(after).swapped());
        assert_eq!(reward(&seen_before(early), early), None);
        assert_eq!(reward(&seen_before(late), late), None);
        assert_eq!(reward(&seen_before(early), late), Some(2.0));
        assert_eq!(reward(&seen_before(late), early), None);
        // A prime of the player on roll is not a prime of the player who has just played.
        assert_eq!(reward(start, "JAAAAA-----o------------"), None);
    }
}
