//! A net of one hidden layer.

use tavli_simd::loops::{AddSparseProduct, LANES, Loops, Sparse, run_on};
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
    /// use tavli_tables::nets::Outputs;
    /// assert!([-2, -1, 0, 1, 2].iter().all(|&points| Outputs::of_end(points).equity() == points as f32));
    /// ```
    #[must_use]
    pub fn of_end(points: i32) -> Outputs {
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
        Outputs {
            win: 1.0 - self.win,
            double_win: self.double_loss,
            double_loss: self.double_win,
        }
    }

    /// The outputs in the order of the net's rows.
    #[must_use]
    pub fn to_array(self) -> [f32; OUTPUTS] {
        [self.win, self.double_win, self.double_loss]
    }

    fn from_array([win, double_win, double_loss]: [f32; OUTPUTS]) -> Outputs {
        Outputs {
            win,
            double_win,
            double_loss,
        }
    }
}

/// A net with a hidden layer of logistic units, and logistic [`Outputs`].
///
/// Weights are 32-bit floats. Sums are computed in an order that does not depend on the tier, so that values do not.
///
/// ```
/// use tavli_game::NamedGame;
/// use tavli_simd::Tier;
/// use tavli_tables::Fevga;
/// use tavli_tables::nets::{Encoder, Net, Values};
///
/// let start = Fevga::by_rules("default", Tier::best(), 1)?.start();
/// let net = Net::zero(Encoder::Fevga2, 100);
/// let mut values = Values::default();
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

/// The values of positions, and the room in which they were computed.
#[derive(Clone, Debug, Default)]
pub struct Values {
    inputs: Sparse,
    activations: Vec<f32>,
    outputs: Vec<Outputs>,
}

impl Values {
    /// The inputs of the positions, a row for each.
    #[must_use]
    pub fn inputs(&self) -> &Sparse {
        &self.inputs
    }

    /// The activations of the hidden units, a row of [`Net::columns`] for each position. Behind those of the units
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
    pub const MOST_UNITS: usize = 4096;

    /// A net with this number of hidden units, whose weights are all 0.
    #[must_use]
    pub fn zero(encoder: Encoder, units: usize) -> Net {
        debug_assert!((1..=Net::MOST_UNITS).contains(&units), "hidden units");
        let mut net = Net {
            encoder,
            units,
            hidden: Vec::new(),
            outputs: Vec::new(),
        };
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

    /// The weights of the outputs: a row of [`Net::columns`] for each. Behind those of the units stands the bias, then
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
    pub fn values<'a>(&self, tier: Tier, positions: &[Position], values: &'a mut Values) -> &'a [Outputs] {
        let columns = self.columns();
        let (inputs, bias) = self.hidden.split_at(self.encoder.inputs() * columns);
        values.inputs.clear();
        values.activations.clear();
        for position in positions {
            let row = &mut values.inputs;
            self.encoder
                .encode(position, |input, value| row.extend(&[(input as u32, value)]));
            values.inputs.end_row();
            values.activations.extend_from_slice(bias);
        }
        let product = AddSparseProduct {
            sums: &mut values.activations,
            left: &values.inputs,
            rows: 0..positions.len(),
            right: inputs,
            columns,
        };
        run_on(tier, product);
        values.outputs.clear();
        values.outputs.resize(positions.len(), Outputs::default());
        let activate = Activate {
            net: self,
            sums: &mut values.activations,
            outputs: &mut values.outputs,
        };
        run_on(tier, activate);
        &values.outputs
    }
}

/// Turns the sums of hidden units into activations, and these into outputs.
struct Activate<'a> {
    net: &'a Net,
    sums: &'a mut [f32],
    outputs: &'a mut [Outputs],
}

impl Loops for Activate<'_> {
    #[inline(always)]
    fn run<const WIDE: usize>(self) {
        let columns = self.net.columns();
        for (row, outputs) in self.sums.chunks_exact_mut(columns).zip(self.outputs) {
            for lanes in row.chunks_exact_mut(LANES) {
                for sum in lanes {
                    *sum = logistic(*sum);
                }
            }
            let (one, padding) = row[self.net.units..].split_first_mut().expect("a place for the bias");
            *one = 1.0;
            padding.fill(0.0);
            let mut sums = [0.0; OUTPUTS];
            for (sum, weights) in sums.iter_mut().zip(self.net.outputs.chunks_exact(columns)) {
                *sum = logistic(dot(row, weights));
            }
            *outputs = Outputs::from_array(sums);
        }
    }
}

/// The sum of products, lane by lane, then of halves of the lanes: an order that all tiers have.
#[inline(always)]
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (left, right) in left.chunks_exact(LANES).zip(right.chunks_exact(LANES)) {
        for (sum, (left, right)) in sums.iter_mut().zip(left.iter().zip(right)) {
            *sum += left * right;
        }
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    sums[0]
}
