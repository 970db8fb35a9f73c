//! The doubling cube: the right action, and the values of positions with it.
//!
//! [`values`] applies the [model](tavli_cube) to a [`Position`] with its cube and score. [`CubePosition`] looks ahead.
//! The other items are the parts of the model.
//!
//! ```
//! use tavli_analysis::cube::{self, Action, OutcomeProbabilities};
//! use tavli_backgammon::Position;
//!
//! // The opening at 0-0 in a match to 7, the cube at 1 in the middle.
//! let position: Position = "4HPwATDgc/ABMA:cAngAAAAAAAE".parse()?;
//! let probabilities = OutcomeProbabilities::new([0.55, 0.15, 0.01, 0.12, 0.0])?;
//! let values = cube::values(&position, &probabilities)?;
//! assert_eq!(values.action, Action::NoDoubleTake);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ahead;

use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::{Board, Position, Roll, Stopped};

use ahead::CubeLookAhead;
pub(crate) use ahead::{NO_CUBE, SearchCache};
pub use tavli_cube::*;

/// The values of a position before the roll by its cube and score, from the probabilities of its outcomes, and the
/// right action.
///
/// The cube's efficiency depends on the position's class. Bear-offs of at most six checkers a side have the exact
/// equities of the smallest two-sided table that has the position, which is made when it is first needed, in less than
/// a tenth of a second.
///
/// # Errors
/// [`CubeStateError`] if the match is over, or the Crawford game is impossible.
pub fn values(position: &Position, probabilities: &OutcomeProbabilities) -> Result<CubeValues, CubeStateError> {
    let state = CubeState::from_context(position.context())?;
    Ok(model(position.board()).values(probabilities, &state))
}

/// The model of a position: its efficiency by [`Efficiency::default`], and equities that are exact to 0.0001 of the
/// cube in bear-offs of at most six checkers a side.
#[must_use]
pub fn model(board: &Board) -> CubeModel<'static> {
    tavli_rollout::cube_model(board, None)
}

/// A position that is valued with the cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubePosition {
    /// The checkers, as the player on roll sees them.
    pub board: Board,
    /// The cube and the score, as the player on roll sees them; they must [be possible](CubeState::check).
    pub state: CubeState,
    /// The probabilities of the position without looking ahead.
    pub probabilities: OutcomeProbabilities,
    /// How many plies are looked ahead, 0 for none.
    pub plies: u32,
    /// The efficiency of the cube in all positions, 0 to 1; `None` takes [`model`]'s.
    pub efficiency: Option<f64>,
}

impl CubePosition {
    /// The position with a cube before the roll.
    #[must_use]
    pub fn before_roll(
        cube: &CubeInPlay,
        board: &Board,
        probabilities: OutcomeProbabilities,
        plies: u32,
    ) -> CubePosition {
        CubePosition { board: *board, state: cube.state, probabilities, plies, efficiency: cube.efficiency }
    }

    /// The position after a play, in which the opponent may double: [the best](CubeValues::best) value there is the
    /// opponent's. The cube and `probabilities` are seen by the player who makes the play.
    #[must_use]
    pub fn after_play(
        cube: &CubeInPlay,
        board: &Board,
        probabilities: &OutcomeProbabilities,
        plies: u32,
    ) -> CubePosition {
        CubePosition {
            state: cube.state.reversed(),
            ..CubePosition::before_roll(cube, board, probabilities.reversed(), plies)
        }
    }

    /// The values before the roll, and the right action. `evaluator` values the positions that the search reaches.
    /// Without look-ahead it is not called.
    ///
    /// Each position below the first has the value of the right decision of its player on roll. Plays are chosen by
    /// their values without looking ahead, for the cube as it stands. Money games have the exact equities where these
    /// are known.
    ///
    /// # Errors
    /// [`Stopped`] if the conditions say so before the end.
    pub fn values(
        &self,
        evaluator: &dyn Evaluator,
        conditions: &EvaluationConditions<'_>,
    ) -> Result<CubeValues, Stopped> {
        // A cache of its own, since the next call may have another evaluator or other rules.
        Ok(self.look_ahead(evaluator, conditions, &SearchCache::default())?.1)
    }

    /// The value without a cube, for the plays that are best with it, and the [values](CubePosition::values) with it.
    /// The first is `None` without look-ahead. `cache` must have the same evaluator and rules.
    pub(crate) fn look_ahead(
        &self,
        evaluator: &dyn Evaluator,
        conditions: &EvaluationConditions<'_>,
        cache: &SearchCache,
    ) -> Result<(Option<Probabilities>, CubeValues), Stopped> {
        // The module for JavaScript cannot ask for plies ahead with the cube. Leaving the code out saves 4 kB.
        let looks_ahead = self.plies > 0 && !cfg!(target_family = "wasm");
        if !looks_ahead || conditions.rules().outcome(&self.board).is_some() {
            return Ok((None, self.values_here()));
        }
        let look_ahead = CubeLookAhead { evaluator, conditions, efficiency: self.efficiency, cache };
        let found = look_ahead.cubeful_values(&self.board, self.state, self.plies)?;
        let model = self.model(&self.board);
        let values = model.values_of(found.cubeful_values, &found.value.into(), &self.state);
        Ok((Some(found.value), values))
    }

    /// The values without looking ahead.
    #[must_use]
    pub fn values_here(&self) -> CubeValues {
        self.model(&self.board).values(&self.probabilities, &self.state)
    }

    fn model(&self, board: &Board) -> CubeModel<'static> {
        tavli_rollout::cube_model(board, self.efficiency)
    }
}

/// How much better the best play of a roll is than the mean over all possible rolls, without looking ahead: in units of
/// the cube, or equivalent to that unit. `cache` must have the same evaluator and rules.
pub(crate) fn luck(
    board: &Board,
    (roll, rolls): (Roll, PossibleRolls),
    cube: &CubeInPlay,
    evaluator: &dyn Evaluator,
    conditions: &EvaluationConditions<'_>,
    cache: &SearchCache,
) -> Result<f64, Stopped> {
    let look_ahead = CubeLookAhead { evaluator, conditions, efficiency: cube.efficiency, cache };
    let best_by_roll = |board: &Board, cube: &CubeInPlay| {
        look_ahead.best_by_roll(board, cube.state, |after, value| {
            // The value and the cube are the next player's.
            let after = CubePosition::after_play(cube, after, &value.reversed().into(), 0);
            -after.values_here().best()
        })
    };
    let best = best_by_roll(board, cube)?;
    let mean_over = |best: &[f64], may_come: fn(&Roll) -> bool| {
        let (mut sum, mut throws) = (0.0, 0.0);
        for (roll, best) in Roll::ALL.iter().zip(best).filter(|(roll, _)| may_come(roll)) {
            sum += best * f64::from(roll.weight());
            throws += f64::from(roll.weight());
        }
        sum / throws
    };
    let expected = match rolls {
        PossibleRolls::Any => mean_over(&best, |_| true),
        PossibleRolls::Opening => {
            // The higher die begins, so the other player might have had the roll.
            let others = CubeInPlay { state: cube.state.reversed(), ..*cube };
            let of_other = best_by_roll(&board.swapped(), &others)?;
            let differ = |roll: &Roll| !roll.is_double();
            f64::midpoint(mean_over(&best, differ), -mean_over(&of_other, differ))
        }
    };
    let index = Roll::ALL.iter().position(|&one| one == roll);
    Ok(best[index.expect("all rolls")] - expected)
}

/// The rolls that might have come instead of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PossibleRolls {
    /// All 36 throws of two dice.
    Any,
    /// One die of each player, thrown again if they are equal: the player of the higher one begins with both.
    Opening,
}
