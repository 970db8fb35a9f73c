//! The best play by an evaluator, in each of many decisions.

use core::num::NonZeroU32;
use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::evaluators::{BestPlay, Evaluator, Probabilities};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::plays::View;
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

/// What [`best`] needs of the plays.
pub(crate) fn view(evaluator: &dyn Evaluator, kept: Option<&Kept>) -> View {
    match kept {
        None => evaluator.view_of_plays(),
        Some(_) => View::RESULTS,
    }
}

/// The play of each decision after which the next player has the least equity, the first of several. The decisions are
/// listed with [`view`].
pub(crate) fn best(
    decisions: &Decisions,
    tier: Tier,
    evaluator: &dyn Evaluator,
    kept: Option<&Kept>,
) -> Vec<BestPlay> {
    let Some(kept) = kept else {
        return evaluator.best_plays(tier, decisions);
    };
    let values = values(decisions, tier, evaluator, kept);
    plays(decisions)
        .map(|plays| {
            let valued = values[plays].iter().zip(0..);
            let valued = valued.filter_map(|(value, index)| {
                let value = (*value)?;
                Some(BestPlay { index, value })
            });
            BestPlay::of(valued).expect("of each decision a play is valued")
        })
        .collect()
}

/// The value of each play of all decisions to the player next on roll; `None` of those that are not kept. What a game is
/// worth that is over, is certain.
fn values(
    decisions: &Decisions,
    tier: Tier,
    evaluator: &dyn Evaluator,
    Kept { plays: most, by }: &Kept,
) -> Vec<Option<Probabilities>> {
    let (rules, results) = (decisions.rules(), decisions.results());
    let mut values: Vec<_> = results
        .iter()
        .map(|result| over(rules, result).map(Probabilities::certain))
        .collect();
    let goes_on = |plays: Range<usize>| plays.filter(|&play| values[play].is_none());
    let unended: Vec<usize> = goes_on(0..results.len()).collect();
    let ranks = of_plays(by.as_ref(), rules, tier, results, &unended);
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
