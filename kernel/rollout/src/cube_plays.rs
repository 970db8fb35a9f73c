//! Plays that are chosen with the cube.

use tavli_backgammon::evaluators::{Conditions, Evaluator, PlayValue};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::{Board, Planes, Stopped};
use tavli_cube::{Chances, CubeState};

use crate::cube_model::cube_model;

/// Lists the plays of the decisions, and makes [the best](best_plays_with_cube) in each: the positions after them, seen
/// by the player next on roll. `states` are the cubes as the player on roll sees them.
///
/// # Errors
/// As [`best_plays_with_cube`].
pub fn play_with_cube<'a>(
    evaluator: &dyn Evaluator,
    conditions: &Conditions<'_>,
    decisions: &'a mut Decisions,
    states: impl Iterator<Item = CubeState>,
    efficiency: Option<f64>,
) -> Result<&'a [Planes], Stopped> {
    decisions.list(evaluator.view_of_plays());
    let next: Vec<CubeState> = states.map(|state| state.reversed()).collect();
    let best = best_plays_with_cube(evaluator, conditions, decisions, &next, efficiency)?;
    let picks: Vec<u32> = best.iter().map(|play| play.index).collect();
    Ok(decisions.make(&picks).expect("they are plays"))
}

/// The play of each decision after which the next player's position is worth least to that player with the cube,
/// without looking ahead, among the plays that are [near](Evaluator::near_plays) the best without it. The decisions are
/// listed with the evaluator's [view](Evaluator::view_of_plays); `states` are their cubes as the next player sees them.
///
/// # Errors
/// [`Stopped`] if the conditions say so before the end.
pub fn best_plays_with_cube(
    evaluator: &dyn Evaluator,
    conditions: &Conditions<'_>,
    decisions: &Decisions,
    states: &[CubeState],
    efficiency: Option<f64>,
) -> Result<Vec<PlayValue>, Stopped> {
    let near = evaluator.near_plays(conditions, decisions)?;
    let of_decisions = near.into_iter().zip(states).enumerate();
    let best = of_decisions.map(|(decision, (plays, state))| {
        let worth = |play: &PlayValue| {
            let board = Board::from(decisions.result_of(decision, play.index));
            let (model, chances) = (cube_model(&board, efficiency), Chances::from(play.value));
            let worth = model.worth(&chances, state);
            match decisions.rules().outcome(&board) {
                Some(_) => worth,
                None => model.worth_of_best([worth, model.worth(&chances, &state.doubled())], state),
            }
        };
        let plays = plays.into_iter().map(|play| (worth(&play), play));
        // All plays that lose to a double have the same worth. The equity without a cube then decides, as in GNU
        // Backgammon; without it, values two plies ahead were wrong by up to 0.1.
        let best = plays
            .min_by(|(a, one), (b, other)| a.total_cmp(b).then(one.value.equity().total_cmp(&other.value.equity())));
        best.expect("a decision has a play").1
    });
    Ok(best.collect())
}
