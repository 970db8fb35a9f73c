//! A move filter: which plays of a roll are candidates.

use std::sync::Arc;

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities, value_if_over};
use tavli_backgammon::plays::{Play, Plays};
use tavli_backgammon::{Board, Planes, Roll, RuleSet, Stopped, Tier};
use tavli_cube::CubeInPlay;

use crate::cube_model::cube_model;

/// A move filter before a rollout: only the plays that an evaluator values near the best are candidates, with the cube
/// and at the score of the rollout. The best two always are, so that no decision rests on the evaluator alone.
#[derive(Clone, Debug)]
pub struct PlayFilter {
    /// Values the positions after the plays.
    pub by: Arc<dyn Evaluator>,
    /// How many points a candidate may be below the best, 0 or more.
    pub margin: f64,
}

/// The equities of positions after plays, for the player who made them; with the cube if there is one, as he sees it.
// At a score that makes gammons worthless, the best play without the cube loses every chance to win
// (`a_filter_compares_plays_with_the_cube`).
pub(crate) fn equities(
    by: &dyn Evaluator,
    boards: &[Board],
    rules: RuleSet,
    cube: Option<&CubeInPlay>,
) -> Result<Vec<f64>, Stopped> {
    let positions: Vec<Planes> = boards.iter().map(|&board| Planes::from(board)).collect();
    let mut values: Vec<Option<Probabilities>> =
        positions.iter().map(|position| value_if_over(rules, position)).collect();
    let open: Vec<usize> = (0..values.len()).filter(|&play| values[play].is_none()).collect();
    let unended: Vec<Planes> = open.iter().map(|&play| positions[play]).collect();
    // The tier changes no value.
    let found = by.evaluated(&EvaluationConditions::new(rules, Tier::best()), &unended)?;
    for (play, value) in open.into_iter().zip(found) {
        values[play] = Some(value);
    }
    // Values are the next player's.
    let equities = boards.iter().zip(values.iter().flatten()).map(|(board, value)| match cube {
        None => -value.equity(),
        Some(cube) => {
            let model = cube_model(board, cube.efficiency);
            -model.values(&(*value).into(), &cube.state.reversed()).best()
        }
    });
    Ok(equities.collect())
}

impl PlayFilter {
    /// The positions after the plays that pass, in the order of the plays.
    pub(crate) fn candidates(
        &self,
        position: &Board,
        roll: Roll,
        rules: RuleSet,
        cube: Option<&CubeInPlay>,
    ) -> Result<Vec<Board>, Stopped> {
        let plays = Plays::new(position, roll, rules);
        let boards: Vec<Board> = plays.to_vec().iter().map(Play::board).collect();
        let equities = equities(&*self.by, &boards, rules, cube)?;
        let mut ranked = equities.clone();
        ranked.sort_by(|a, b| b.total_cmp(a));
        // The caller has checked that the game goes on: a roll has a play then, even if that moves no checker.
        let best = ranked[0];
        let margin = ranked.get(1).map_or(0.0, |second| self.margin.max(best - second));
        let near = boards.into_iter().zip(equities);
        let near = near.filter(|&(_, equity)| best - equity <= margin);
        Ok(near.map(|(board, _)| board).collect())
    }
}
