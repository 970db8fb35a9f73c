//! The difference between two candidates.

use core::ops::Deref;

use super::ends::Value;
use super::interval;
use super::rounds::{Paired, Rounds};
use super::statistic::Statistic;
use super::statistics::Statistics;

/// What the first of two candidates has more than the second, in the trials in which both were played, on the same
/// dice: for the player on roll in the rollout's position. The standard errors are those of paired differences.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Difference {
    /// The first candidate's index in the rollout.
    pub candidate: usize,
    /// The second candidate's index.
    pub other: usize,
    /// The trials in which both were played.
    pub trials: u64,
    /// The differences of shares, -1..=1, and of points, -6..=6.
    pub statistics: Statistics,
    /// The difference of the equities in joint standard deviations, as [`CandidateResult::jsd`](super::CandidateResult::jsd).
    pub jsd: f64,
}

impl Deref for Difference {
    type Target = Statistics;

    fn deref(&self) -> &Statistics {
        &self.statistics
    }
}

impl Difference {
    pub(super) fn new(rounds: &Rounds, candidate: usize, other: usize) -> Difference {
        let paired = rounds.of_pair(candidate, other);
        let statistics = Statistics::of_values(|value| of_value(&paired, value));
        Difference {
            candidate,
            other,
            trials: paired.trials(),
            statistics,
            jsd: jsd(&statistics.equity),
        }
    }
}

/// The difference of a value.
pub(super) fn of_value(paired: &Paired, value: Value) -> Statistic {
    let mean = paired.mean(value);
    let (variance, mean_square) = paired.variance(value);
    let independent = variance.independent_trials(paired.trials() as f64);
    let [low, high] = value.typical();
    let interval = interval::of_difference(mean, mean_square, independent, high - low);
    Statistic::new(mean, variance, interval)
}

/// A difference in joint standard deviations: 0 where nothing differs, infinite where it has no error.
pub(super) fn jsd(difference: &Statistic) -> f64 {
    if difference.mean == 0.0 {
        0.0
    } else {
        difference.mean / difference.standard_error
    }
}
