//! A net of one hidden layer.

use core::hint::black_box;

use tavli_simd::loops::{AddSparseProduct, LANES, Loops, Sparse, call_on, run_on};
use tavli_simd::{Tier, logistic};

use super::encoder::Encoder;
use crate::position::Position;

/// The number of outputs.
const OUTPUTS: usize = 3;

/// The outputs of a net for the player who has just played, each 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Outputs {
    /// The probability of a win; a tie is half a win.
    pub win: f32,
    /// The probability of a double win.
    pub double_win: f32,
    /// The probability of a double loss.
    pub double_loss: f32,
}

impl Outputs {
    /// The outputs that a finished game has, from the points of the player: -2..=2.
    ///
    /// ```
    /// use tavli_variants::nets::Outputs;
    /// assert!([-2, -1, 0, 1, 2].iter().all(|&points| Outputs::at_end(points).equity() == points as f32));
    /// ```
    #[must_use]
    pub fn at_end(points: i32) -> Outputs {
        Outputs {
            win: f32::from(points.signum() as i8 + 1) / 2.0,
            double_win: f32::from(u8::from(points > 1)),
            double_loss: f32::from(u8::from(points < -1)),
        }
    }

    /// Mean points of the player, -2..=2.
    #[must_use]
    pub fn equity(self) -> f32 {
        2.0 * self.win - 1.0 + (self.double_win - self.double_loss)
    }

    /// The outputs for the other player.
    #[must_use]
    pub fn swapped(self) -> Outputs {
        Outputs { win: 1.0 - self.win, double_win: self.double_loss, double_loss: self.double_win }
    }

    /// The outputs within the [possible points](Position::possible_points) of the player on roll; these are for the one
    /// who has just played. An outcome without possible points is 0 and one without an alternative 1, and games are won
    /// doubly at most as often as they are won.
    #[must_use]
    pub fn clamped(self, [least, most]: [i32; 2]) -> Outputs {
        let bounded = |output: f32, is_certain: bool, is_possible: bool| match (is_certain, is_possible) {
            (true, _) => 1.0,
            (_, true) => output,
            (_, false) => 0.0,
        };
        let win = bounded(self.win, most < 0, least < 0);
        Outputs {
            win,
            double_win: bounded(self.double_win.min(win), most == -2, least == -2),
            double_loss: bounded(self.double_loss.min(1.0 - win), least == 2, most == 2),
        }
    }

    /// The outputs in the order of the net's rows.
    #[must_use]
    pub fn to_array(self) -> [f32; OUTPUTS] {
        [self.win, self.double_win, self.double_loss]
    }

    fn from_array([win, double_win, double_loss]: [f32; OUTPUTS]) -> Outputs {
        Outputs { win, double_win, double_loss }
    }
}

/// A net with a hidden layer of logistic units, and logistic [`Outputs`].
///
/// Weights are 32-bit floats. Sums are computed in an order that does not depend on the tier, so that values do not.
///
/// ```
/// use tavli_game::PlayableGame;
/// use tavli_simd::Tier;
/// use tavli_variants::Fevga;
/// use tavli_variants::nets::{Encoder, Net, NetBuffers};
///
/// let start = Fevga::by_rules("default", Tier::best(), 1)?.start();
/// let net = Net::zero(Encoder::Fevga2, 100);
/// let mut values = NetBuffers::default();
/// assert_eq!(net.values(Tier::best(), &[start], &mut values)[0].equity(), 0.0);
/// # Ok::<(), tavli_game::RulesError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    encoder: Encoder,
    units: usize,
    /// A row for each input, then the biases.
    hidden: Vec<f32>,
    /// A row for each output. Behind the weights of the units stands the bias.
    outputs: Vec<f32>,
}

/// The values of positions, and the memory in which they were computed.
#[derive(Clone, Debug, Default)]
pub struct NetBuffers {
    /// The sums of hidden units that all rows begin with.
    first: Vec<f32>,
    inputs: Sparse,
    activations: Vec<f32>,
    outputs: Vec<Outputs>,
}

impl NetBuffers {
    /// The inputs of the positions that [`Net::values`] valued last, a row for each.
    #[must_use]
    pub fn inputs(&self) -> &Sparse {
        &self.inputs
    }

    /// The activations of the hidden units, a row of [`Net::columns`] for each position. After the units
    /// stands a 1, then zeros.
    #[must_use]
    pub fn activations(&self) -> &[f32] {
        &self.activations
    }

    /// The outputs of each position.
    #[must_use]
    pub fn outputs(&self) -> &[Outputs] {
        &self.outputs
    }
}

impl Net {
    /// The most hidden units.
    pub const MAX_UNITS: usize = 4096;

    /// A net with this number of hidden units, whose weights are all 0.
    #[must_use]
    pub fn zero(encoder: Encoder, units: usize) -> Net {
        debug_assert!((1..=Net::MAX_UNITS).contains(&units), "hidden units");
        let mut net = Net { encoder, units, hidden: Vec::new(), outputs: Vec::new() };
        net.hidden = vec![0.0; (encoder.inputs() + 1) * net.columns()];
        net.outputs = vec![0.0; OUTPUTS * net.columns()];
        net
    }

    /// How positions become inputs.
    #[must_use]
    pub fn encoder(&self) -> Encoder {
        self.encoder
    }

    /// The hidden units.
    #[must_use]
    pub fn units(&self) -> usize {
        self.units
    }

    /// The length of a row: a place for each unit and one for the bias of outputs, and padding to whole vectors.
    #[must_use]
    pub fn columns(&self) -> usize {
        (self.units + 1).next_multiple_of(LANES)
    }

    /// The weights of the hidden units: a row of [`Net::columns`] for each input, then one of the biases. What stands
    /// behind the units is 0.
    #[must_use]
    pub fn hidden(&self) -> &[f32] {
        &self.hidden
    }

    /// The weights of the outputs: a row of [`Net::columns`] for each. After the units stands the bias, then
    /// zeros.
    #[must_use]
    pub fn outputs(&self) -> &[f32] {
        &self.outputs
    }

    /// The weights of the [hidden units](Net::hidden) and of the [outputs](Net::outputs), to be changed.
    pub fn weights_mut(&mut self) -> [&mut [f32]; 2] {
        [&mut self.hidden, &mut self.outputs]
    }

    /// Whether all weights are finite numbers.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.hidden.iter().chain(&self.outputs).all(|weight| weight.is_finite())
    }

    /// The values of positions in which the game goes on.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn values<'a>(&self, tier: Tier, positions: &[Position], values: &'a mut NetBuffers) -> &'a [Outputs] {
        let (_, biases) = self.split_hidden();
        values.first.clear();
        values.first.extend_from_slice(biases);
        values.inputs.clear();
        let (encoder, inputs) = (self.encoder, &mut values.inputs);
        call_on(
            tier,
            #[inline(always)]
            move || {
                for position in positions {
                    encoder.encode(position, |input, value| inputs.extend(&[(input as u32, value)]));
                    inputs.end_row();
                }
            },
        );
        self.sum_up(tier, values)
    }

    /// The values after each play of a roll; where the game is over the value is meaningless. `before` is the position
    /// before the plays.
    ///
    /// The sums of the hidden units start from those before the play and are updated by its changes: a third of
    /// the work. Their rounding differs from that of [`Net::values`]. A value does not depend on the other plays.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn values_of_plays<'a>(
        &self,
        tier: Tier,
        before: &Position,
        results: &[Position],
        values: &'a mut NetBuffers,
    ) -> &'a [Outputs] {
        let (inputs, biases) = self.split_hidden();
        values.first.clear();
        values.first.extend_from_slice(biases);
        values.inputs.clear();
        // Seen by the mover, as it is after the play.
        self.encoder.encode_points(&before.swapped(), |input, value| {
            values.inputs.extend(&[(input as u32, value)]);
        });
        values.inputs.end_row();
        let product = AddSparseProduct {
            sums: &mut values.first,
            left: &values.inputs,
            rows: 0..1,
            right: inputs,
            columns: self.columns(),
        };
        run_on(tier, product);
        values.inputs.clear();
        let (encoder, before, inputs) = (self.encoder, &before.own, &mut values.inputs);
        call_on(
            tier,
            #[inline(always)]
            move || {
                for result in results {
                    let mut add = |input: usize, value| inputs.extend(&[(input as u32, value)]);
                    encoder.encode_changes(before, &result.opponent, &mut add);
                    encoder.encode_rest(result, &mut add);
                    inputs.end_row();
                }
            },
        );
        self.sum_up(tier, values)
    }

    /// The rows of the inputs, and the row of the biases.
    fn split_hidden(&self) -> (&[f32], &[f32]) {
        self.hidden.split_at(self.encoder.inputs() * self.columns())
    }

    /// The outputs of each row of inputs, which are added to the sums that all rows begin with.
    fn sum_up<'a>(&self, tier: Tier, values: &'a mut NetBuffers) -> &'a [Outputs] {
        let rows = values.inputs.rows();
        // Not cleared: every place of a row is written.
        values.activations.resize(rows * self.columns(), 0.0);
        values.outputs.resize(rows, Outputs::default());
        let sum_up = SumUp {
            net: self,
            first: &values.first,
            inputs: &values.inputs,
            activations: &mut values.activations,
            outputs: &mut values.outputs,
        };
        run_on(tier, sum_up);
        &values.outputs
    }
}

/// Turns rows of inputs into activations, and these into outputs.
struct SumUp<'a> {
    net: &'a Net,
    /// The sums of the hidden units before the inputs are added.
    first: &'a [f32],
    inputs: &'a Sparse,
    activations: &'a mut [f32],
    outputs: &'a mut [Outputs],
}

impl Loops for SumUp<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(self) {
        let columns = self.net.columns();
        let rows = self.activations.chunks_exact_mut(columns).zip(self.outputs);
        for (row, (activations, outputs)) in rows.enumerate() {
            let inputs = self.inputs.row(row);
            let mut column = 0;
            while column + WIDE <= columns {
                activate::<WIDE>(self.net, self.first, inputs, activations, column);
                column += WIDE;
            }
            // What is left of a row, which is a multiple of `LANES` alone.
            while column + 2 * LANES <= columns {
                activate::<{ 2 * LANES }>(self.net, self.first, inputs, activations, column);
                column += 2 * LANES;
            }
            while column < columns {
                activate::<LANES>(self.net, self.first, inputs, activations, column);
                column += LANES;
            }
            let (one, padding) = activations[self.net.units..].split_first_mut().expect("a place for the bias");
            *one = 1.0;
            padding.fill(0.0);
            // The fourth sum is 0 and fills the vector.
            let mut sums = [0.0; OUTPUTS + 1];
            for (sum, [a, b, c, d]) in sums.iter_mut().zip(products(activations, &self.net.outputs)) {
                *sum = (a + c) + (b + d);
            }
            for sum in &mut sums {
                *sum = logistic(*sum);
            }
            let [win, double_win, double_loss, _] = sums;
            *outputs = Outputs::from_array([win, double_win, double_loss]);
        }
    }
}

/// Computes the activations of `WIDE` hidden units from `column` on.
#[inline(always)]
fn activate<const WIDE: usize>(
    net: &Net,
    first: &[f32],
    (inputs, values): (&[u32], &[f32]),
    activations: &mut [f32],
    column: usize,
) {
    let columns = net.columns();
    let mut sums = [0.0_f32; WIDE];
    sums.copy_from_slice(&first[column..][..WIDE]);
    for (&input, &value) in inputs.iter().zip(values) {
        let weights = &net.hidden[input as usize * columns + column..][..WIDE];
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += value * weight;
        }
    }
    for (activation, sum) in activations[column..][..WIDE].iter_mut().zip(sums) {
        *activation = logistic(sum);
    }
}

/// For each output four partial sums of the products of activations and weights, each of every fourth product.
#[inline(always)]
fn products(activations: &[f32], weights: &[f32]) -> [[f32; 4]; OUTPUTS] {
    let columns = activations.len();
    let mut sums = [[0.0; LANES]; OUTPUTS];
    for column in (0..columns).step_by(LANES) {
        let activations = lanes(&activations[column..]);
        for (output, sums) in sums.iter_mut().enumerate() {
            let weights = lanes(&weights[output * columns + column..]);
            for lane in 0..LANES {
                sums[lane] += activations[lane] * weights[lane];
            }
        }
    }
    // One order of additions for all tiers, so that all round alike.
    let mut fours = [[0.0; 4]; OUTPUTS];
    for (four, lanes) in fours.iter_mut().zip(sums) {
        let mut eight = [0.0; 8];
        for lane in 0..8 {
            eight[lane] = lanes[lane] + lanes[lane + 8];
        }
        for lane in 0..4 {
            four[lane] = eight[lane] + eight[lane + 4];
        }
    }
    // Through memory: else the compiler takes all vectors apart to add up the lanes of several outputs together.
    black_box(fours)
}

/// The first lanes of a row.
#[inline(always)]
fn lanes(row: &[f32]) -> [f32; LANES] {
    row[..LANES].try_into().expect("as many")
}
