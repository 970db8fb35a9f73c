//! The best play by an evaluator, in each of many decisions.

use core::num::NonZeroU32;
use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Probabilities};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::{Board, Outcome, Planes, RuleSet, Tier};

/// How many plays of a roll are valued at all: those that another evaluator ranks first. Plays that end the game are valued
/// besides.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The most plays of a roll.
    pub plays: NonZeroU32,
    /// Who ranks all of them.
    pub by: Arc<dyn Evaluator>,
}

/// A play, and what the position after it is worth to the player next on roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Best {
    /// Its index among the plays of its decision.
    pub(crate) index: u32,
    pub(crate) value: Probabilities,
}

/// The play of each decision after which the next player has the least equity, the first of several. The decisions are
/// listed with their results.
pub(crate) fn best(
    decisions: &Decisions,
    tier: Tier,
    evaluator: &dyn Evaluator,
    kept: Option<&Kept>,
) -> Vec<Best> {
    let values = values(decisions, tier, evaluator, kept);
    plays(decisions)
        .map(|plays| {
            let valued = values[plays].iter().zip(0..);
            let valued = valued.filter_map(|(value, index)| {
                let value = (*value)?;
                Some(Best { index, value })
            });
            let least = valued.min_by(|a, b| a.value.equity().total_cmp(&b.value.equity()));
            least.expect("of each decision a play is valued")
        })
        .collect()
}

/// The value of each play of all decisions to the player next on roll; `None` of those that are not kept. What a game is
/// worth that is over, is certain.
pub(crate) fn values(
    decisions: &Decisions,
    tier: Tier,
    evaluator: &dyn Evaluator,
    kept: Option<&Kept>,
) -> Vec<Option<Probabilities>> {
    let (rules, results) = (decisions.rules(), decisions.results());
    let mut values: Vec<_> = results
        .iter()
        .map(|result| over(rules, result).map(Probabilities::certain))
        .collect();
    let goes_on = |plays: Range<usize>| plays.filter(|&play| values[play].is_none());
    let mut valued: Vec<usize> = goes_on(0..results.len()).collect();
    if let Some(Kept { plays: most, by }) = kept {
        let ranks = of_plays(by.as_ref(), rules, tier, results, &valued);
        let mut equities = vec![0.0; results.len()];
        for (&play, rank) in valued.iter().zip(&ranks) {
            equities[play] = rank.equity();
        }
        let most = most.get() as usize;
        valued = plays(decisions)
            .flat_map(|plays| {
                let mut plays: Vec<usize> = goes_on(plays).collect();
                plays.sort_by(|&a, &b| f64::total_cmp(&equities[a], &equities[b]));
                plays.truncate(most);
                plays
            })
            .collect();
    }
    let found = of_plays(evaluator, rules, tier, results, &valued);
    for (play, value) in valued.into_iter().zip(found) {
        values[play] = Some(value);
    }
    values
}

/// The plays of each decision, as ranges of all.
fn plays(decisions: &Decisions) -> impl Iterator<Item = Range<usize>> {
    let ends = decisions.offsets().windows(2);
    ends.map(|ends| ends[0]..ends[1])
}

fn of_plays(
    evaluator: &dyn Evaluator,
    rules: RuleSet,
    tier: Tier,
    results: &[Planes],
    plays: &[usize],
) -> Vec<Probabilities> {
    let positions: Vec<Planes> = plays.iter().map(|&play| results[play]).collect();
    let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
    evaluator.evaluate(rules, tier, &positions, &mut values);
    values
}

/// How a game is over after a play, for the player who would be next.
pub(crate) fn over(rules: RuleSet, result: &Planes) -> Option<Outcome> {
    let board = Board::from(*result);
    let outcome = rules.outcome_of_play(board.opponent(), board.own());
    outcome.map(Outcome::reversed)
}
