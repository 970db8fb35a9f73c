//! The best play of each of many decisions, by an evaluator, with or without a move filter.

use core::num::NonZeroU32;
use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{BestPlay, Conditions, Evaluator, Probabilities, value_if_over};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::plays::View;
use tavli_backgammon::{Outcome, Planes, Stopped};

/// A move filter that ranks plays by an evaluator: only the best plays of a roll are valued by the evaluator that
/// decides. Plays that end the game always pass, and do not count.
///
/// [`MoveFilter`](crate::net::MoveFilter) ranks by a net, inside a player of two nets.
#[derive(Clone, Debug)]
pub struct EvaluatorMoveFilter {
    /// The most plays of a roll that pass.
    pub plays: NonZeroU32,
    /// The evaluator that ranks all plays of the roll.
    pub by: Arc<dyn Evaluator>,
}

/// The view of plays that [`best`] needs.
pub(crate) fn view(evaluator: &dyn Evaluator, filter: Option<&EvaluatorMoveFilter>) -> View {
    match filter {
        None => evaluator.view_of_plays(),
        Some(_) => View::RESULTS,
    }
}

/// The first play of each decision after which the next player has the least equity. The decisions must be listed with
/// [`view`]; conditions may have a seed for each decision.
pub(crate) fn best(
    conditions: &Conditions<'_>,
    decisions: &Decisions,
    evaluator: &dyn Evaluator,
    filter: Option<&EvaluatorMoveFilter>,
) -> Result<Vec<BestPlay>, Stopped> {
    let Some(filter) = filter else {
        return evaluator.best_plays(conditions, decisions);
    };
    let values = values(conditions, decisions, evaluator, filter)?;
    let best = plays(decisions).map(|plays| {
        let valued = values[plays].iter().zip(0..);
        let valued = valued.filter_map(|(value, index)| {
            let value = (*value)?;
            Some(BestPlay { index, value })
        });
        BestPlay::of(valued).expect("of each decision a play is valued")
    });
    Ok(best.collect())
}

/// The value of each play of all decisions for the player next on roll; `None` if it does not pass the filter. A play
/// that ends the game has its exact value.
fn values(
    conditions: &Conditions<'_>,
    decisions: &Decisions,
    evaluator: &dyn Evaluator,
    EvaluatorMoveFilter { plays: most, by }: &EvaluatorMoveFilter,
) -> Result<Vec<Option<Probabilities>>, Stopped> {
    let results = decisions.results();
    let known = |result| value_if_over(conditions.rules(), result);
    let mut values: Vec<_> = results.iter().map(known).collect();
    let of_plays = (0..).zip(plays(decisions));
    let of_plays = of_plays.flat_map(|(decision, plays)| plays.map(move |_| decision));
    let seeds = conditions.seeds_at(of_plays);
    let conditions = conditions.seeded(seeds.as_deref());
    let goes_on = |plays: Range<usize>| plays.filter(|&play| values[play].is_none());
    let unended: Vec<usize> = goes_on(0..results.len()).collect();
    let ranks = evaluate_plays(&conditions, by.as_ref(), results, &unended)?;
    let mut equities = vec![0.0; results.len()];
    for (&play, rank) in unended.iter().zip(&ranks) {
        equities[play] = rank.equity();
    }
    let most = most.get() as usize;
    let valued: Vec<usize> = plays(decisions)
        .flat_map(|plays| {
            let mut plays: Vec<usize> = goes_on(plays).collect();
            plays.sort_by(|&a, &b| f64::total_cmp(&equities[a], &equities[b]));
            plays.truncate(most);
            plays
        })
        .collect();
    let found = evaluate_plays(&conditions, evaluator, results, &valued)?;
    for (play, value) in valued.into_iter().zip(found) {
        values[play] = Some(value);
    }
    Ok(values)
}

/// The range of each decision's plays among all plays.
fn plays(decisions: &Decisions) -> impl Iterator<Item = Range<usize>> {
    let ends = decisions.offsets().windows(2);
    ends.map(|ends| ends[0]..ends[1])
}

/// The values of the positions after some plays, given by their indices among all plays.
fn evaluate_plays(
    conditions: &Conditions<'_>,
    evaluator: &dyn Evaluator,
    results: &[Planes],
    plays: &[usize],
) -> Result<Vec<Probabilities>, Stopped> {
    let positions: Vec<Planes> = plays.iter().map(|&play| results[play]).collect();
    let seeds = conditions.seeds_at(plays.iter().copied());
    let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
    evaluator.evaluate(&conditions.seeded(seeds.as_deref()), &positions, &mut values)?;
    Ok(values)
}
