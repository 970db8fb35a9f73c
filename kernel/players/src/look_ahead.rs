//! Values and plays by looking ahead.

use core::num::NonZeroU32;
use std::sync::Arc;

use tavli_backgammon::evaluators::{
    EvaluationConditions, Evaluator, Knowledge, OutcomeSet, PlayValue, Probabilities, value_if_over,
};
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, Outcome, Planes, Roll, RuleSet, Stopped};

use crate::move_filters::MoveFilters;

/// Positions whose plays are listed together: enough to fill an evaluator's batches, few enough for memory.
const POSITIONS_PER_LISTING: usize = 32;

/// Looks a fixed number of plies ahead. The value of a position is a mean over the 36 throws. For each of the 21 rolls
/// an evaluator picks a play without looking ahead, as in GNU Backgammon, and the position after this play is valued
/// one ply less deep. At depth 0 the evaluator's value counts. A value that the evaluator [knows
/// exactly](Evaluator::knowledge) stays as it is. Picking the plays by deeper values would take some 20 times as long
/// for each ply, and the values would not be better: the largest of several inexact values is too high on average.
///
/// As a policy it picks, of the plays that pass its [move filters](MoveFilters), the best after looking ahead.
///
/// ```
/// use core::num::NonZeroU32;
/// use std::sync::Arc;
/// use tavli_backgammon::evaluators::{Evaluator, Sampled};
/// use tavli_players::{LookAhead, MoveFilters};
/// let evaluator: Arc<dyn Evaluator> = Arc::new("sampled:6".parse::<Sampled>()?);
/// let ahead = LookAhead::new(evaluator, NonZeroU32::MIN, MoveFilters::default());
/// assert_eq!(Evaluator::name(&ahead), "sampled:6:uniform+1ply");
/// # Ok::<(), tavli_backgammon::evaluators::EvaluatorError>(())
/// ```
// Two plies ahead, plays after a roll chosen by looking one ply ahead lost 0.0021 points a decision at 0.45 s in the
// median; chosen without, as here, they lost 0.0010 (profiles/LOG.md, 2026-11-27).
#[derive(Clone, Debug)]
pub struct LookAhead {
    name: String,
    evaluator: Arc<dyn Evaluator>,
    plies: NonZeroU32,
    filters: MoveFilters,
}

impl LookAhead {
    /// Looks `plies` plies ahead, and values the positions there by `evaluator`.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, plies: NonZeroU32, filters: MoveFilters) -> LookAhead {
        LookAhead { name: format!("{}+{plies}ply{}", evaluator.name(), filters.name), evaluator, plies, filters }
    }

    /// The values of positions in which the game goes on, `plies` plies ahead.
    fn values(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        plies: u32,
    ) -> Result<Vec<Probabilities>, Stopped> {
        let Some(further) = plies.checked_sub(1) else {
            return self.evaluator.evaluated(conditions, positions);
        };
        let is_exact = |index: &usize| {
            let knowledge = self.evaluator.knowledge(conditions.rules(), &positions[*index]);
            knowledge == Knowledge::Exact
        };
        let (exact, open): (Vec<usize>, Vec<usize>) = (0..positions.len()).partition(is_exact);
        let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
        if !exact.is_empty() {
            // The recursion ends: the first call looks no ply ahead, and the second has no exact position.
            for (indices, plies) in [(exact, 0), (open, plies)] {
                let seeds = conditions.seeds_at(indices.iter().copied());
                let positions: Vec<Planes> = indices.iter().map(|&index| positions[index]).collect();
                let found = self.values(&conditions.seeded(seeds.as_deref()), &positions, plies)?;
                for (index, value) in indices.into_iter().zip(found) {
                    values[index] = value;
                }
            }
            return Ok(values);
        }
        let parts = positions.chunks(POSITIONS_PER_LISTING).zip(values.chunks_mut(POSITIONS_PER_LISTING));
        for (part, (positions, values)) in parts.enumerate() {
            conditions.check()?;
            let indices = (part * POSITIONS_PER_LISTING..).take(positions.len());
            let seeds = conditions.seeds_at(indices);
            self.means_over_rolls(&conditions.seeded(seeds.as_deref()), positions, further, values)?;
        }
        Ok(values)
    }

    /// The mean value of each of at most [`POSITIONS_PER_LISTING`] positions over the 21 rolls. A roll has the value of
    /// the position after its play, `further` plies ahead.
    fn means_over_rolls(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        further: u32,
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        debug_assert!(positions.len() <= POSITIONS_PER_LISTING);
        debug_assert_eq!(positions.len(), values.len());
        let mut decisions = RollBatch::new(conditions.rules()).with_tier(conditions.tier());
        for &position in positions {
            let pushed = decisions.push_rolls(&Board::from(position));
            pushed.unwrap_or_else(|error| panic!("the position cannot be valued: {error}"));
        }
        decisions.list(self.evaluator.view_of_plays());
        // All decisions of a position have its seed, so that its plays are compared on the same dice.
        let of_rolls = 0..decisions.len();
        let seeds = conditions.seeds_at(of_rolls.map(|decision| decision / Roll::ALL.len()));
        let conditions = conditions.seeded(seeds.as_deref());
        let best = self.evaluator.best_plays(&conditions, &decisions)?;
        let mut after: Vec<Probabilities> = best.iter().map(|best| best.value).collect();
        if further > 0 {
            let picks: Vec<u32> = best.iter().map(|best| best.index).collect();
            let results = decisions.make(&picks).expect("the best plays are plays");
            self.replace_values(&conditions, results, further, &mut after)?;
        }
        for ((value, position), after) in values.iter_mut().zip(positions).zip(after.chunks(Roll::ALL.len())) {
            let possible = OutcomeSet::possible(conditions.rules(), position);
            *value = Probabilities::mean_over_rolls(after).restricted_to(possible);
        }
        Ok(())
    }

    /// Replaces the values of positions in which the game goes on by values `plies` plies ahead. The positions after
    /// the 21 rolls of a root are adjacent and have the root's seed.
    fn replace_values(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        plies: u32,
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        let goes_on = |index: &usize| value_if_over(conditions.rules(), &positions[*index]).is_none();
        // Several rolls may lead to the same position, for instance if none can be played: it is valued once.
        let first = |index: usize| {
            let of_rolls = index / Roll::ALL.len() * Roll::ALL.len()..index;
            let mut of_rolls = of_rolls.filter(|&other| positions[other] == positions[index]);
            of_rolls.next().unwrap_or(index)
        };
        let indices: Vec<usize> = (0..positions.len()).filter(|&index| first(index) == index).filter(goes_on).collect();
        let distinct: Vec<Planes> = indices.iter().map(|&index| positions[index]).collect();
        let seeds = conditions.seeds_at(indices.iter().copied());
        let found = self.values(&conditions.seeded(seeds.as_deref()), &distinct, plies)?;
        for (&index, found) in indices.iter().zip(found) {
            values[index] = found;
        }
        for index in 0..positions.len() {
            values[index] = values[first(index)];
        }
        Ok(())
    }

    /// The plays of each decision that pass the move filters, valued the full number of plies ahead. A single play that
    /// is left is the best in any case, and is not valued further.
    fn candidates(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<Vec<Candidate>>, Stopped> {
        let mut candidates: Vec<Vec<Candidate>> = (0..decisions.len())
            .map(|decision| {
                let results = (0..).zip(decisions.results_of(decision));
                let candidate = |(index, result)| Candidate::new(index, value_if_over(conditions.rules(), result));
                results.map(candidate).collect()
            })
            .collect();
        let several = |plays: &[Candidate]| plays.len() > 1;
        for plies in (0..self.plies.get()).filter(|&plies| self.filters.filter_at(plies)) {
            self.value(conditions, decisions, plies, several, &mut candidates)?;
            candidates.iter_mut().for_each(|plays| self.filter(plies, plays));
        }
        self.value(conditions, decisions, self.plies.get(), several, &mut candidates)?;
        Ok(candidates)
    }

    /// Values the candidates of the decisions that `are_valued`, `plies` plies ahead.
    fn value(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
        plies: u32,
        are_valued: impl Fn(&[Candidate]) -> bool,
        candidates: &mut [Vec<Candidate>],
    ) -> Result<(), Stopped> {
        let (mut positions, mut of_decisions) = (Vec::new(), Vec::new());
        for (decision, plays) in candidates.iter().enumerate().filter(|(_, plays)| are_valued(plays)) {
            for candidate in plays.iter().filter(|candidate| !candidate.is_over) {
                positions.push(decisions.results_of(decision)[candidate.play.index as usize]);
                of_decisions.push(decision);
            }
        }
        if positions.is_empty() {
            return Ok(());
        }
        let seeds = conditions.seeds_at(of_decisions.into_iter());
        let conditions = conditions.seeded(seeds.as_deref());
        let values = match &self.filters.by {
            Some(by) if plies == 0 => by.evaluated(&conditions, &positions)?,
            _ => self.values(&conditions, &positions, plies)?,
        };
        let valued = candidates.iter_mut().filter(|plays| are_valued(plays));
        let valued = valued.flatten().filter(|candidate| !candidate.is_over);
        for (candidate, value) in valued.zip(values) {
            candidate.play.value = value;
        }
        Ok(())
    }

    /// Keeps the candidates that pass the filter after `plies` plies, and the candidates that end the game.
    fn filter(&self, plies: u32, plays: &mut Vec<Candidate>) {
        let (mut passing, open): (Vec<Candidate>, Vec<Candidate>) =
            plays.iter().partition(|candidate| candidate.is_over);
        if !open.is_empty() {
            let equities: Vec<f64> = open.iter().map(|open| -open.play.value.equity()).collect();
            passing.extend(self.filters.passing(plies, &equities).into_iter().map(|at| open[at]));
            // In the order of the plays again, since of equally good ones the first is the best.
            passing.sort_by_key(|candidate| candidate.play.index);
            *plays = passing;
        }
    }
}

/// A play that may be the best.
#[derive(Clone, Copy)]
struct Candidate {
    play: PlayValue,
    /// Whether it ends the game, so that its value is exact.
    is_over: bool,
}

impl Candidate {
    fn new(index: u32, value_if_over: Option<Probabilities>) -> Candidate {
        // Any value: a play after which the game goes on is valued before it is compared.
        let value = value_if_over.unwrap_or(Probabilities::certain(Outcome::WinSingle));
        Candidate { play: PlayValue { index, value }, is_over: value_if_over.is_some() }
    }
}

impl Evaluator for LookAhead {
    fn name(&self) -> &str {
        &self.name
    }

    /// As many as the evaluator at the end of the look-ahead: the games of all rolls have the same dice.
    fn games(&self) -> Option<NonZeroU32> {
        self.evaluator.games()
    }

    fn knowledge(&self, rules: RuleSet, position: &Planes) -> Knowledge {
        self.evaluator.knowledge(rules, position)
    }

    /// Asks `conditions` whether to stop before every 32 positions.
    ///
    /// # Panics
    /// If in one of the positions the game is over.
    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        values.copy_from_slice(&self.values(conditions, positions, self.plies.get())?);
        Ok(())
    }

    /// The plays that pass the move filters.
    fn candidate_plays(
        &self,
        conditions: &EvaluationConditions<'_>,
        decisions: &RollBatch,
    ) -> Result<Vec<Vec<PlayValue>>, Stopped> {
        let mut candidates = self.candidates(conditions, decisions)?;
        let is_alone = |plays: &[Candidate]| plays.len() == 1;
        self.value(conditions, decisions, self.plies.get(), is_alone, &mut candidates)?;
        let near = candidates.into_iter();
        let near = near.map(|plays| plays.into_iter().map(|candidate| candidate.play).collect());
        Ok(near.collect())
    }
}

impl Policy for LookAhead {
    fn name(&self) -> &str {
        &self.name
    }

    fn view(&self) -> View {
        View::RESULTS
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let conditions = EvaluationConditions::new(decisions.rules(), decisions.tier()).with_stop(stop);
        for (pick, plays) in picks.iter_mut().zip(self.candidates(&conditions, decisions)?) {
            let best = PlayValue::best(plays.into_iter().map(|candidate| candidate.play));
            *pick = best.expect("a decision has a play").index;
        }
        Ok(())
    }

    fn first_games(&self) -> u64 {
        1
    }

    fn evaluator(self: Arc<Self>) -> Option<Arc<dyn Evaluator>> {
        Some(self)
    }
}
