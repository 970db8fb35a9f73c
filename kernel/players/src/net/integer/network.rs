//! A net in whole numbers.

use core::num::NonZeroU32;

use tavli_backgammon::evaluators::{PlayValue, Probabilities};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{AllHome, BearOff, Board, Goal, Planes, RuleSet};
use tavli_simd::{Isa, Tier, logistic, on_tier};

use super::dense_layer::DenseLayer;
use super::error::IntegerError;
use super::feature_transformer::FeatureTransformer;
use super::output_layer::{OutputLayer, OutputSums, equities, probability};
use crate::net::move_filter::{MoveFilter, Selection, first_largest};
use crate::net::network::Network;
use crate::net::outputs::Outputs;

/// A [`Network`] in 16-bit integers, which ranks plays and values positions.
///
/// It refreshes the accumulator once for each decision, and updates it incrementally for each play. Integer sums do not
/// depend on their order, so values are the same on every tier, in every batch, and for a position alone.
///
/// Each unit has the largest scale at which no sum of a legal position overflows. So outputs differ only by rounding
/// from the outputs of the [`Network`]. Making the integers takes about a millisecond for 198 inputs and 80 hidden
/// units.
///
/// ```
/// use tavli_backgammon::{Board, Planes};
/// use tavli_players::net::{Activation, Encoder, IntegerNetwork, Network, Outputs};
/// let net = Network::zero(Encoder::Raw198, Activation::Clipped, Outputs::Cumulative, &[80]);
/// let integer = IntegerNetwork::new(&net)?;
/// assert_eq!(integer.outputs_of(&Planes::from(Board::START)), [0.5; 5]);
/// # Ok::<(), tavli_players::net::IntegerError>(())
/// ```
#[derive(Clone, Debug)]
pub struct IntegerNetwork {
    pub(super) outputs: Outputs,
    pub(super) transformer: FeatureTransformer,
    pub(super) dense: Vec<DenseLayer>,
    pub(super) output: OutputLayer,
}

/// A move filter so wide that the rounding of [`IntegerNetwork::rank`] to 32-bit floats cannot drop the play that is
/// best by exact probabilities.
const ROUNDING_FILTER: MoveFilter = MoveFilter { plays: NonZeroU32::MAX, margin: 1e-4 };

impl IntegerNetwork {
    /// Quantizes a net.
    ///
    /// # Errors
    /// [`IntegerError`] if the net has no hidden layer, or a unit whose sum can exceed 32,000 in the first layer or
    /// 4,000 in others: its integers would not tell ordinary sums apart.
    pub fn new(net: &Network) -> Result<IntegerNetwork, IntegerError> {
        let layers = net.layers();
        let [first, hidden @ .., last] = layers else {
            return Err(IntegerError::NoHiddenLayer);
        };
        let transformer = FeatureTransformer::new(net.encoder(), net.activation(), first)?;
        let mut ones = transformer.ones();
        let mut dense = Vec::new();
        for (number, layer) in (2..).zip(hidden) {
            let next = DenseLayer::new(net.activation(), &ones, layer, number)?;
            ones = next.ones();
            dense.push(next);
        }
        Ok(IntegerNetwork {
            outputs: net.outputs(),
            output: OutputLayer::new(&ones, last, layers.len())?,
            transformer,
            dense,
        })
    }

    /// The meaning of the outputs.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        self.outputs
    }

    /// The outputs, each 0..=1, for a position in which the game goes on, seen by the player about to roll: the plain
    /// specification of every faster evaluation, in integers that cannot overflow.
    #[must_use]
    pub fn outputs_of(&self, position: &Planes) -> Vec<f32> {
        let first = self.transformer.plain([position.own(), position.opponent()]);
        let activations = self.dense.iter().fold(first, |before, layer| layer.plain(&before));
        let logits = self.output.plain(&activations);
        logits.into_iter().map(logistic).collect()
    }

    /// Writes the equity of each play of all decisions, in points, for the player who makes it, by the outcomes that
    /// the rules allow after it. A play that ends the game has the points that it wins. The tier changes the speed,
    /// never the values.
    ///
    /// # Panics
    /// If the decisions have not been listed with the changes, or this CPU lacks the tier.
    pub fn rank(&self, tier: Tier, decisions: &RollBatch, values: &mut Vec<f32>) {
        self.rank_selected(tier, decisions, &Selection::all(decisions), values);
    }

    /// [`rank`](IntegerNetwork::rank) for some plays.
    fn rank_selected(&self, tier: Tier, decisions: &RollBatch, selection: &Selection, values: &mut Vec<f32>) {
        let rules = decisions.rules();
        on_tier!(tier, isa => isa.with_features(
            #[inline(always)]
            || {
                let sums = self.sum_plays(isa, decisions, selection);
                equities(self.outputs, &sums, &self.output.units, values);
                // The net values positions for the player next on roll.
                for value in values.iter_mut() {
                    *value = -*value;
                }
            },
        ));
        let mut values = &mut values[..];
        for (decision, plays) in selection.plays_by_decision().enumerate() {
            let (decision_values, others) = values.split_at_mut(plays.len());
            values = others;
            let position = &decisions.positions()[decision];
            if may_end(rules, position) {
                let changes = decisions.changes_of(decision);
                for (value, &play) in decision_values.iter_mut().zip(plays) {
                    let result = Board::from(changes[play as usize].made_in(position));
                    if let Some(end) = rules.outcome_of_play(result.opponent(), result.own()) {
                        *value = end.points() as f32;
                    }
                }
            }
        }
    }

    /// Writes the first play of the largest [equity](IntegerNetwork::rank) of each decision.
    ///
    /// # Panics
    /// As [`rank`](IntegerNetwork::rank).
    pub fn pick(&self, tier: Tier, decisions: &RollBatch, picks: &mut [u32]) {
        self.pick_selected(tier, decisions, &Selection::all(decisions), picks);
    }

    /// [`pick`](IntegerNetwork::pick) among some plays, at least one of each decision.
    pub(in crate::net) fn pick_selected(
        &self,
        tier: Tier,
        decisions: &RollBatch,
        selection: &Selection,
        picks: &mut [u32],
    ) {
        let mut values = Vec::new();
        self.rank_selected(tier, decisions, &selection.choices(), &mut values);
        let mut values = &values[..];
        for (pick, plays) in picks.iter_mut().zip(selection.plays_by_decision()) {
            let mut best = 0;
            if plays.len() > 1 {
                let (decision_values, others) = values.split_at(plays.len());
                best = first_largest(decision_values);
                values = others;
            }
            *pick = plays[best as usize];
        }
    }

    /// The plays of a selection that pass a move filter, ranked by this net.
    pub(in crate::net) fn filter(
        &self,
        tier: Tier,
        decisions: &RollBatch,
        selection: &Selection,
        filter: MoveFilter,
    ) -> Selection {
        let mut ranks = Vec::new();
        self.rank_selected(tier, decisions, &selection.choices(), &mut ranks);
        selection.filtered(filter, &ranks)
    }

    /// For each decision, the first play that leaves the next player the least equity, with the
    /// [probabilities](IntegerNetwork::evaluate) after it. Only plays [ranked](IntegerNetwork::rank) near the best get
    /// probabilities.
    ///
    /// # Panics
    /// As [`rank`](IntegerNetwork::rank).
    pub fn best_plays(&self, tier: Tier, decisions: &RollBatch) -> Vec<PlayValue> {
        let near = self.filter(tier, decisions, &Selection::all(decisions), ROUNDING_FILTER);
        self.best_selected(tier, decisions, &near)
    }

    /// [`best_plays`](IntegerNetwork::best_plays) among some plays, at least one of each decision.
    pub(in crate::net) fn best_selected(
        &self,
        tier: Tier,
        decisions: &RollBatch,
        selection: &Selection,
    ) -> Vec<PlayValue> {
        let values = self.play_values(tier, decisions, selection);
        let mut values = values.into_iter();
        let play_counts = selection.plays_by_decision().map(|plays| plays.len());
        let best = play_counts.map(|plays| PlayValue::best(values.by_ref().take(plays)));
        best.map(|best| best.expect("a play of each decision")).collect()
    }

    /// The values after some plays of all decisions.
    pub(in crate::net) fn play_values(
        &self,
        tier: Tier,
        decisions: &RollBatch,
        selection: &Selection,
    ) -> Vec<PlayValue> {
        let rules = decisions.rules();
        let outputs = on_tier!(tier, isa => isa.with_features(
            #[inline(always)]
            || {
                let sums = self.sum_plays(isa, decisions, selection);
                self.probabilities_of(&sums)
            },
        ));
        let mut values = Vec::with_capacity(selection.len());
        for (decision, plays) in selection.plays_by_decision().enumerate() {
            let position = &decisions.positions()[decision];
            let may_end = may_end(rules, position);
            let changes = decisions.changes_of(decision);
            for &index in plays {
                let over = match may_end {
                    true => rules.outcome(&Board::from(changes[index as usize].made_in(position))),
                    false => None,
                };
                let value = match over {
                    Some(outcome) => Probabilities::certain(outcome),
                    None => self.probabilities_at(&outputs, values.len()),
                };
                values.push(PlayValue { index, value });
            }
        }
        values
    }

    /// Writes the probabilities of the outcomes for positions in which the game goes on, seen by the player about to
    /// roll. An outcome that is not [possible](tavli_backgammon::evaluators::OutcomeSet::possible) counts as the next
    /// lesser one.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or there are more `values` than positions.
    pub fn evaluate(&self, rules: RuleSet, tier: Tier, positions: &[Planes], values: &mut [Probabilities]) {
        let outputs = on_tier!(tier, isa => isa.with_features(
            #[inline(always)]
            || {
                let sums = self.sum_positions(isa, rules, positions);
                self.probabilities_of(&sums)
            },
        ));
        for (position, value) in values.iter_mut().enumerate() {
            *value = self.probabilities_at(&outputs, position);
        }
    }

    /// The outputs for these sums: an array of probabilities for each output.
    #[inline(always)]
    fn probabilities_of(&self, sums: &OutputSums) -> [Vec<f32>; Outputs::MAX_COUNT] {
        core::array::from_fn(|output| {
            let unit = self.output.units[output];
            let sums = sums[output].iter();
            sums.map(|&sum| probability(sum, unit)).collect()
        })
    }

    /// The probabilities of the outcomes for one of the positions that have these outputs.
    fn probabilities_at(&self, outputs: &[Vec<f32>; Outputs::MAX_COUNT], position: usize) -> Probabilities {
        let mut here = [0.0; Outputs::MAX_COUNT];
        for (here, output) in here.iter_mut().zip(&outputs[..self.outputs.count()]) {
            *here = output[position];
        }
        self.outputs.probabilities(&here)
    }
}

/// Whether a play may end the game: a play moves at most four checkers, so at most four may be left to bear off, or to
/// bring home.
fn may_end(rules: RuleSet, position: &Planes) -> bool {
    let to_clear = if rules.bears_off() { BearOff::TO_CLEAR } else { AllHome::TO_CLEAR };
    let planes = (0..).zip(position.own());
    let left: u32 = planes.map(|(bit, plane)| (plane & to_clear).count_ones() << bit).sum();
    left <= 4
}
