//! What a rollout says.

use std::time::Duration;

use super::counts::{Counts, ENDS};
use super::statistic::Statistic;
use super::strata::Covariance;
use crate::outcome::Outcome;

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
    pub outcomes: [u64; 6],
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
    pub(super) fn new(counts: &Counts, elapsed: Duration) -> Summary {
        let mut standings: Vec<Standing> = (0..counts.ends.len())
            .map(|candidate| Standing::new(counts, candidate))
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
    fn new(counts: &Counts, candidate: usize) -> Standing {
        let total = counts.total(candidate);
        let share = |ends: &[Outcome]| {
            let value = |end: usize| f64::from(ends.iter().any(|&outcome| outcome as usize == end));
            statistic(counts.moments(candidate, value))
        };
        let nothing = Statistic::default();
        Standing {
            candidate,
            outcomes: core::array::from_fn(|outcome| total[outcome]),
            unfinished: total[ENDS - 1],
            win: share(&Outcome::ALL[..3]),
            win_gammon: share(&Outcome::ALL[1..3]),
            win_backgammon: share(&Outcome::ALL[2..3]),
            lose: share(&Outcome::ALL[3..]),
            lose_gammon: share(&Outcome::ALL[4..]),
            lose_backgammon: share(&Outcome::ALL[5..]),
            equity: statistic(counts.equity(candidate)),
            behind: nothing,
            jsd: 0.0,
        }
    }

    /// Compares the candidate with the best.
    fn compare(&mut self, counts: &Counts, best: &Standing) {
        let (_, of_best) = counts.equity(best.candidate);
        let (_, of_this) = counts.equity(self.candidate);
        let joint = counts.covariance(best.candidate, self.candidate);
        let difference = Covariance {
            of_trial: of_best.of_trial + of_this.of_trial - 2.0 * joint.of_trial,
            of_mean: of_best.of_mean + of_this.of_mean - 2.0 * joint.of_mean,
        };
        self.behind = statistic((best.equity.mean - self.equity.mean, difference));
        self.jsd = if self.behind.mean == 0.0 {
            0.0
        } else {
            self.behind.mean / self.behind.standard_error
        };
    }
}

/// A mean with the roots of its variances. What rounding makes of a variance of 0 may be below it.
fn statistic((mean, variance): (f64, Covariance)) -> Statistic {
    let root = |variance: f64| if variance < 0.0 { 0.0 } else { variance.sqrt() };
    Statistic {
        mean,
        standard_deviation: root(variance.of_trial),
        standard_error: root(variance.of_mean),
    }
}
