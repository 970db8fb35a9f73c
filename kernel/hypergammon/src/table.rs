//! The solution and its file.

use std::io::{self, Read, Write};

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Outcome, Roll, RuleSet};
use tavli_cube::{CubeModel, CubeState, CubeValues, ExactEquities, OutcomeProbabilities, Stakes};
use tavli_run::{Cancel, Workers};

use crate::cube::{self, CubeEquities};
use crate::error::{SolutionError, WITH_CUBE, WITHOUT_CUBE, room};
use crate::format::{Header, Reader, Writer};
use crate::plan::SolverProgress;
use crate::positions::{Number, OPEN_POSITIONS, Positions, SIDES, number};
use crate::saved_solver;
use crate::solver::Solver;
use crate::sweep::{Equities, STORED_OUTCOMES};

/// Bytes of a position: its equity as 48 bits, and five probabilities of 16.
const ENTRY: usize = 6 + 2 * STORED_OUTCOMES.len();
/// Equities go from -4 to 4 in 48 bits.
// A power of 2 above the 3 points of a backgammon: the division by it is exact.
const EQUITIES: f64 = 4.0;
const STEPS: f64 = (1u64 << 48) as f64;
/// Equities with a cube go from -4 to 4 in 32 bits.
const CUBE_STEPS: f64 = (1u64 << 32) as f64;

/// The value of each position of hypergammon under perfect play.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The numbers of the positions, in ascending order.
    numbers: Vec<Number>,
    /// The equities, in the same order.
    equities: Vec<f64>,
    probabilities: Vec<[u16; STORED_OUTCOMES.len()]>,
    /// Equities with a cube, or none.
    with_cube: Vec<[u32; cube::STATES]>,
    sweeps: u32,
}

/// The value of a position under perfect play, for the player on roll.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// Points a game, without a cube.
    pub equity: f64,
    /// The probability of each outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [f64; Outcome::COUNT],
}

impl Value {
    /// The probabilities of the outcomes.
    #[must_use]
    pub fn probabilities(&self) -> OutcomeProbabilities {
        let [win_single, win_gammon, win_backgammon, _, lose_gammon, lose_backgammon] = self.outcomes;
        OutcomeProbabilities {
            win: win_single + win_gammon + win_backgammon,
            win_gammon: win_gammon + win_backgammon,
            win_backgammon,
            lose_gammon: lose_gammon + lose_backgammon,
            lose_backgammon,
        }
    }

    /// The value for the other player.
    #[must_use]
    pub fn reversed(&self) -> Value {
        let mut outcomes = self.outcomes;
        outcomes.rotate_left(Outcome::COUNT / 2);
        Value { equity: -self.equity, outcomes }
    }
}

impl Solver {
    /// The solution, once [`Solver::run`] has come to its end; `None` if it was cancelled. `report` is called as by
    /// [`Solver::run`].
    ///
    /// # Errors
    /// [`SolutionError::Memory`].
    pub fn solution(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        report: impl FnMut(&Solver, SolverProgress),
    ) -> Result<Option<Solution>, SolutionError> {
        if !self.find_probabilities_and_cube(workers, cancel, report) {
            return Ok(None);
        }
        let count = self.order().len();
        let mut solution = Solution::with_room(count, self.has_cube(), self.sweeps())?;
        solution.numbers.extend_from_slice(self.order());
        solution.numbers.sort_unstable();
        let share = |probability: f32| (f64::from(probability) * f64::from(u16::MAX)).round() as u16;
        for &number in &solution.numbers {
            let found = self.probabilities_of(number);
            solution.equities.push(self.equity_of(number));
            solution.probabilities.push(found.map(share));
            if let Some(of_cube) = self.cube_equities_of(number) {
                let steps = |equity: f64| steps_of(equity, CUBE_STEPS) as u32;
                solution.with_cube.push(<[f64; cube::STATES]>::from(of_cube).map(steps));
            }
        }
        Ok(Some(solution))
    }
}

impl Solution {
    /// An empty solution with room for `count` positions.
    fn with_room(count: usize, has_cube: bool, sweeps: u32) -> Result<Solution, SolutionError> {
        Ok(Solution {
            numbers: room(count)?,
            equities: room(count)?,
            probabilities: room(count)?,
            with_cube: room(if has_cube { count } else { 0 })?,
            sweeps,
        })
    }

    /// Reads a file that [`Solution::write`] wrote, in this version of the format or an earlier one.
    ///
    /// # Errors
    /// [`SolutionError`] if it is not such a file, or not finished.
    pub fn read(input: &mut dyn Read) -> Result<Solution, SolutionError> {
        let (mut input, header) = Reader::begin(input)?;
        if !header.is_whole {
            return Err(saved_solver::unfinished(&mut input, &header));
        }
        let has_cube = header.version == WITH_CUBE;
        let mut solution = Solution::with_room(OPEN_POSITIONS, has_cube, header.sweeps)?;
        // The file has no numbers: its entries stand in the ascending order of the positions' numbers.
        solution.numbers.extend(Positions::all()?.order);
        solution.numbers.sort_unstable();
        for _ in 0..OPEN_POSITIONS {
            let [a, b, c, d, e, f, shares @ ..]: [u8; ENTRY] = input.read()?;
            let steps = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
            solution.equities.push(equity_of(steps, STEPS));
            let share = |kind: usize| u16::from_le_bytes([shares[2 * kind], shares[2 * kind + 1]]);
            solution.probabilities.push(std::array::from_fn(share));
            if has_cube {
                let mut steps = [0; cube::STATES];
                for steps in &mut steps {
                    *steps = u32::from_le_bytes(input.read()?);
                }
                solution.with_cube.push(steps);
            }
        }
        input.end()?;
        Ok(solution)
    }

    /// Writes equities rounded to 3e-14, with a cube to 2e-9, and probabilities rounded to 1.6e-5.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let header = Header {
            version: if self.has_cube() { WITH_CUBE } else { WITHOUT_CUBE },
            is_whole: true,
            sweeps: self.sweeps,
        };
        let mut output = Writer::begin(output, &header)?;
        for (at, (equity, shares)) in self.equities.iter().zip(&self.probabilities).enumerate() {
            let mut entry = [0; ENTRY];
            entry[..6].copy_from_slice(&steps_of(*equity, STEPS).to_le_bytes()[..6]);
            for (place, share) in entry[6..].as_chunks_mut::<2>().0.iter_mut().zip(shares) {
                *place = share.to_le_bytes();
            }
            output.write(&entry)?;
            for steps in self.with_cube.get(at).into_iter().flatten() {
                output.write(&steps.to_le_bytes())?;
            }
        }
        output.end()
    }

    /// The sweeps that it took.
    #[must_use]
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// The number of positions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.equities.len()
    }

    /// Whether it has equities with a cube.
    #[must_use]
    pub fn has_cube(&self) -> bool {
        !self.with_cube.is_empty()
    }

    /// The index of a position among the solved positions; `None` if it is not among them, or the game is over.
    fn index(&self, board: &Board) -> Option<usize> {
        // A side of more checkers has no number, and asking for it panics.
        let sides = [board.own(), board.opponent()];
        if sides.iter().any(|side| !(1..=RuleSet::Hypergammon.checkers()).contains(&side.checkers())) {
            return None;
        }
        self.numbers.binary_search(&number(board)).ok()
    }

    /// The equities of a position with a cube; `None` as for [`Solution::value`], or if the solution has none.
    #[must_use]
    pub fn cube_equities(&self, board: &Board) -> Option<CubeEquities> {
        let steps = self.with_cube.get(self.index(board)?)?;
        Some(CubeEquities::from(steps.map(|steps| equity_of(u64::from(steps), CUBE_STEPS))))
    }

    /// The model of a position with the cube: its exact equities in money games without the Jacoby rule, and in matches
    /// the efficiency that they imply. `None` as for [`Solution::cube_equities`].
    #[must_use]
    pub fn cube_model(&self, board: &Board) -> Option<CubeModel<'static>> {
        let CubeEquities { owned, centred, opponent_owns, .. } = self.cube_equities(board)?;
        Some(CubeModel {
            exact: Some(ExactEquities { cubeless: self.value(board)?.equity, owned, centred, opponent_owns }),
            ..CubeModel::default()
        })
    }

    /// The values of a position before the roll by its cube and score, and the right action: exact in money games, in
    /// which nobody beavers, and by the [model](Solution::cube_model) in matches. `None` as for
    /// [`Solution::cube_equities`].
    #[must_use]
    pub fn cube_values(&self, board: &Board, state: &CubeState) -> Option<CubeValues> {
        let value = self.value(board)?;
        let probabilities = value.probabilities();
        match state.stakes {
            Stakes::Money { .. } => {
                let equities = self.cube_equities(board)?;
                equities.values(value.equity, probabilities.win_gammon > 0.0, state)
            }
            Stakes::Match(_) => Some(self.cube_model(board)?.values(&probabilities, state)),
        }
    }

    /// The value of a position; `None` if it is not among the solved positions, or the game is over.
    #[must_use]
    pub fn value(&self, board: &Board) -> Option<Value> {
        let index = self.index(board)?;
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] =
            self.probabilities[index].map(|share| f64::from(share) / f64::from(u16::MAX));
        let lose = 1.0 - win - gammon - backgammon - lose_gammon - lose_backgammon;
        Some(Value {
            equity: self.equities[index],
            // Five probabilities that are rounded to 16 bits may add up to more than 1.
            outcomes: [win, gammon, backgammon, lose.max(0.0), lose_gammon, lose_backgammon],
        })
    }

    /// The value of a position for the player who makes the best play of a roll in it; `None` as for
    /// [`Solution::value`].
    #[must_use]
    pub fn value_of_roll(&self, board: &Board, roll: Roll) -> Option<Value> {
        self.value(board)?;
        let mut best: Option<Value> = None;
        for play in Plays::new(board, roll, RuleSet::Hypergammon).to_vec() {
            let value = self.value_after(&play.board());
            if best.is_none_or(|best| value.equity > best.equity) {
                best = Some(value);
            }
        }
        best
    }

    /// The value of the start of a game for the player who has won the opening roll: the 15 rolls of two different dice
    /// are equally likely.
    #[must_use]
    pub fn opening(&self) -> Value {
        let mut mean = Value { equity: 0.0, outcomes: [0.0; Outcome::COUNT] };
        let rolls = Roll::ALL.into_iter().filter(|roll| !roll.is_double());
        let share = 1.0 / rolls.clone().count() as f64;
        for roll in rolls {
            let value = self.value_of_roll(&RuleSet::Hypergammon.start(), roll).expect("three checkers a side");
            mean.equity += share * value.equity;
            for (sum, value) in mean.outcomes.iter_mut().zip(value.outcomes) {
                *sum += share * value;
            }
        }
        mean
    }

    /// The [opening](Solution::opening) with a cube; `None` if the solution has no equities with one.
    #[must_use]
    pub fn cube_opening(&self) -> Option<CubeEquities> {
        let start = RuleSet::Hypergammon.start();
        let rolls = Roll::ALL.into_iter().filter(|roll| !roll.is_double());
        let share = 1.0 / rolls.clone().count() as f64;
        let mut mean = [0.0; cube::STATES];
        for roll in rolls {
            let mut best = [f64::NEG_INFINITY; cube::STATES];
            for play in Plays::new(&start, roll, RuleSet::Hypergammon).to_vec() {
                let equities = self.cube_equities(&play.board())?;
                let after = <[f64; cube::STATES]>::from(equities).after_play();
                for (best, value) in best.iter_mut().zip(after) {
                    *best = best.max(value);
                }
            }
            mean.iter_mut().zip(best).for_each(|(mean, best)| *mean += share * best);
        }
        Some(CubeEquities::from(mean))
    }

    /// The value for the player who made a play, from the position after it.
    fn value_after(&self, after: &Board) -> Value {
        if let Some(outcome) = RuleSet::Hypergammon.outcome_of_play(after.opponent(), after.own()) {
            let mut outcomes = [0.0; Outcome::COUNT];
            outcomes[outcome as usize] = 1.0;
            return Value { equity: f64::from(outcome.points()), outcomes };
        }
        let value = self.value(after).expect("the game goes on");
        let mut outcomes = [0.0; Outcome::COUNT];
        for (&outcome, probability) in Outcome::ALL.iter().zip(value.outcomes) {
            outcomes[outcome.reversed() as usize] = probability;
        }
        Value { equity: -value.equity, outcomes }
    }
}

/// An equity in steps of a scale from -4 to 4.
fn steps_of(equity: f64, steps: f64) -> u64 {
    ((equity / EQUITIES + 1.0) / 2.0 * steps).round() as u64
}

/// The equity of `steps` steps.
fn equity_of(steps: u64, of: f64) -> f64 {
    (steps as f64 / of * 2.0 - 1.0) * EQUITIES
}

/// Numbers leave the two highest bits of a word free for [`FROM_THIS_SWEEP`](crate::sweep::FROM_THIS_SWEEP) and
/// [`ENDS_GAME`](crate::sweep::ENDS_GAME).
const _: () = assert!(SIDES * SIDES <= Number::MAX as usize >> 2);
