//! Plays that are chosen with the cube.

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, PlayValue};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, Planes, Stopped};
use tavli_cube::{CubeState, OutcomeProbabilities};

use crate::cube_model::cube_model;

/// Lists the plays of the decisions, and makes [the best](best_plays_with_cube) in each. Returns the positions after
/// these plays, seen by the player next on roll. `states` are the cubes as the player on roll sees them.
///
/// # Errors
/// As [`best_plays_with_cube`].
pub fn make_cubeful_plays<'a>(
    evaluator: &dyn Evaluator,
    conditions: &EvaluationConditions<'_>,
    decisions: &'a mut RollBatch,
    states: impl Iterator<Item = CubeState>,
    efficiency: Option<f64>,
) -> Result<&'a [Planes], Stopped> {
    decisions.list(evaluator.view_of_plays());
    let next: Vec<CubeState> = states.map(|state| state.reversed()).collect();
    let best = best_plays_with_cube(evaluator, conditions, decisions, &next, efficiency)?;
    let picks: Vec<u32> = best.iter().map(|play| play.index).collect();
    Ok(decisions.make(&picks).expect("they are plays"))
}

/// For each decision, the play that leaves the next player the lowest value with the cube, without looking ahead. Only
/// plays [near](Evaluator::candidate_plays) the best without the cube are compared. The decisions are listed with the
/// evaluator's [view](Evaluator::view_of_plays); `states` are their cubes as the next player sees them.
///
/// # Errors
/// [`Stopped`] if the conditions say so before the end.
pub fn best_plays_with_cube(
    evaluator: &dyn Evaluator,
    conditions: &EvaluationConditions<'_>,
    decisions: &RollBatch,
    states: &[CubeState],
    efficiency: Option<f64>,
) -> Result<Vec<PlayValue>, Stopped> {
    let near = evaluator.candidate_plays(conditions, decisions)?;
    let of_decisions = near.into_iter().zip(states).enumerate();
    let best = of_decisions.map(|(decision, (mut plays, state))| {
        // All plays that lose to a double have the same value. The equity without a cube then decides, as in GNU
        // Backgammon: the sort puts the best first. Without this tie-break, values two plies ahead were wrong by up to
        // 0.1.
        plays.sort_by(|one, other| one.value.equity().total_cmp(&other.value.equity()));
        let mut best: Option<(f64, PlayValue)> = None;
        for play in plays {
            let board = Board::from(decisions.result_of(decision, play.index));
            let (model, probabilities) = (cube_model(&board, efficiency), OutcomeProbabilities::from(play.value));
            let no_double = model.cubeful_value(&probabilities, state);
            // A right double only raises the value, so for most plays the value after a double need not be known.
            if best.is_some_and(|(least, _)| no_double.total_cmp(&least).is_gt()) {
                continue;
            }
            let cubeful_value = match decisions.rules().outcome(&board) {
                Some(_) => no_double,
                None => model.value_of_best([no_double, model.cubeful_value(&probabilities, &state.doubled())], state),
            };
            if best.is_none_or(|(least, _)| cubeful_value.total_cmp(&least).is_lt()) {
                best = Some((cubeful_value, play));
            }
        }
        best.expect("a decision has a play").1
    });
    Ok(best.collect())
}
