//! The cube of a rollout.

use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Probabilities};
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, Outcome, RuleSet, Side, named_values};
use tavli_cube::{CubeInPlay, CubeModel, CubeState, OutcomeProbabilities, Stakes, Turn};

use crate::ask::error::RolloutError;
use crate::cube_model::cube_model;
use crate::game_value::UNBOUNDED;

/// What the player on roll does with the cube, in a candidate that is not a play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CubeChoice {
    /// He does not double.
    NoDouble,
    /// He doubles, and the opponent takes.
    DoubleTake,
}

named_values!(CubeChoice: NoDouble "no_double", DoubleTake "double_take");

/// The cube of a rollout, and who decides about it.
#[derive(Clone, Debug)]
pub(crate) struct RolloutCube {
    pub(crate) in_play: CubeInPlay,
    /// The values by which both decide: first the player whose rollout it is, then his opponent.
    pub(crate) evaluators: [Arc<dyn Evaluator>; 2],
}

impl RolloutCube {
    /// The cube of a rollout by some players, who decide by their own values.
    pub(crate) fn new(in_play: CubeInPlay, players: &PolicyPair, rules: RuleSet) -> Result<RolloutCube, RolloutError> {
        in_play.state.check()?;
        if !rules.has_cube_efficiency() {
            return Err(RolloutError::CubeRules(rules));
        }
        let evaluator = |player| {
            // The policy's own, not the one that its name finds: a caller's policy may have the name of a built-in one.
            let evaluator = players.evaluator(player);
            evaluator.ok_or_else(|| RolloutError::NoCubeValues(players.policy(player).name().to_owned()))
        };
        Ok(RolloutCube { in_play, evaluators: [evaluator(Side::OnRoll)?, evaluator(Side::Opponent)?] })
    }
}

/// The cube in the games of a candidate, as the first player on roll sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct CandidateCube {
    /// The state in which the games begin.
    pub(crate) state: CubeState,
    /// The state whose cube is the unit of values.
    pub(crate) unit: CubeState,
    /// `None` after a play.
    pub(crate) choice: Option<CubeChoice>,
    /// The efficiency of the cube, if it is not the model's.
    pub(crate) efficiency: Option<f64>,
}

/// The value of a game that need not be played on, because the value is exact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ExactValue {
    /// The value with the cube, for the first player on roll.
    pub(crate) cubeful: i64,
    /// The value without a cube, for the player on roll.
    pub(crate) value: Probabilities,
}

/// The number that stands for 1 in a value with the cube. A value is at most 3 times 2^15 cubes, or, in a match, 2
/// divided by the difference that a single game makes: 2^42 units. So sums of squares of 2^43 games fit 128 bits even
/// if all cubes are at their limit. Rounding one value moves it by less than 3e-8.
pub(crate) const CUBEFUL_UNIT: i64 = 1 << 24;

impl CandidateCube {
    /// The cube before the player on roll decides.
    pub(crate) fn before_roll(cube: &CubeInPlay, choice: CubeChoice) -> CandidateCube {
        let unit = cube.state;
        CandidateCube {
            state: match choice {
                CubeChoice::NoDouble => unit,
                CubeChoice::DoubleTake => unit.doubled(),
            },
            unit,
            choice: Some(choice),
            efficiency: cube.efficiency,
        }
    }

    pub(crate) fn after_play(cube: &CubeInPlay) -> CandidateCube {
        let unit = cube.state.reversed();
        CandidateCube { state: unit, unit, choice: None, efficiency: cube.efficiency }
    }

    /// The model in a position of its games.
    pub(crate) fn model(&self, board: &Board) -> CubeModel<'static> {
        cube_model(board, self.efficiency)
    }

    /// Converts `cubeful_value` for the player on roll after `plies` to a fixed-point value for the first
    /// player on roll.
    pub(crate) fn value(&self, model: &CubeModel<'_>, cubeful_value: f64, plies: u32) -> i64 {
        let is_first = plies.is_multiple_of(2);
        let cubeful_value = match (self.unit.stakes, is_first) {
            (_, true) => cubeful_value,
            (Stakes::Money { .. }, false) => -cubeful_value,
            (Stakes::Match(_), false) => 1.0 - cubeful_value,
        };
        // Rounding a binary fraction is the same on every machine.
        (model.equity_of(cubeful_value, &self.unit) * CUBEFUL_UNIT as f64).round() as i64
    }

    /// The least and the greatest value of a game that ends with `points` without the cube, as its least and its most.
    /// While the cube may still be turned, a game of a match is worth at most the match, and money has no bound.
    pub(crate) fn range(&self, points: [i32; 2]) -> [f64; 2] {
        let may_turn = [self.state, self.state.reversed()].iter().any(CubeState::is_double_allowed);
        match self.unit.stakes {
            Stakes::Money { .. } if may_turn => UNBOUNDED,
            Stakes::Match(_) if may_turn => self.values_of_match(),
            _ => {
                let model = CubeModel::default();
                points.map(|points| model.equity_of(model.value_of_end(points, &self.state), &self.unit))
            }
        }
    }

    /// The values of losing and of winning the match.
    fn values_of_match(&self) -> [f64; 2] {
        [0.0, 1.0].map(|chance| CubeModel::default().equity_of(chance, &self.unit))
    }

    /// The largest distance of a value from 0, if no game is worth more than these points without the cube.
    pub(crate) fn largest(&self, points: f64) -> f64 {
        match self.unit.stakes {
            Stakes::Money { .. } => points * f64::from(1_u32 << (self.unit.max_log2 - self.unit.log2)),
            Stakes::Match(_) => self.values_of_match().map(f64::abs).into_iter().fold(0.0, f64::max),
        }
    }

    /// The exact value of the candidate, for the first player on roll, if it is known.
    pub(crate) fn exact(&self, board: &Board) -> Option<ExactValue> {
        match self.choice {
            None => self.exact_before_turn(board, &self.state, 0),
            Some(_) => self.exact_by(board, &self.state, 0, |model, probabilities, state| {
                model.cubeful_value(probabilities, state)
            }),
        }
    }

    /// The exact value of a position for the first player on roll, if it is known. The player on roll after `plies`
    /// decides about the cube, whose `state` is as that player sees it.
    pub(crate) fn exact_before_turn(&self, board: &Board, state: &CubeState, plies: u32) -> Option<ExactValue> {
        self.exact_by(board, state, plies, value_of_turn)
    }

    fn exact_by(
        &self,
        board: &Board,
        state: &CubeState,
        plies: u32,
        cubeful_value: impl Fn(&CubeModel<'_>, &OutcomeProbabilities, &CubeState) -> f64,
    ) -> Option<ExactValue> {
        // The table has money equities, which say nothing about a score.
        if !matches!(state.stakes, Stakes::Money { .. }) {
            return None;
        }
        let model = self.model(board);
        let mut probabilities = [0.0; Outcome::COUNT];
        // With 15 checkers in play, a side of at most six has borne some off: no gammons, so the equity is 2 p - 1.
        let won = f64::midpoint(model.exact?.cubeless, 1.0);
        probabilities[Outcome::WinSingle as usize] = won;
        probabilities[Outcome::LoseSingle as usize] = 1.0 - won;
        let value = Probabilities::new(probabilities).expect("two shares of a game");
        Some(ExactValue { cubeful: self.value(&model, cubeful_value(&model, &value.into(), state), plies), value })
    }
}

/// The cubeful value of a position to the player on roll if both decide by the model.
pub(crate) fn value_of_turn(model: &CubeModel<'_>, probabilities: &OutcomeProbabilities, state: &CubeState) -> f64 {
    match model.turn(probabilities, state) {
        Turn::Roll => model.cubeful_value(probabilities, state),
        Turn::Pass => model.value_of_pass(state),
        Turn::Take(taken) => model.cubeful_value(probabilities, &taken),
    }
}
