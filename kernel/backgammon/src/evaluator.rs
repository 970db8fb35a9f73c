//! The trait of evaluators, which value positions.

use core::any::Any;
use core::fmt;
use core::num::NonZeroU32;

use crate::board::{Board, Planes};
use crate::evaluation_conditions::EvaluationConditions;
use crate::known_values::Knowledge;
use crate::outcome::Outcome;
use crate::plays::View;
use crate::possible_outcomes::OutcomeSet;
use crate::probabilities::Probabilities;
use crate::rules::RuleSet;
use crate::stepping::RollBatch;
use tavli_base::Stopped;

/// Gives the probabilities of the outcomes of positions.
///
/// An evaluator is a pure function of each position, its seed if it has one, and the rules: values depend on no batch
/// or thread. It is not asked about positions in which the game is over: the caller knows [their value](value_if_over).
/// An outcome that the rules exclude has the probability 0.
pub trait Evaluator: Any + fmt::Debug + Send + Sync {
    /// The name of the evaluator, with all that decides its values. Saved rollouts hold the name, and only an evaluator
    /// of the same name continues them.
    fn name(&self) -> &str;

    /// The number of games that each value averages; `None` if the evaluator plays no games. The mean of few games is
    /// as rough as their ends, and two positions of nearly the same value may seem far apart.
    fn games(&self) -> Option<NonZeroU32> {
        None
    }

    /// Estimates positions in which the game goes on, for the player on roll in each. `values` has a place for each. A
    /// call that takes longer than a few milliseconds must ask [`EvaluationConditions::stop`] every few milliseconds.
    /// Evaluators implement this function; callers take [`evaluate`](Evaluator::evaluate).
    ///
    /// # Errors
    /// [`Stopped`], only if the conditions say so before the end.
    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped>;

    /// Values positions in which the game goes on, for the player on roll in each. The values are those of
    /// [`estimate`](Evaluator::estimate), limited to the [possible](OutcomeSet::possible) outcomes as by
    /// [`restricted_to`](Probabilities::restricted_to). `values` has a place for each.
    ///
    /// # Errors
    /// [`Stopped`], only if the conditions say so before the end.
    fn evaluate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        self.estimate(conditions, positions, values)?;
        for (value, position) in values.iter_mut().zip(positions) {
            *value = value.restricted_to(OutcomeSet::possible(conditions.rules(), position));
        }
        Ok(())
    }

    /// The values of [`evaluate`](Evaluator::evaluate), in the order of the positions.
    ///
    /// # Errors
    /// As [`evaluate`](Evaluator::evaluate).
    fn evaluated(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
    ) -> Result<Vec<Probabilities>, Stopped> {
        // Any value will do: `evaluate` writes each.
        let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
        self.evaluate(conditions, positions, &mut values)?;
        Ok(values)
    }

    /// How well the value of a position is known. Looking ahead from an [exact](Knowledge::Exact) value would only
    /// round it once more. The answer takes no time, as that of
    /// [`KnownValues::knowledge`](crate::evaluators::KnownValues::knowledge).
    fn knowledge(&self, rules: RuleSet, position: &Planes) -> Knowledge {
        let _ = (rules, position);
        Knowledge::Unknown
    }

    /// The lists about plays that [`best_plays`](Evaluator::best_plays) and
    /// [`candidate_plays`](Evaluator::candidate_plays) read.
    fn view_of_plays(&self) -> View {
        View::RESULTS
    }

    /// The play of each decision after which the next player has the least equity (the first of equals). The decisions
    /// are listed with [`view_of_plays`](Evaluator::view_of_plays). A faster implementation must find the same play, or
    /// one that passes its own move filter. Seeds are those of the decisions.
    ///
    /// # Errors
    /// As [`evaluate`](Evaluator::evaluate).
    fn best_plays(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<PlayValue>, Stopped> {
        let near = self.candidate_plays(conditions, decisions)?;
        let best = near.into_iter().map(|plays| PlayValue::best(plays.into_iter()));
        Ok(best.map(|best| best.expect("a decision has a play")).collect())
    }

    /// The plays of each decision that may be the best, in their order, with the value after each: all plays, or those
    /// that pass a move filter of the evaluator. A player with a cube, who decides by more than the equity, chooses
    /// among them. The decisions are listed as for [`best_plays`](Evaluator::best_plays), and seeds are theirs.
    ///
    /// # Errors
    /// As [`evaluate`](Evaluator::evaluate).
    fn candidate_plays(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<Vec<PlayValue>>, Stopped> {
        values_of_all_plays(self, conditions, decisions)
    }
}

/// The values after all plays of each decision, as [`Evaluator::candidate_plays`] has them unless an evaluator has a
/// move filter. The decisions are listed with the results.
///
/// # Errors
/// [`Stopped`] if the conditions say so before the end.
pub fn values_of_all_plays(
    evaluator: &(impl Evaluator + ?Sized),
    conditions: &EvaluationConditions<'_>,
    decisions: &RollBatch,
) -> Result<Vec<Vec<PlayValue>>, Stopped> {
    let ends = decisions.offsets().windows(2);
    let decision_of_play = (0..).zip(ends.clone());
    let decision_of_play = decision_of_play.flat_map(|(decision, ends)| (ends[0]..ends[1]).map(move |_| decision));
    // All plays of a decision have its seed, so that they are compared on the same dice.
    let seeds = conditions.seeds_at(decision_of_play);
    let result_conditions = conditions.seeded(seeds.as_deref());
    let values = values(evaluator, &result_conditions, decisions.results())?;
    let values_by_decision = ends.map(|ends| {
        let plays = (0..).zip(&values[ends[0]..ends[1]]);
        plays.map(|(index, &value)| PlayValue { index, value }).collect()
    });
    Ok(values_by_decision.collect())
}

/// The value of a position in which the game is over, for the player next on roll; `None` if it goes on.
#[must_use]
pub fn value_if_over(rules: RuleSet, position: &Planes) -> Option<Probabilities> {
    let outcome = rules.outcome(&Board::from(*position));
    outcome.map(Probabilities::certain)
}

/// The values of positions by an evaluator. The evaluator is asked only about positions in which the game goes on;
/// finished games have [their own value](value_if_over).
///
/// # Errors
/// [`Stopped`] if the conditions say so before the end.
pub fn values(
    evaluator: &(impl Evaluator + ?Sized),
    conditions: &EvaluationConditions<'_>,
    positions: &[Planes],
) -> Result<Vec<Probabilities>, Stopped> {
    values_with(evaluator, conditions, positions, |position| value_if_over(conditions.rules(), position))
}

/// The values of positions by an evaluator, which is asked only about those without a `known` value.
///
/// # Errors
/// [`Stopped`] if the conditions say so before the end.
pub fn values_with(
    evaluator: &(impl Evaluator + ?Sized),
    conditions: &EvaluationConditions<'_>,
    positions: &[Planes],
    known: impl Fn(&Planes) -> Option<Probabilities>,
) -> Result<Vec<Probabilities>, Stopped> {
    let (mut others, mut indices) = (Vec::new(), Vec::new());
    let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
    for (index, (position, value)) in positions.iter().zip(&mut values).enumerate() {
        match known(position) {
            Some(known) => *value = known,
            None => {
                others.push(*position);
                indices.push(index);
            }
        }
    }
    // A position keeps its own seed where others are left out.
    let seeds = conditions.seeds_at(indices.iter().copied());
    let found = evaluator.evaluated(&conditions.seeded(seeds.as_deref()), &others)?;
    for (index, value) in indices.into_iter().zip(found) {
        values[index] = value;
    }
    Ok(values)
}

/// A play, and the value of the position after it for the next player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayValue {
    /// Its index among the plays of its decision.
    pub index: u32,
    /// The value of the position after it, for the next player.
    pub value: Probabilities,
}

impl PlayValue {
    /// The play after which the next player has the least equity (the first of equals); `None` without plays.
    #[must_use]
    pub fn best(plays: impl Iterator<Item = PlayValue>) -> Option<PlayValue> {
        plays.min_by(|a, b| a.value.equity().total_cmp(&b.value.equity()))
    }
}
