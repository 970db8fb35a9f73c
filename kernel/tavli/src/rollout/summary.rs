//! What a rollout says.

use std::time::Duration;

use super::candidate::Candidate;
use super::counts::{Counts, UNFINISHED, points, sum};
use super::interval;
use super::statistic::Statistic;
use super::strata::Variance;
use tavli_backgammon::Outcome;

/// What a rollout says so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Games of each candidate.
    pub trials: u64,
    /// Time of playing, over all sessions; of merged rollouts the sum.
    pub elapsed: Duration,
    /// The candidates, the highest equity first; equal ones in their order.
    pub standings: Vec<Standing>,
}

/// What a rollout says of one candidate, for the player on roll in the rollout's position. Shares are 0..=1,
/// points -3..=3. All means are NaN without trials.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Standing {
    /// The candidate's index in the rollout.
    pub candidate: usize,
    /// Games by [`Outcome`].
    pub outcomes: [u64; Outcome::COUNT],
    /// Games cut off.
    pub unfinished: u64,
    /// Share of games won, gammons and backgammons included.
    pub win: Statistic,
    /// Share of games won by a gammon or backgammon.
    pub win_gammon: Statistic,
    /// Share of games won by a backgammon.
    pub win_backgammon: Statistic,
    /// Share of games lost, gammons and backgammons included.
    pub lose: Statistic,
    /// Share of games lost by a gammon or backgammon.
    pub lose_gammon: Statistic,
    /// Share of games lost by a backgammon.
    pub lose_backgammon: Statistic,
    /// Mean points of a game without cube.
    pub equity: Statistic,
    /// Points that the candidate is behind the best, on the same dice: its standard error is that of the paired
    /// difference. 0 for the best.
    pub behind: Statistic,
    /// How far it is behind the best, in joint standard deviations: [`Standing::behind`]'s mean over its
    /// standard error. GNU Backgammon takes the root of the sum of both equities' squared errors for the joint
    /// standard deviation, which is the same where the dice have nothing in common. 0 for the best and where
    /// nothing differs; infinite where the difference has no error.
    pub jsd: f64,
}

impl Summary {
    pub(super) fn new(candidates: &[Candidate], counts: &Counts, elapsed: Duration) -> Summary {
        let candidates = candidates.iter().enumerate();
        let mut standings: Vec<Standing> = candidates
            .map(|(index, candidate)| Standing::new(counts, index, candidate))
            .collect();
        standings.sort_by(|a, b| b.equity.mean.total_cmp(&a.equity.mean));
        let best = standings[0];
        for standing in &mut standings[1..] {
            standing.compare(counts, &best);
        }
        Summary {
            trials: counts.total(0).iter().sum(),
            elapsed,
            standings,
        }
    }

    /// The candidate of the highest equity.
    #[must_use]
    pub fn best(&self) -> &Standing {
        &self.standings[0]
    }
}

impl Standing {
    fn new(counts: &Counts, index: usize, candidate: &Candidate) -> Standing {
        let total = counts.total(index);
        let trials = total.iter().sum::<u64>() as f64;
        let statistic = |value: &dyn Fn(usize) -> f64, interval: &dyn Fn(f64, f64) -> [f64; 2]| {
            let mean = sum(&total, value) / trials;
            if candidate.is_over() && trials > 0.0 {
                return Statistic::certain(mean);
            }
            let variance = counts.variance(index, value);
            let [low, high] = interval(mean, variance.independent_trials(trials));
            statistic(mean, variance, [low, high])
        };
        // Games that are worth so many points to the player, or more.
        let won =
            |least: i8| statistic(&|end| f64::from(points(end) >= least), &interval::of_share);
        let lost =
            |least: i8| statistic(&|end| f64::from(points(end) <= -least), &interval::of_share);
        let equity = statistic(&|end| f64::from(points(end)), &|_, trials| {
            interval::of_equity(&total, trials, |outcome| candidate.may_end(outcome))
        });
        Standing {
            candidate: index,
            outcomes: core::array::from_fn(|outcome| total[outcome]),
            unfinished: total[UNFINISHED],
            win: won(1),
            win_gammon: won(2),
            win_backgammon: won(3),
            lose: lost(1),
            lose_gammon: lost(2),
            lose_backgammon: lost(3),
            equity,
            behind: Statistic::default(),
            jsd: 0.0,
        }
    }

    /// Compares the candidate with the best.
    fn compare(&mut self, counts: &Counts, best: &Standing) {
        let trials = counts.total(0).iter().sum::<u64>() as f64;
        let (variance, mean_square) = counts.difference(best.candidate, self.candidate);
        let mean = best.equity.mean - self.equity.mean;
        let independent = variance.independent_trials(trials);
        let interval = interval::of_difference(mean, mean_square, independent);
        self.behind = statistic(mean, variance, interval);
        self.jsd = if mean == 0.0 {
            0.0
        } else {
            mean / self.behind.standard_error
        };
    }
}

/// A mean with the roots of its variances. What rounding makes of a variance of 0 may be below it.
fn statistic(mean: f64, variance: Variance, [low, high]: [f64; 2]) -> Statistic {
    let root = |variance: f64| if variance < 0.0 { 0.0 } else { variance.sqrt() };
    Statistic {
        mean,
        standard_deviation: root(variance.of_trial),
        standard_error: root(variance.of_mean),
        low,
        high,
    }
}
