//! Schedules: numbers that change over a phase.

use serde::Deserialize;

/// A number that changes over a phase, such as the learning rate.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "write a number, { from = 1.0, to = 0.1 }, the same with along = \"cosine\", or \
                 { steps = [[0.0, 1.0], [0.8, 0.1]] }"
)]
pub enum Schedule {
    /// One number for all games.
    Constant(f64),
    /// Moves from one number to another.
    Ramp(Ramp),
    /// Jumps from number to number.
    Steps(StepSchedule),
}

/// A gradual change from one number to another.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// The number at the beginning of the phase.
    pub from: f64,
    /// The number at its end.
    pub to: f64,
    /// The curve between the two.
    #[serde(default)]
    pub along: Curve,
}

/// A step schedule: each number applies from a given fraction of the phase on.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepSchedule {
    /// Pairs of the part of the phase that is over and the number that holds from there on. Parts rise from 0 and are
    /// below 1.
    pub steps: Vec<(f64, f64)>,
}

impl StepSchedule {
    /// Whether the parts begin with 0, rise, and are below 1.
    fn are_in_order(&self) -> bool {
        let parts = || self.steps.iter().map(|step| step.0);
        parts().next() == Some(0.0)
            && parts().zip(parts().skip(1)).all(|(before, after)| before < after)
            && parts().all(|part| part < 1.0)
    }
}

/// The curve between two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// A straight line.
    #[default]
    Linear,
    /// Half a wave of the cosine: slow, fast, slow.
    Cosine,
}

impl Schedule {
    /// The number when this part, 0..=1, of the phase is over.
    ///
    /// ```
    /// use tavli_train::{Curve, Ramp, Schedule, StepSchedule};
    /// let cosine = Schedule::Ramp(Ramp { from: 1.0, to: 0.0, along: Curve::Cosine });
    /// assert_eq!([0.0, 0.5, 1.0].map(|part| cosine.at(part)), [1.0, 0.5, 0.0]);
    /// let steps = Schedule::Steps(StepSchedule { steps: vec![(0.0, 0.1), (0.5, 0.01)] });
    /// assert_eq!([0.0, 0.49, 0.5].map(|part| steps.at(part)), [0.1, 0.1, 0.01]);
    /// ```
    #[must_use]
    pub fn at(&self, part: f64) -> f64 {
        match self {
            Schedule::Constant(number) => *number,
            Schedule::Ramp(Ramp { from, to, along }) => {
                let gone = match along {
                    Curve::Linear => part,
                    Curve::Cosine => half_wave(part),
                };
                from + (to - from) * gone
            }
            Schedule::Steps(StepSchedule { steps }) => {
                // Steps that no recipe has checked may be empty, or begin late.
                let passed = steps.iter().take_while(|step| step.0 <= part);
                passed.last().or(steps.first()).map_or(0.0, |step| step.1)
            }
        }
    }

    /// Whether the scheduled number is 0, as a 32-bit float, at the start of every round, if `games` games are divided
    /// into rounds of `round` games.
    pub(super) fn is_zero_in_rounds(&self, games: u64, round: u64) -> bool {
        let rounds = games.div_ceil(round);
        // A ramp is largest at an end, and each step may hold for one round only. The product may be rounded down.
        let changes = match self {
            Schedule::Constant(_) | Schedule::Ramp(_) => &[],
            Schedule::Steps(StepSchedule { steps }) => &steps[..],
        };
        let changes = changes.iter().map(|step| (step.0 * games as f64 / round as f64) as u64);
        let changes = changes.flat_map(|number| [number, number + 1]);
        let mut numbers = [0, rounds - 1].into_iter().chain(changes);
        numbers.all(|number| number >= rounds || self.at((number * round) as f64 / games as f64) as f32 == 0.0)
    }

    /// The numbers that the schedule is written with.
    pub(super) fn numbers(&self) -> Vec<f64> {
        match self {
            Schedule::Constant(number) => vec![*number],
            Schedule::Ramp(moving) => vec![moving.from, moving.to],
            Schedule::Steps(StepSchedule { steps }) => steps.iter().map(|step| step.1).collect(),
        }
    }

    /// The steps, if they are out of order: some part of the phase would have no value, or some value no part.
    pub(super) fn disorder(&self) -> Option<&[(f64, f64)]> {
        match self {
            Schedule::Steps(steps) if !steps.are_in_order() => Some(&steps.steps),
            _ => None,
        }
    }
}

/// `(1 - cos(pi x)) / 2` for `x` from 0 to 1, within 1e-9, made of additions and multiplications, so that it is the
/// same on every machine.
fn half_wave(x: f64) -> f64 {
    // sin(t) for t from -pi/2 to pi/2 by its Taylor series.
    let t = core::f64::consts::PI * (x - 0.5);
    let square = t * t;
    let (mut term, mut sine) = (t, t);
    // The first term that is left out, t^19 / 19!, is below 1e-13.
    for k in 1..9 {
        term *= -square / f64::from((2 * k) * (2 * k + 1));
        sine += term;
    }
    // Rounding may pass the ends, and a rate that comes down to 0 must not become negative.
    (0.5 + sine / 2.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_wave_is_that_of_the_cosine() {
        for step in 0..=1000 {
            let x = f64::from(step) / 1000.0;
            let exact = (1.0 - (core::f64::consts::PI * x).cos()) / 2.0;
            assert!((half_wave(x) - exact).abs() < 1e-9, "{x}");
        }
    }
}
