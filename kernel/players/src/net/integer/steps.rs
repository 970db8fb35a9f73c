//! What one more checker on a place adds to the inputs.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::counts::{CHECKERS, PLACES_A_SIDE, counts};
use crate::net::{Encoder, Place};

/// The step of no checker: it adds nothing.
pub(super) const NOTHING: usize = 0;
/// The step that each position begins with: the biases, and the inputs that are constant.
pub(super) const BEGIN: usize = 1;

/// The steps of four checkers one after another, 16 bits each, the first lowest; [`NOTHING`] where there is none. Or other
/// numbers, of which 0 stands for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Four(u64);

impl Four {
    fn new(steps: [u16; 4]) -> Four {
        let steps = steps.iter().rev();
        Four(steps.fold(0, |all, &step| all << 16 | u64::from(step)))
    }

    /// Something else for each of them.
    pub(super) fn each(self, other: impl Fn(usize) -> u16) -> Four {
        Four::new([0, 1, 2, 3].map(|at| other(self.at(at))))
    }

    /// Two, and none.
    #[inline(always)]
    pub(super) fn of_two([first, second]: [u16; 2]) -> Four {
        Four(u64::from(first) | u64::from(second) << 16)
    }

    /// The sums of numbers that do not overflow.
    #[inline(always)]
    pub(super) fn plus(self, other: Four) -> Four {
        Four(self.0 + other.0)
    }

    /// The first two.
    #[inline(always)]
    pub(super) fn two(self) -> [u16; 2] {
        [self.0 as u16, (self.0 >> 16) as u16]
    }

    /// One of them.
    #[inline(always)]
    pub(super) fn at(self, at: usize) -> usize {
        usize::from((self.0 >> (16 * at)) as u16)
    }
}

/// The steps of up to four checkers on several places.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UpToFour {
    steps: u64,
    number: u32,
}

impl UpToFour {
    /// Adds the first of some steps, four in all at most.
    #[inline(always)]
    pub(super) fn add(&mut self, steps: Four, number: u32) {
        const MASKS: [u64; 8] = [0, 0xffff, 0xffff_ffff, 0xffff_ffff_ffff, !0, !0, !0, !0];
        let steps = steps.0 & MASKS[number as usize % 8];
        // After four nothing is added, wherever it is put.
        self.steps |= steps.wrapping_shl(16 * self.number);
        self.number += number;
    }

    /// They, and [`NOTHING`] after the last.
    #[inline(always)]
    pub(super) fn steps(self) -> Four {
        Four(self.steps)
    }
}

/// The steps of a place, by the number of checkers before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfPlace {
    /// To one more, from there to two more, and so on; after fifteen there is none.
    pub(super) up: [Four; CHECKERS + 1],
    /// From one fewer, from two fewer to there, and so on.
    pub(super) down: [Four; CHECKERS + 1],
}

impl OfPlace {
    /// Of the steps to one more.
    fn new(steps: &[u16; CHECKERS]) -> OfPlace {
        let step = |number: Option<usize>| {
            let step = number.and_then(|number| steps.get(number));
            step.copied().unwrap_or(NOTHING as u16)
        };
        let up = |number| Four::new([0, 1, 2, 3].map(|more| step(Some(number + more))));
        let down =
            |number: usize| Four::new([1, 2, 3, 4].map(|fewer| step(number.checked_sub(fewer))));
        OfPlace {
            up: core::array::from_fn(up),
            down: core::array::from_fn(down),
        }
    }
}

/// The steps of a side.
pub(super) type Side = [OfPlace; PLACES_A_SIDE];

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
        let mut numbers = [[[NOTHING as u16; CHECKERS]; PLACES_A_SIDE]; 2];
        for place in Place::all() {
            let (side, at) = match place {
                Place::OwnOff => (0, 0),
                Place::Own(point) => (0, point),
                Place::OpponentOff => (1, 0),
                Place::Opponent(point) => (1, point),
            };
            for checkers in 0..CHECKERS as u8 {
                let mut step: Vec<(usize, f32)> = Vec::new();
                encoder.place(place, checkers + 1, |input, value| {
                    step.push((input, value))
                });
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
                numbers[side][usize::from(at)][usize::from(checkers)] =
                    u16::try_from(number).expect("few steps");
            }
        }
        let sides: [Side; 2] = numbers.map(|side| side.map(|steps| OfPlace::new(&steps)));
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
    pub(super) fn to(&self, sides: [[u32; 4]; 2]) -> Vec<usize> {
        let mut steps = vec![BEGIN];
        for (side, planes) in self.sides.iter().zip(sides) {
            for (place, count) in side.iter().zip(counts(planes)) {
                let taken = place.up[..usize::from(count)].iter();
                steps.extend(taken.map(|steps| steps.at(0)));
            }
        }
        steps
    }
}
