//! Values with the cube by looking ahead.

use tavli_backgammon::evaluators::{Conditions, Evaluator, Probabilities};
use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Outcome, Planes, Roll, RuleSet, Stopped};
use tavli_cube::{Chances, CubeModel, CubeState, Stakes};

/// A search that carries some states of the cube down one tree.
///
/// In each position below the first, the player on roll doubles if that is right. The worth of a position is the mean,
/// over the 21 rolls, of its worth after the best play. A play is chosen once for all states, as GNU Backgammon chooses
/// it: by its worth without looking ahead, with the cube where it lies in the first position.
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
        let rules: RuleSet = self.conditions.rules();
        let mut results = Vec::new();
        let mut ends = Vec::new();
        for roll in Roll::ALL {
            let plays = Plays::under(board, roll, rules);
            results.extend(plays.to_vec().iter().map(|play| play.board()));
            ends.push(results.len());
        }
        let over = |board: &Board| rules.outcome_of_play(board.opponent(), board.own());
        let open: Vec<Board> = results.iter().filter(|board| over(board).is_none()).copied().collect();
        let mut of_open = self.chances(&open)?.into_iter();
        let children: Vec<(f64, Child)> = results
            .into_iter()
            .map(|board| {
                let outcome = over(&board);
                let chances = match outcome {
                    Some(outcome) => Chances::from(Probabilities::certain(outcome)).reversed(),
                    None => of_open.next().expect("each has its chances"),
                };
                let model = (self.model)(&board);
                let worth = model.worth(&chances, &state);
                let best = match outcome {
                    Some(_) => worth,
                    None => model.worth_of_best([worth, model.worth(&chances, &state.doubled())], &state),
                };
                let is_over = outcome.is_some();
                (
                    best,
                    Child {
                        board,
                        chances,
                        is_over,
                    },
                )
            })
            .collect();
        let mut children = children.into_iter();
        let mut from = 0;
        let best = ends.into_iter().map(|end| {
            let of_roll = children.by_ref().take(end - from);
            from = end;
            // All plays that lose to a double have the same worth. The equity without a cube then decides, as in GNU
            // Backgammon; without it, values two plies ahead were wrong by up to 0.1.
            let best = of_roll.min_by(|(a, one), (b, other)| {
                a.total_cmp(b)
                    .then(one.chances.equity().total_cmp(&other.chances.equity()))
            });
            best.expect("a roll has a play").1
        });
        Ok(best.collect())
    }

    /// The chances in positions whose games go on.
    fn chances(&self, boards: &[Board]) -> Result<Vec<Chances>, Stopped> {
        let positions: Vec<Planes> = boards.iter().map(|&board| board.into()).collect();
        let mut values = vec![Probabilities::certain(Outcome::WinSingle); positions.len()];
        self.evaluator.evaluate(self.conditions, &positions, &mut values)?;
        Ok(values.into_iter().map(Chances::from).collect())
    }
}

/// The worth to the other player.
fn reversed(worth: f64, state: &CubeState) -> f64 {
    match state.stakes {
        Stakes::Money { .. } => -worth,
        Stakes::Match(_) => 1.0 - worth,
    }
}
