//! The difference between two candidates.

use core::ops::Deref;

use tavli_trials::{Statistic, Variance, interval};

use crate::ask::candidate::Candidate;
use crate::estimate::rounds::{PairTotals, RolloutRounds};
use crate::estimate::value_statistics::Statistics;
use crate::game_value::GameValue;

/// The values of one candidate minus another's, over the trials in which both were played on the same dice, for the
/// player on roll in the rollout's position. The standard errors are of paired differences.
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
    /// The difference of the equities with the cube; `None` in rollouts without cube.
    pub cubeful: Option<Statistic>,
    /// The difference of the equities, with the cube if there is one, in joint standard deviations, as
    /// [`CandidateResult::jsd`](crate::CandidateResult::jsd).
    pub jsd: f64,
}

impl Deref for Difference {
    type Target = Statistics;

    fn deref(&self) -> &Statistics {
        &self.statistics
    }
}

impl Difference {
    pub(crate) fn new(rounds: &RolloutRounds, candidates: &[Candidate], candidate: usize, other: usize) -> Difference {
        let paired = rounds.pair_totals(candidate, other);
        let are_certain = [candidate, other].iter().all(|&of| candidates[of].is_certain()) && paired.trials() > 0;
        let statistics = Statistics::of_values(|value| {
            let mean = paired.mean(value);
            if are_certain {
                return Statistic::certain(mean);
            }
            match [candidate, other].map(|of| candidates[of].decided(value)) {
                // Games that are cut off without a value count 0, so the trials may differ from what the rules decide.
                [Some(one), Some(other)] if one - other == mean => Statistic::certain(mean),
                _ => of_value(&paired, value),
            }
        });
        let cubeful = paired.cubeful().map(|sums| match are_certain {
            true => Statistic::certain(sums.0),
            false => of_cubeful_difference(sums, paired.trials(), [candidate, other].map(|of| &candidates[of])),
        });
        Difference {
            candidate,
            other,
            trials: paired.trials(),
            statistics,
            jsd: jsd(cubeful.as_ref().unwrap_or(&statistics.equity)),
            cubeful,
        }
    }
}

pub(crate) fn of_value(paired: &PairTotals, value: GameValue) -> Statistic {
    let mean = paired.mean(value);
    let (variance, mean_square) = paired.variance(value);
    let independent = variance.independent_trials(paired.trials() as f64);
    let most = value.max_difference();
    let likeness = match paired.has_valued() {
        true => interval::likeness_of_difference(mean, mean_square, independent, most),
        false => 1.0,
    };
    let typical = paired.prior_difference(value, variance.of_trial);
    let interval = interval::of_difference(mean, mean_square, independent, typical, likeness);
    Statistic::new(mean, mean.clamp(-most, most), variance, interval, [-most, most])
}

/// The difference of the values of two candidates with the cube, as [`of_cubeful`].
pub(crate) fn of_cubeful_difference(sums: (f64, Variance, f64), trials: u64, candidates: [&Candidate; 2]) -> Statistic {
    let [[least, most], [other_least, other_most]] = candidates.map(Candidate::cubeful_range);
    of_cubeful(sums, trials, interval::of_unbounded_difference, [least - other_most, most - other_least])
}

/// The statistic of a value with the cube, or of the difference of two, from its mean, its variance and the mean of its
/// square. `interval` and the range are chosen for the value or the difference.
pub(crate) fn of_cubeful(
    (mean, variance, mean_square): (f64, Variance, f64),
    trials: u64,
    interval: fn(f64, f64, f64, u64) -> [f64; 2],
    [least, most]: [f64; 2],
) -> Statistic {
    let independent = variance.independent_trials(trials as f64);
    let interval = interval(mean, mean_square, independent, trials);
    Statistic::new(mean, mean.clamp(least, most), variance, interval, [least, most])
}

/// A difference in joint standard deviations: 0 where nothing differs, infinite where a difference has no error.
pub(crate) fn jsd(difference: &Statistic) -> f64 {
    if difference.mean == 0.0 { 0.0 } else { difference.mean / difference.standard_error }
}
