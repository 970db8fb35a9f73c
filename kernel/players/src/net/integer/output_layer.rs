//! The output layer, and the probabilities and equities that its sums stand for.
//!
//! Tested by `tests/suite/net.rs`.

use tavli_simd::{I16Isa, I16Vector, I32Accumulator, logistic};

use super::activations::{CacheLine, LINE};
use super::dense_layer::QuantizedUnit;
use crate::net::integer::error::IntegerError;
use crate::net::network::Layer;
use crate::net::outputs::Outputs;

/// The sums of the outputs of some positions: an array for each output.
pub(super) type OutputSums = [Vec<i32>; Outputs::MAX_COUNT];

/// Stored instead of a sum where the rules fix the output at 0. Scales leave room, so no computed sum has this value,
/// nor [`ALWAYS`] or [`TRIPLE`].
pub(super) const NEVER: i32 = i32::MIN;
/// Stored instead of a sum where the rules fix the output at 1.
pub(super) const ALWAYS: i32 = i32::MAX;
/// Marks a gammon's output where the rules make the game a backgammon, which has no output of its own.
pub(super) const TRIPLE: i32 = i32::MAX - 1;

/// The largest scale of a sum.
const MAX_SCALE: f64 = (1 << 28) as f64;

#[derive(Clone, Debug)]
pub(super) struct OutputLayer {
    /// By line of units before, then by output: the weights.
    pub(super) lines: Vec<CacheLine>,
    pub(super) biases: [i32; Outputs::MAX_COUNT],
    /// The factor of the sum of each output: the product is the argument of the logistic function.
    pub(super) units: [f32; Outputs::MAX_COUNT],
    /// The same weights by output, for the plain specification.
    weights: Vec<Vec<i16>>,
}

impl OutputLayer {
    pub(super) fn new(ones: &[f64], layer: &Layer, number: usize) -> Result<OutputLayer, IntegerError> {
        let mut output_layer = OutputLayer {
            lines: vec![CacheLine::ZERO; layer.outputs() * ones.len().div_ceil(LINE)],
            biases: [0; Outputs::MAX_COUNT],
            units: [0.0; Outputs::MAX_COUNT],
            weights: Vec::new(),
        };
        for output in 0..layer.outputs() {
            let column = QuantizedUnit::new(layer, number, output, ones, MAX_SCALE, f64::floor)?;
            let lines = output_layer.lines.chunks_mut(layer.outputs());
            for (line, weights) in lines.zip(CacheLine::pack(&column.weights)) {
                line[output] = weights;
            }
            output_layer.biases[output] = column.bias;
            output_layer.units[output] = (1.0 / column.scale) as f32;
            output_layer.weights.push(column.weights);
        }
        Ok(output_layer)
    }

    /// The sums of each output for some positions. `activations(position, line, unit)` loads the vector of activations
    /// that begins at a unit of a cache line.
    #[inline(always)]
    pub(super) fn sums<I: I16Isa, const POSITIONS: usize>(
        &self,
        isa: I,
        width: usize,
        activations: impl Fn(usize, usize, usize) -> I::I16Vector,
    ) -> [[i32; POSITIONS]; Outputs::MAX_COUNT] {
        // `Outputs` has three or five.
        match self.weights.len() {
            3 => self.sums_of::<I, POSITIONS, 3>(isa, width, activations),
            _ => self.sums_of::<I, POSITIONS, 5>(isa, width, activations),
        }
    }

    #[inline(always)]
    fn sums_of<I: I16Isa, const POSITIONS: usize, const OUTPUTS: usize>(
        &self,
        isa: I,
        width: usize,
        activations: impl Fn(usize, usize, usize) -> I::I16Vector,
    ) -> [[i32; POSITIONS]; Outputs::MAX_COUNT] {
        let zero = isa.splat_i16(0);
        let none = zero.dot(zero);
        let mut sums = [[none; POSITIONS]; OUTPUTS];
        let (lines, _) = self.lines.as_chunks::<OUTPUTS>();
        for (line, weights) in lines[..width].iter().enumerate() {
            let mut lane = 0;
            while lane < LINE {
                for position in 0..POSITIONS {
                    let activations = activations(position, line, lane);
                    for output in 0..OUTPUTS {
                        let weights = zero.load_slice(&weights[output].0[lane..]);
                        let sum = &mut sums[output][position];
                        *sum = sum.wrapping_add(activations.dot(weights));
                    }
                }
                lane += I::I16Vector::LANES;
            }
        }
        // Four sums at a time have their lanes added up: the sums of an output, or of a position.
        let mut totals = [[0; POSITIONS]; Outputs::MAX_COUNT];
        if POSITIONS == 4 {
            for output in 0..OUTPUTS {
                let mut four = [none; 4];
                four.copy_from_slice(&sums[output]);
                totals[output].copy_from_slice(&I32Accumulator::reduce_add(four));
            }
        } else {
            for position in 0..POSITIONS {
                let mut from = 0;
                while from < OUTPUTS {
                    let mut four = [none; 4];
                    for output in from..OUTPUTS.min(from + 4) {
                        four[output - from] = sums[output][position];
                    }
                    let four = I32Accumulator::reduce_add(four);
                    for output in from..OUTPUTS.min(from + 4) {
                        totals[output][position] = four[output - from];
                    }
                    from += 4;
                }
            }
        }
        for (totals, bias) in totals.iter_mut().zip(self.biases) {
            for total in totals {
                *total = total.wrapping_add(bias);
            }
        }
        totals
    }

    /// The arguments of the logistic functions: the plain specification, in sums that cannot overflow.
    pub(super) fn plain(&self, activations: &[i16]) -> Vec<f32> {
        let outputs = self.weights.iter().enumerate();
        let logits = outputs.map(|(output, weights)| {
            let products = weights.iter().zip(activations);
            let products = products.map(|(&weight, &one)| i64::from(weight) * i64::from(one));
            let sum = products.sum::<i64>() + i64::from(self.biases[output]);
            i32::try_from(sum).expect("the scale leaves room") as f32 * self.units[output]
        });
        logits.collect()
    }
}

/// The probability for an output's sum; `unit` times the sum is the argument of the logistic function.
#[inline(always)]
pub(super) fn probability(sum: i32, unit: f32) -> f32 {
    // Without branches, so that loops over it become vector code.
    let probability = logistic(sum as f32 * unit);
    let probability = if sum == NEVER { 0.0 } else { probability };
    if sum >= TRIPLE { 1.0 } else { probability }
}

/// The smaller of two numbers. Unlike `f32::min`, which handles NaN, it is one instruction.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The equities of positions, in points of the player about to roll. A contained outcome is cut off at the probability
/// of the containing one: a gammon is not more probable than a win.
#[inline(always)]
pub(super) fn equities(
    outputs: Outputs,
    sums: &OutputSums,
    units: &[f32; Outputs::MAX_COUNT],
    equities: &mut Vec<f32>,
) {
    let count = sums[0].len();
    equities.clear();
    equities.resize(count, 0.0);
    let [win, more @ ..] = sums;
    let (win, equities) = (&win[..count], &mut equities[..]);
    let probability = |sum: i32, output: usize| probability(sum, units[output]);
    match outputs {
        Outputs::Cumulative => {
            let [w2, w3, l2, l3] = more;
            let (w2, w3, l2, l3) = (&w2[..count], &w3[..count], &l2[..count], &l3[..count]);
            for at in 0..count {
                let win = probability(win[at], 0);
                let win_gammon = smaller(probability(w2[at], 1), win);
                let win_backgammon = smaller(probability(w3[at], 2), win_gammon);
                let lose_gammon = smaller(probability(l2[at], 3), 1.0 - win);
                let lose_backgammon = smaller(probability(l3[at], 4), lose_gammon);
                equities[at] = 2.0 * win - 1.0 + (win_gammon - lose_gammon) + (win_backgammon - lose_backgammon);
            }
        }
        Outputs::Doubles => {
            let [w2, l2, ..] = more;
            let (w2, l2) = (&w2[..count], &l2[..count]);
            for at in 0..count {
                let win = probability(win[at], 0);
                let win_gammon = smaller(probability(w2[at], 1), win);
                let lose_gammon = smaller(probability(l2[at], 2), 1.0 - win);
                let backgammon = |sum: i32| if sum == TRIPLE { 1.0 } else { 0.0 };
                let backgammons = backgammon(w2[at]) - backgammon(l2[at]);
                equities[at] = 2.0 * win - 1.0 + (win_gammon - lose_gammon) + backgammons;
            }
        }
    }
}
