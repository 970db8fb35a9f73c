//! Values with the cube by looking ahead.

use tavli_backgammon::evaluators::{Conditions, Evaluator};
use tavli_backgammon::games::Decisions;
use tavli_backgammon::playout::Throw;
use tavli_backgammon::{Board, Roll, Stopped};
use tavli_cube::{Chances, CubeModel, CubeState, Stakes};

/// A search that carries some states of the cube down one tree.
///
/// In each position below the first, the player on roll doubles if that is right. The worth of a position is the mean,
/// over the 21 rolls, of its worth after the best play. A play is chosen once for all states, as GNU Backgammon chooses
/// it: by its worth without looking ahead, with the cube where it lies in the first position, among the plays that are
/// [near](Evaluator::near_plays) the best without a cube.
pub(super) struct Tree<'a, Model> {
    evaluator: &'a dyn Evaluator,
    conditions: &'a Conditions<'a>,
    model: Model,
}

/// A position that a play leads to, and its chances for the player next on roll.
struct Child {
    board: Board,
    chances: Chances,
    is_over: bool,
}

impl<'a, Model: Fn(&Board) -> CubeModel<'static>> Tree<'a, Model> {
    pub(super) fn new(evaluator: &'a dyn Evaluator, conditions: &'a Conditions<'a>, model: Model) -> Self {
        Tree {
            evaluator,
            conditions,
            model,
        }
    }

    /// The [worth](CubeModel::worth) of a position with these chances, in each of two states.
    pub(super) fn worths(
        &self,
        board: &Board,
        chances: &Chances,
        states: [CubeState; 2],
        plies: u32,
    ) -> Result<[f64; 2], Stopped> {
        let worths = self.search(board, chances, &states, states[0], plies)?;
        Ok([worths[0], worths[1]])
    }

    /// Searches a position: its [worth](CubeModel::worth) in each state. Plays are chosen for the state `chooser`.
    fn search(
        &self,
        board: &Board,
        chances: &Chances,
        states: &[CubeState],
        chooser: CubeState,
        plies: u32,
    ) -> Result<Vec<f64>, Stopped> {
        let model = (self.model)(board);
        let is_exact = model.exact.is_some() && matches!(chooser.stakes, Stakes::Money { .. });
        if plies == 0 || is_exact {
            return Ok(states.iter().map(|state| model.worth(chances, state)).collect());
        }
        let chooser = chooser.reversed();
        // The undoubled states come first, in the order of `states`; a doubled one follows for each that allows it.
        let undoubled: Vec<CubeState> = states.iter().map(CubeState::reversed).collect();
        let doubled = undoubled.iter().filter(|state| state.is_double_allowed());
        let next: Vec<CubeState> = undoubled
            .iter()
            .copied()
            .chain(doubled.map(CubeState::doubled))
            .collect();
        let mut sums = vec![0.0; states.len()];
        for (roll, child) in Roll::ALL.into_iter().zip(self.children(board, chooser)?) {
            let worths = match child.is_over {
                true => undoubled
                    .iter()
                    .map(|state| (self.model)(&child.board).worth(&child.chances, state))
                    .collect(),
                false => self.search(&child.board, &child.chances, &next, chooser, plies - 1)?,
            };
            let (without, mut with) = (&worths[..states.len()], worths[states.len()..].iter());
            for ((sum, state), &no_double) in sums.iter_mut().zip(&undoubled).zip(without) {
                let double_take = if state.is_double_allowed() && !child.is_over {
                    with.next()
                } else {
                    None
                };
                let best = match double_take {
                    Some(&double_take) => (self.model)(&child.board).worth_of_best([no_double, double_take], state),
                    None => no_double,
                };
                *sum += f64::from(roll.weight()) / 36.0 * reversed(best, state);
            }
        }
        Ok(sums)
    }

    /// The position after the best play of each of the 21 rolls. `state` is that of the player next on roll.
    fn children(&self, board: &Board, state: CubeState) -> Result<Vec<Child>, Stopped> {
        self.conditions.check()?;
        let rules = self.conditions.rules();
        let mut decisions = Decisions::new(rules).on(self.conditions.tier());
        for roll in Roll::ALL {
            let pushed = decisions.push(board, Throw { roll, fraction: 0 });
            pushed.expect("a decision of a game that goes on");
        }
        decisions.list(self.evaluator.view_of_plays());
        let near = self.evaluator.near_plays(self.conditions, &decisions)?;
        let best = near.into_iter().enumerate().map(|(decision, plays)| {
            let children = plays.into_iter().map(|play| {
                let after = Board::from(decisions.result_of(decision, play.index));
                self.child(after, play.value.into(), state)
            });
            // All plays that lose to a double have the same worth. The equity without a cube then decides, as in GNU
            // Backgammon; without it, values two plies ahead were wrong by up to 0.1.
            let best = children.min_by(|(a, one), (b, other)| {
                a.total_cmp(b)
                    .then(one.chances.equity().total_cmp(&other.chances.equity()))
            });
            best.expect("a roll has a play").1
        });
        Ok(best.collect())
    }

    /// A position after a play, and its worth without looking ahead to the player next on roll, whose state this is.
    fn child(&self, board: Board, chances: Chances, state: CubeState) -> (f64, Child) {
        let is_over = self.conditions.rules().outcome(&board).is_some();
        let model = (self.model)(&board);
        let worth = model.worth(&chances, &state);
        let best = match is_over {
            true => worth,
            false => model.worth_of_best([worth, model.worth(&chances, &state.doubled())], &state),
        };
        let child = Child {
            board,
            chances,
            is_over,
        };
        (best, child)
    }
}

/// The worth to the other player.
fn reversed(worth: f64, state: &CubeState) -> f64 {
    match state.stakes {
        Stakes::Money { .. } => -worth,
        Stakes::Match(_) => 1.0 - worth,
    }
}
