//! What one more checker on a place adds to the inputs.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::counts::{CHECKERS, PLACES_A_SIDE, counts};
use crate::net::{Encoder, Place};

/// The step of no checker: it adds nothing.
pub(super) const NOTHING: u16 = 0;
/// The step that each position begins with: the biases, and the inputs that are constant.
pub(super) const BEGIN: u16 = 1;

/// The steps of a side: for each place the one to one checker more, by the number before; after fifteen there is none.
pub(super) type Side = [[u16; CHECKERS + 1]; PLACES_A_SIDE];

/// The steps of an encoder. Most are the same for several numbers of checkers, so there are few.
#[derive(Debug)]
pub(super) struct Steps {
    sides: [Side; 2],
    /// For each step the inputs and what it adds to them.
    inputs: Vec<Vec<(usize, f32)>>,
}

impl Steps {
    /// Of an encoder.
    pub(super) fn of(encoder: Encoder) -> &'static Steps {
        static ALL: LazyLock<Vec<(Encoder, Steps)>> = LazyLock::new(|| {
            let all = Encoder::ALL.iter();
            all.map(|&encoder| (encoder, Steps::new(encoder))).collect()
        });
        let (_, steps) = ALL
            .iter()
            .find(|(of, _)| *of == encoder)
            .expect("all encoders are there");
        steps
    }

    fn new(encoder: Encoder) -> Steps {
        let mut inputs = vec![Vec::new(), encoder.constant().to_vec()];
        let mut known = HashMap::new();
        let mut sides: [Side; 2] = [[[NOTHING; CHECKERS + 1]; PLACES_A_SIDE]; 2];
        for place in Place::all() {
            let (side, at) = match place {
                Place::OwnOff => (0, 0),
                Place::Own(point) => (0, point),
                Place::OpponentOff => (1, 0),
                Place::Opponent(point) => (1, point),
            };
            for checkers in 0..CHECKERS as u8 {
                let mut step: Vec<(usize, f32)> = Vec::new();
                encoder.place(place, checkers + 1, |input, value| step.push((input, value)));
                encoder.place(place, checkers, |input, value| {
                    match step.iter_mut().find(|(other, _)| *other == input) {
                        Some((_, sum)) => *sum -= value,
                        None => step.push((input, -value)),
                    }
                });
                // The same, but for the rounding of fractions.
                let millionths = |value: f32| (f64::from(value) * 1e6).round() as i64;
                let key: Vec<_> = step
                    .iter()
                    .map(|&(input, value)| (input, millionths(value)))
                    .filter(|&(_, value)| value != 0)
                    .collect();
                step.retain(|&(_, value)| millionths(value) != 0);
                let number = *known.entry(key).or_insert_with(|| {
                    inputs.push(step);
                    inputs.len() - 1
                });
                sides[side][usize::from(at)][usize::from(checkers)] = u16::try_from(number).expect("few steps");
            }
        }
        Steps { sides, inputs }
    }

    /// How many there are, with [`NOTHING`] and [`BEGIN`].
    pub(super) fn count(&self) -> usize {
        self.inputs.len()
    }

    /// The inputs that a step changes, and what it adds to them.
    pub(super) fn inputs(&self, step: usize) -> &[(usize, f32)] {
        &self.inputs[step]
    }

    /// The steps of the places of a side: side 0 is the player on roll.
    #[inline(always)]
    pub(super) fn of_side(&self, side: usize) -> &Side {
        &self.sides[side]
    }

    /// The steps that lead to a position of two sides, from [`BEGIN`] on, as plainly as can be.
    pub(super) fn to(&self, sides: [[u32; 4]; 2]) -> Vec<u16> {
        let mut steps = vec![BEGIN];
        for (side, planes) in self.sides.iter().zip(sides) {
            for (place, count) in side.iter().zip(counts(planes)) {
                steps.extend(&place[..usize::from(count)]);
            }
        }
        steps
    }
}
