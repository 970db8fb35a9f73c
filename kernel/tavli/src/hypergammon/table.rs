//! The solution and its file.

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Hypergammon, Outcome, Roll, RuleSet};
use thiserror::Error;

use super::positions::{GOING_ON, Number, Positions, SIDES, number};
use super::solver::{KINDS, Progress, Solver};
use crate::run::{Cancel, Workers};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"tavlihyp";
/// The version of the format.
const VERSION: u32 = 1;
/// Bytes of the header: magic, version, whether it is whole, sweeps, CRC-32 of what follows.
const HEADER: usize = 24;
/// Bytes of a position: its equity as 48 bits, and five probabilities of 16.
const ENTRY: usize = 6 + 2 * KINDS.len();
/// Equities go from -4 to 4 in 48 bits.
const EQUITIES: f64 = 4.0;
const STEPS: f64 = (1u64 << 48) as f64;

/// Why a file does not hold a solution.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// It is another file.
    #[error("it is not a table of hypergammon")]
    Foreign,
    /// It was written by a later version of this library.
    #[error("it has format {0}, and this version reads {VERSION}: use a newer version")]
    Version(u32),
    /// It is cut off, or was changed.
    #[error("it is damaged: its checksum or its length is wrong")]
    Damaged,
    /// It is finished.
    #[error("it is finished")]
    Finished,
    /// It was not finished.
    #[error("it is not finished, after {0} sweeps: solve with the same file to go on")]
    Unfinished(u32),
}

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
    /// Goes on from a file that [`Solver::to_file`] wrote.
    ///
    /// # Errors
    /// [`TableError`] if it is not such a file, or finished.
    pub fn from_file(file: &[u8]) -> Result<Solver, TableError> {
        let (sweeps, is_whole, body) = read_header(file)?;
        let (equities, rest) = body.as_chunks::<8>();
        if is_whole {
            return Err(TableError::Finished);
        }
        if equities.len() != SIDES * SIDES || !rest.is_empty() {
            return Err(TableError::Damaged);
        }
        let equities: Vec<f64> = equities
            .iter()
            .map(|bytes| f64::from_le_bytes(*bytes))
            .collect();
        Ok(Solver::of_equities(Positions::all(), &equities, sweeps))
    }

    /// What was found so far, to go on from. The file is of the kind of [`Solution::to_file`], but unfinished.
    #[must_use]
    pub fn to_file(&self) -> Vec<u8> {
        let equities = self.equities();
        let body = equities.into_iter().flat_map(f64::to_le_bytes);
        file(self.sweeps(), false, body)
    }

    /// The solution, once [`Solver::run`] has come to its end; `None` if it was cancelled.
    pub fn solution(
        mut self,
        workers: &Workers,
        cancel: &Cancel,
        report: impl FnMut(Progress),
    ) -> Option<Solution> {
        let found = self.probabilities(workers, cancel, report)?;
        let equities = self.equities();
        let mut numbers = self.order().to_vec();
        numbers.sort_unstable();
        let share =
            |probability: f32| (f64::from(probability) * f64::from(u16::MAX)).round() as u16;
        Some(Solution {
            equities: numbers
                .iter()
                .map(|&number| equities[number as usize])
                .collect(),
            probabilities: numbers
                .iter()
                .map(|&number| found[number as usize].map(share))
                .collect(),
            sweeps: self.sweeps(),
            numbers,
        })
    }
}

impl Solution {
    /// Reads a file that [`Solution::to_file`] wrote.
    ///
    /// # Errors
    /// [`TableError`] if it is not such a file, or not finished.
    pub fn from_file(file: &[u8]) -> Result<Solution, TableError> {
        let (sweeps, is_whole, body) = read_header(file)?;
        if !is_whole {
            return Err(TableError::Unfinished(sweeps));
        }
        let (entries, rest) = body.as_chunks::<ENTRY>();
        if entries.len() != GOING_ON || !rest.is_empty() {
            return Err(TableError::Damaged);
        }
        let mut numbers = Positions::all().order;
        numbers.sort_unstable();
        let mut solution = Solution {
            numbers,
            equities: Vec::with_capacity(entries.len()),
            probabilities: Vec::with_capacity(entries.len()),
            sweeps,
        };
        for [a, b, c, d, e, f, shares @ ..] in entries {
            let steps = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, 0, 0]);
            solution
                .equities
                .push((steps as f64 / STEPS * 2.0 - 1.0) * EQUITIES);
            let share = |kind: usize| u16::from_le_bytes([shares[2 * kind], shares[2 * kind + 1]]);
            solution.probabilities.push(std::array::from_fn(share));
        }
        Ok(solution)
    }

    /// The file: equities rounded to 3e-14 and probabilities to 1.6e-5.
    #[must_use]
    pub fn to_file(&self) -> Vec<u8> {
        let entries = self.equities.iter().zip(&self.probabilities);
        let body = entries.flat_map(|(equity, shares)| {
            let steps = ((equity / EQUITIES + 1.0) / 2.0 * STEPS).round() as u64;
            let mut entry = [0; ENTRY];
            entry[..6].copy_from_slice(&steps.to_le_bytes()[..6]);
            for (place, share) in entry[6..].as_chunks_mut::<2>().0.iter_mut().zip(shares) {
                *place = share.to_le_bytes();
            }
            entry
        });
        file(self.sweeps, true, body)
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
            outcomes: [
                win,
                gammon,
                backgammon,
                lose.max(0.0),
                lose_gammon,
                lose_backgammon,
            ],
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

/// A file with its header.
fn file(sweeps: u32, is_whole: bool, body: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut file = vec![0; HEADER];
    file.extend(body);
    let checksum = crc32fast::hash(&file[HEADER..]);
    file[..8].copy_from_slice(MAGIC);
    for (place, word) in [VERSION, u32::from(is_whole), sweeps, checksum]
        .into_iter()
        .enumerate()
    {
        file[8 + 4 * place..][..4].copy_from_slice(&word.to_le_bytes());
    }
    file
}

/// The sweeps, whether it is whole, and what follows the header.
fn read_header(file: &[u8]) -> Result<(u32, bool, &[u8]), TableError> {
    let body = file.get(HEADER..).ok_or(TableError::Foreign)?;
    if &file[..8] != MAGIC {
        return Err(TableError::Foreign);
    }
    let word =
        |place: usize| u32::from_le_bytes(std::array::from_fn(|byte| file[8 + 4 * place + byte]));
    if word(0) != VERSION {
        return Err(TableError::Version(word(0)));
    }
    if crc32fast::hash(body) != word(3) || word(1) > 1 {
        return Err(TableError::Damaged);
    }
    Ok((word(2), word(1) == 1, body))
}

/// A number is a position's.
const _: () = assert!(SIDES * SIDES <= Number::MAX as usize >> 2);
