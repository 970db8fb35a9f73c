//! What checkers that move change in the sums of the first layer.

use super::counts::CHECKERS;
use super::line::Line;
use super::steps::{NOTHING, OfPlace, Side, Steps};

/// The side, in what a play leads to, of the player who made the play.
pub(super) const MOVER: usize = 1;

/// For each move of a checker a row: the step to the place where it goes, less the step to the one that it leaves. The
/// number of a row is the sum of a number of either step, and 0 that of no move.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// The numbers of the mover's steps.
    numbers: Box<Side>,
    /// The numbers of two checkers that go to each point of the mover if it is empty; 0 after the bar.
    onto_empty: [[u16; 2]; 33],
    /// The lines of a row.
    width: usize,
    /// Row by row.
    rows: Vec<Line>,
}

impl Moves {
    /// Of the rows of steps, which have `width` lines each.
    pub(super) fn new(steps: &Steps, width: usize, rows_of_steps: &[Line]) -> Moves {
        let row = |step: usize| &rows_of_steps[step * width..][..width];
        let side = steps.of_side(MOVER);
        let mut rows = row(NOTHING).to_vec();
        let mut leaving = vec![0; steps.count()];
        let mut going = vec![0; steps.count()];
        // Checkers go to lower places only: to those before.
        let mut before: Vec<usize> = Vec::new();
        for place in side {
            let here = distinct(place.up[..CHECKERS].iter().map(|steps| steps.at(0)));
            for &leave in &here {
                leaving[leave] = u16::try_from(rows.len() / width).expect("few rows");
                for &go in &before {
                    let pairs = row(go).iter().zip(row(leave));
                    rows.extend(pairs.map(|(go, leave)| go.minus(leave)));
                }
            }
            for &go in &here {
                going[go] = before.len() as u16;
                before.push(go);
            }
        }
        let numbers = side.each_ref().map(|place| OfPlace {
            up: place.up.map(|steps| steps.each(|step| going[step])),
            down: place.down.map(|steps| steps.each(|step| leaving[step])),
        });
        let mut onto_empty = [[0; 2]; 33];
        for (onto, place) in onto_empty.iter_mut().zip(&numbers) {
            *onto = place.up[0].two();
        }
        Moves {
            numbers: Box::new(numbers),
            onto_empty,
            width,
            rows,
        }
    }

    /// For each of the mover's places the numbers of checkers that go there, and of those that leave.
    #[inline(always)]
    pub(super) fn numbers(&self) -> &Side {
        &self.numbers
    }

    /// The numbers of two checkers that go to each point of the mover if it is empty; 0 after the bar.
    #[inline(always)]
    pub(super) fn onto_empty(&self) -> &[[u16; 2]; 33] {
        &self.onto_empty
    }

    /// What the move of a number changes.
    #[inline(always)]
    pub(super) fn row(&self, number: usize) -> &[Line] {
        &self.rows[number * self.width..][..self.width]
    }
}

/// Numbers without those that come again.
fn distinct(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut all = Vec::new();
    for number in numbers {
        if !all.contains(&number) {
            all.push(number);
        }
    }
    all
}
