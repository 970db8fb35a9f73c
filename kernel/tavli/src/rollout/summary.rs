//! The result of a rollout.

use core::ops::Deref;
use std::time::Duration;

use super::candidate::Candidate;
use super::difference::{jsd, of_value};
use super::ends::{UNFINISHED, Value};
use super::interval;
use super::rounds::Rounds;
use super::statistic::Statistic;
use super::statistics::Statistics;
use tavli_backgammon::Outcome;

/// The result of a rollout so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Games of each candidate that is still played.
    pub trials: u64,
    /// Time of playing, over all sessions; of merged rollouts the sum.
    pub elapsed: Duration,
    /// The candidates. The first is the best: of those that are still played the one with the highest equity. The
    /// others follow by how far they are behind it, those that were dropped last; equal ones in their order.
    pub standings: Vec<CandidateResult>,
}

/// The result of one candidate, for the player on roll in the rollout's position. Shares are 0..=1,
/// points -3..=3. All means are NaN without trials.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CandidateResult {
    /// The candidate's index in the rollout.
    pub candidate: usize,
    /// Games of it. A candidate that was [dropped](super::Allocation) has fewer than the best.
    pub trials: u64,
    /// Whether it was dropped.
    pub is_dropped: bool,
    /// Games by [`Outcome`].
    pub outcomes: [u64; Outcome::COUNT],
    /// Games cut off.
    pub unfinished: u64,
    /// The mean probability of each [`Outcome`], 0..=1: the share of the games with it, and for games that were cut off
    /// what the [evaluator](super#horizons) gave it. NaN without trials.
    pub probabilities: [f64; Outcome::COUNT],
    /// Shares of games and mean points.
    pub statistics: Statistics,
    /// Points that the candidate is behind the best, on the same dice, in the trials in which both were played: its
    /// standard error is that of the paired difference. 0 for the best.
    pub behind: Statistic,
    /// How far it is behind the best, in joint standard deviations: [`CandidateResult::behind`]'s mean over its
    /// standard error. GNU Backgammon takes the root of the sum of both equities' squared errors for the joint
    /// standard deviation, which is the same where the dice have nothing in common. 0 for the best and where
    /// nothing differs; infinite where the difference has no error.
    pub jsd: f64,
}

impl Summary {
    pub(super) fn new(candidates: &[Candidate], rounds: &Rounds, elapsed: Duration) -> Summary {
        let candidates = candidates.iter().enumerate();
        let mut standings: Vec<CandidateResult> = candidates
            .map(|(index, candidate)| CandidateResult::new(rounds, index, candidate))
            .collect();
        standings.sort_by(|a, b| {
            let by_equity = b.equity.mean.total_cmp(&a.equity.mean);
            a.is_dropped.cmp(&b.is_dropped).then(by_equity)
        });
        let best = standings[0];
        for result in &mut standings[1..] {
            result.compare(rounds, &best);
        }
        standings[1..].sort_by(|a, b| {
            let by_distance = a.behind.mean.total_cmp(&b.behind.mean);
            a.is_dropped.cmp(&b.is_dropped).then(by_distance)
        });
        Summary {
            trials: best.trials,
            elapsed,
            standings,
        }
    }

    /// The best candidate.
    #[must_use]
    pub fn best(&self) -> &CandidateResult {
        &self.standings[0]
    }

    /// Games of all candidates.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.standings.iter().map(|result| result.trials).sum()
    }

    /// The candidates that are still played, the best first.
    pub(super) fn playing(&self) -> impl Iterator<Item = &CandidateResult> {
        self.standings.iter().filter(|result| !result.is_dropped)
    }
}

impl Deref for CandidateResult {
    type Target = Statistics;

    fn deref(&self) -> &Statistics {
        &self.statistics
    }
}

impl CandidateResult {
    fn new(rounds: &Rounds, index: usize, candidate: &Candidate) -> CandidateResult {
        let sampled = rounds.of_candidate(index);
        let total = sampled.total();
        let trials = total.iter().sum::<u64>();
        let statistics = Statistics::of_values(|value| {
            let mean = sampled.mean(value);
            if candidate.is_over() && trials > 0 {
                return Statistic::certain(mean);
            }
            let variance = sampled.variance(value);
            let independent = variance.independent_trials(trials as f64);
            let interval = match value {
                _ if sampled.has_valued() => {
                    let square = sampled.mean_square(value);
                    interval::of_values(mean, square, independent, value.typical())
                }
                Value::Equity => {
                    interval::of_equity(&total, independent, |outcome| candidate.may_end(outcome))
                }
                _ => interval::of_share(mean, independent),
            };
            Statistic::new(mean, variance, interval)
        });
        CandidateResult {
            candidate: index,
            trials,
            is_dropped: rounds.playing().binary_search(&index).is_err(),
            outcomes: core::array::from_fn(|outcome| total[outcome]),
            unfinished: total[UNFINISHED],
            probabilities: sampled.probabilities(),
            statistics,
            behind: Statistic::default(),
            jsd: 0.0,
        }
    }

    /// Compares the candidate with the best.
    fn compare(&mut self, rounds: &Rounds, best: &CandidateResult) {
        let paired = rounds.of_pair(best.candidate, self.candidate);
        self.behind = of_value(&paired, Value::Equity);
        self.jsd = jsd(&self.behind);
    }

    /// Whether the candidate is at least this many joint standard deviations behind the best.
    pub(super) fn is_behind(&self, jsd: f64) -> bool {
        self.behind.mean >= jsd * self.behind.error()
    }
}
