//! What checkers that move change in the sums of the first layer.

use super::counts::CHECKERS;
use super::line::Line;
use super::steps::{NOTHING, Steps};

/// The side, in what a play leads to, of the player who made the play.
const MOVER: usize = 1;

/// The most points that a checker moves at once.
const FURTHEST: usize = 6;

/// The checkers on each place of a side, and zeros, so that any byte below 32 is a place.
pub(super) type Counts = [u8; 32];

/// For each place and number of checkers there a number.
type OfPlaces = [[u16; CHECKERS + 1]; 32];

/// For each move of a checker a row: the step to the place where it goes, less the step to the one that it leaves. The
/// number of a row is the sum of a number of either step.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// The numbers of the places that are left, by the checkers there before.
    from: Box<OfPlaces>,
    /// The numbers of the places where checkers go, by the checkers there before.
    to: Box<OfPlaces>,
    /// The lines of a row.
    width: usize,
    /// Row by row.
    rows: Vec<Line>,
}

impl Moves {
    /// The row that changes nothing.
    pub(super) const NOTHING: u16 = 0;

    /// Of the rows of steps, which have `width` lines each.
    pub(super) fn new(steps: &Steps, width: usize, rows_of_steps: &[Line]) -> Moves {
        let row = |step: u16| &rows_of_steps[usize::from(step) * width..][..width];
        let number = |of: usize| u16::try_from(of).expect("few rows");
        let mut moves = Moves {
            from: Box::new([[Moves::NOTHING; CHECKERS + 1]; 32]),
            to: Box::new([[Moves::NOTHING; CHECKERS + 1]; 32]),
            width,
            rows: row(NOTHING).to_vec(),
        };
        // The steps to the places before, each once, and where those of each place begin.
        let mut before: Vec<u16> = Vec::new();
        let mut begins: Vec<usize> = Vec::new();
        for (place, steps) in steps.of_side(MOVER).iter().enumerate() {
            // Checkers go to lower places only.
            let nearest = before.len();
            let furthest = begins.get(place.saturating_sub(FURTHEST)).copied();
            let furthest = furthest.unwrap_or(nearest);
            begins.push(nearest);
            let mut numbers: Vec<(u16, [u16; 2])> = Vec::new();
            for (checkers, &step) in steps[..CHECKERS].iter().enumerate() {
                let known = numbers.iter().find(|(known, _)| *known == step);
                let [from, to] = match known {
                    Some(&(_, numbers)) => numbers,
                    None => {
                        let from = number(moves.rows.len() / width - furthest);
                        for &go in &before[furthest..nearest] {
                            let pairs = row(go).iter().zip(row(step));
                            moves.rows.extend(pairs.map(|(go, leave)| go.wrapping_sub(leave)));
                        }
                        let to = number(before.len());
                        before.push(step);
                        numbers.push((step, [from, to]));
                        [from, to]
                    }
                };
                moves.from[place][checkers + 1] = from;
                moves.to[place][checkers] = to;
            }
        }
        moves
    }

    /// The move of a checker from one place to another, which changes the counts; none between places beyond those of a
    /// side.
    #[inline(always)]
    pub(super) fn next(&self, counts: &mut Counts, [from, to]: [u8; 2]) -> u16 {
        let (from, to) = (usize::from(from) % 32, usize::from(to) % 32);
        let at = |count: u8| usize::from(count) % (CHECKERS + 1);
        let number = self.from[from][at(counts[from])] + self.to[to][at(counts[to])];
        counts[from] = counts[from].wrapping_sub(1);
        counts[to] = counts[to].wrapping_add(1);
        number
    }

    /// What the move of a number changes.
    #[inline(always)]
    pub(super) fn row(&self, number: u16) -> &[Line] {
        &self.rows[usize::from(number) * self.width..][..self.width]
    }
}
