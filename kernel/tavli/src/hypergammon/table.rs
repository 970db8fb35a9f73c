//! The solution and its file.

use std::io::{self, Read, Write};

use super::error::{TableError, room};
use super::format::{Reader, Writer};
use super::positions::{GOING_ON, Number, Positions, SIDES, number};
use super::solver::{KINDS, Progress, Solver};
use crate::run::{Cancel, Workers};
use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Hypergammon, Outcome, Roll, RuleSet};

/// Bytes of a position: its equity as 48 bits, and five probabilities of 16.
const ENTRY: usize = 6 + 2 * KINDS.len();
/// Equities go from -4 to 4 in 48 bits.
const EQUITIES: f64 = 4.0;
const STEPS: f64 = (1u64 << 48) as f64;

/// The value of each position of hypergammon under perfect play.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The numbers of the positions, in ascending order.
    numbers: Vec<Number>,
    /// By place among them.
    equities: Vec<f64>,
    probabilities: Vec<[u16; KINDS.len()]>,
    sweeps: u32,
}

/// What a position is worth under perfect play, for the player on roll.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// Points a game, without a cube.
    pub equity: f64,
    /// The probability of each outcome, in the order of [`Outcome::ALL`].
    pub outcomes: [f64; Outcome::COUNT],
}

impl Solver {
    /// The solution, once [`Solver::run`] has come to its end; `None` if it was cancelled. `report` is called as by
    /// [`Solver::run`].
    ///
    /// # Errors
    /// [`TableError::Memory`].
    pub fn solution(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        report: impl FnMut(&Solver, Progress),
    ) -> Result<Option<Solution>, TableError> {
        if !self.find_probabilities(workers, cancel, report) {
            return Ok(None);
        }
        let count = self.order().len();
        let mut solution = Solution::with_room(count, self.sweeps())?;
        solution.numbers.extend_from_slice(self.order());
        solution.numbers.sort_unstable();
        let share = |probability: f32| (f64::from(probability) * f64::from(u16::MAX)).round() as u16;
        for &number in &solution.numbers {
            let found = self.probabilities_of(number).expect("they were found");
            solution.equities.push(self.equity_of(number));
            solution.probabilities.push(found.map(share));
        }
        Ok(Some(solution))
    }
}

impl Solution {
    /// One of `count` positions, none of which is there yet.
    fn with_room(count: usize, sweeps: u32) -> Result<Solution, TableError> {
        Ok(Solution {
            numbers: room(count)?,
            equities: room(count)?,
            probabilities: room(count)?,
            sweeps,
        })
    }

    /// Reads what [`Solution::write`] wrote, in this version of the format or one before.
    ///
    /// # Errors
    /// [`TableError`] if it is not such a file, or not finished.
    pub fn read(input: &mut dyn Read) -> Result<Solution, TableError> {
        let (mut input, header) = Reader::begin(input)?;
        if !header.is_whole {
            return Err(TableError::Unfinished(header.sweeps));
        }
        let mut solution = Solution::with_room(GOING_ON, header.sweeps)?;
        solution.numbers.extend(Positions::all()?.order);
        solution.numbers.sort_unstable();
        for _ in 0..GOING_ON {
            let [a, b, c, d, e, f, shares @ ..]: [u8; ENTRY] = input.read()?;
            let steps = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
            let equity = (steps as f64 / STEPS * 2.0 - 1.0) * EQUITIES;
            solution.equities.push(equity);
            let share = |kind: usize| u16::from_le_bytes([shares[2 * kind], shares[2 * kind + 1]]);
            solution.probabilities.push(std::array::from_fn(share));
        }
        input.end()?;
        Ok(solution)
    }

    /// Writes equities rounded to 3e-14 and probabilities rounded to 1.6e-5.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut output = Writer::begin(output, true, self.sweeps)?;
        for (equity, shares) in self.equities.iter().zip(&self.probabilities) {
            let steps = ((equity / EQUITIES + 1.0) / 2.0 * STEPS).round() as u64;
            let mut entry = [0; ENTRY];
            entry[..6].copy_from_slice(&steps.to_le_bytes()[..6]);
            for (place, share) in entry[6..].as_chunks_mut::<2>().0.iter_mut().zip(shares) {
                *place = share.to_le_bytes();
            }
            output.write(&entry)?;
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

    /// The value of a position; `None` if it is not among those solved, or the game is over.
    #[must_use]
    pub fn value(&self, board: &Board) -> Option<Value> {
        let sides = [board.own(), board.opponent()];
        if sides
            .iter()
            .any(|side| !(1..=RuleSet::Hypergammon.checkers()).contains(&side.checkers()))
        {
            return None;
        }
        let place = self.numbers.binary_search(&number(board)).ok()?;
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] =
            self.probabilities[place].map(|share| f64::from(share) / f64::from(u16::MAX));
        let lose = 1.0 - win - gammon - backgammon - lose_gammon - lose_backgammon;
        Some(Value {
            equity: self.equities[place],
            outcomes: [win, gammon, backgammon, lose.max(0.0), lose_gammon, lose_backgammon],
        })
    }

    /// The value of a position for the player who plays a roll in it, best play; `None` as of [`Solution::value`].
    #[must_use]
    pub fn value_of_roll(&self, board: &Board, roll: Roll) -> Option<Value> {
        self.value(board)?;
        let mut best: Option<Value> = None;
        for play in Plays::new::<Hypergammon>(board, roll).to_vec() {
            let value = self.value_after(&play.board());
            if best.is_none_or(|best| value.equity > best.equity) {
                best = Some(value);
            }
        }
        best
    }

    /// The value of the start of a game for the player who has won the opening roll: each of the 15 rolls of two
    /// different dice is as likely as the others.
    #[must_use]
    pub fn opening(&self) -> Value {
        let mut mean = Value {
            equity: 0.0,
            outcomes: [0.0; Outcome::COUNT],
        };
        let rolls = Roll::ALL.into_iter().filter(|roll| !roll.is_double());
        let share = 1.0 / rolls.clone().count() as f64;
        for roll in rolls {
            let value = self
                .value_of_roll(&RuleSet::Hypergammon.start(), roll)
                .expect("three checkers a side");
            mean.equity += share * value.equity;
            for (sum, value) in mean.outcomes.iter_mut().zip(value.outcomes) {
                *sum += share * value;
            }
        }
        mean
    }

    /// The value for the player who made a play, from the position after it.
    fn value_after(&self, after: &Board) -> Value {
        if let Some(outcome) = RuleSet::Hypergammon.outcome_of_play(after.opponent(), after.own()) {
            let mut outcomes = [0.0; Outcome::COUNT];
            outcomes[outcome as usize] = 1.0;
            return Value {
                equity: f64::from(outcome.points()),
                outcomes,
            };
        }
        let value = self.value(after).expect("the game goes on");
        let mut outcomes = [0.0; Outcome::COUNT];
        for (&outcome, probability) in Outcome::ALL.iter().zip(value.outcomes) {
            outcomes[outcome.reversed() as usize] = probability;
        }
        Value {
            equity: -value.equity,
            outcomes,
        }
    }
}

/// A number is a position's.
const _: () = assert!(SIDES * SIDES <= Number::MAX as usize >> 2);
