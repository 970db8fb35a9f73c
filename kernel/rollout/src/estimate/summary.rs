//! The result of a rollout.

use core::ops::Deref;
use std::time::Duration;

use crate::ask::candidate::Candidate;
use crate::estimate::difference::{jsd, of_cubeful, of_cubeful_difference, of_value};
use crate::estimate::rounds::RolloutRounds;
use crate::estimate::value_statistics::Statistics;
use crate::game_value::{GameValue, UNFINISHED};
use tavli_backgammon::Outcome;
use tavli_trials::{
    RankedCandidate, Ranking, Statistic,
    interval::{self, MeanOfValues},
};

/// The result of a rollout so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Games of each candidate that is still played.
    pub trials: u64,
    /// Time of playing, over all sessions; for merged rollouts the sum.
    pub elapsed: Duration,
    /// The candidates. The first is the best: it has the highest equity of those still played. The others follow by how
    /// far they are behind; dropped candidates come last, and equal ones keep their order. Before the first trial, the
    /// plays of a [decision](crate::RolloutRequest::decision) are in the order of their values, the best first.
    pub standings: Vec<CandidateResult>,
}

/// The result of one candidate, for the player on roll in the rollout's position. Shares are 0..=1,
/// points -3..=3. All means are NaN without trials.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CandidateResult {
    /// The candidate's index in the rollout.
    pub candidate: usize,
    /// Its games. A candidate that was [dropped](crate::Allocation) has fewer than the best.
    pub trials: u64,
    /// Whether it was dropped.
    pub is_dropped: bool,
    /// Games by [`Outcome`].
    pub outcomes: [u64; Outcome::COUNT],
    /// Games cut off.
    pub unfinished: u64,
    /// The mean probability of each [`Outcome`], 0..=1: the share of the games with it, and for games that were cut off
    /// the [evaluator](crate::guide#truncated-games)'s probability. It agrees with the means of the shares, and so
    /// is never below 0. NaN without trials.
    pub probabilities: [f64; Outcome::COUNT],
    /// Shares of games and mean points.
    pub statistics: Statistics,
    /// The mean equity with the cube: in money games in units of the rollout's cube, in matches equivalent to that
    /// unit. `None` in rollouts without cube. Candidates are then ranked by it. Its interval is computed like that of a
    /// [difference](crate::guide#intervals).
    pub cubeful: Option<Statistic>,
    /// Points that the candidate is behind the best, on the same dice, in the trials in which both were played; the
    /// standard error is of the paired difference. 0 for the best. With a cube, the difference of
    /// [`CandidateResult::cubeful`].
    pub behind: Statistic,
    /// How far it is behind the best, in joint standard deviations: [`CandidateResult::behind`]'s mean over its
    /// standard error. GNU Backgammon takes the root of the sum of both equities' squared errors for the joint standard
    /// deviation, which is the same if the dice have nothing in common. 0 for the best and if nothing differs; infinite
    /// if the difference has no error.
    pub jsd: f64,
}

impl Summary {
    /// The result of candidates; before the first trial they stand in the order of the `ranking`, by index.
    pub(crate) fn new(
        candidates: &[Candidate],
        ranking: &[usize],
        rounds: &RolloutRounds,
        elapsed: Duration,
    ) -> Summary {
        let numbered = candidates.iter().enumerate();
        let mut standings: Vec<CandidateResult> =
            numbered.map(|(index, candidate)| CandidateResult::new(rounds, index, candidate)).collect();
        if standings.iter().all(|result| result.trials == 0) {
            // The means are NaN, so the stable sorts below keep this order.
            standings = ranking.iter().map(|&index| standings[index]).collect();
        }
        standings.sort_by(|a, b| {
            // Raw means have no bias, and tell two candidates apart that were both moved to the end of the range.
            let by_equity = b.value().raw_mean.total_cmp(&a.value().raw_mean);
            a.is_dropped.cmp(&b.is_dropped).then(by_equity)
        });
        let best = standings[0];
        for result in &mut standings[1..] {
            result.compare(rounds, &best, candidates);
        }
        standings[1..].sort_by(|a, b| {
            // The distance is over common trials. The mean of a dropped candidate is over fewer than the best's.
            let by_distance = a.behind.raw_mean.total_cmp(&b.behind.raw_mean);
            a.is_dropped.cmp(&b.is_dropped).then(by_distance)
        });
        Summary { trials: best.trials, elapsed, standings }
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

    /// The candidates as the looks of a rollout see them.
    pub(crate) fn ranking(&self) -> Ranking {
        let ranked = self.standings.iter().map(|result| RankedCandidate {
            candidate: result.candidate,
            trials: result.trials,
            is_dropped: result.is_dropped,
            value: *result.value(),
            behind: result.behind,
        });
        Ranking(ranked.collect())
    }
}

impl Deref for CandidateResult {
    type Target = Statistics;

    fn deref(&self) -> &Statistics {
        &self.statistics
    }
}

impl CandidateResult {
    fn new(rounds: &RolloutRounds, index: usize, candidate: &Candidate) -> CandidateResult {
        let totals = rounds.candidate_totals(index);
        let total = totals.total();
        let trials = total.iter().sum::<u64>();
        let mut probabilities = totals.probabilities();
        if totals.has_luck() && trials > 0 {
            probabilities = nearest_probabilities(probabilities);
        }
        let may_end = |result: usize| candidate.may_end(Outcome::ALL[result]);
        let statistics = Statistics::of_values(|value| {
            let raw_mean = totals.mean(value);
            // Games that were cut off count as not won, so a decided value may have another mean.
            if candidate.decided(value) == Some(raw_mean) || candidate.is_certain() && trials > 0 {
                return Statistic::certain(raw_mean);
            }
            let range = match value {
                GameValue::Equity => candidate.points(),
                _ => [0.0, 1.0],
            };
            let mean = match value {
                _ if !totals.has_luck() => raw_mean,
                GameValue::Equity => raw_mean.clamp(range[0], range[1]),
                _ => value.mean(&probabilities).clamp(range[0], range[1]),
            };
            let variance = totals.variance(value);
            let independent = variance.independent_trials(trials as f64);
            let valued = totals.has_valued().then(|| MeanOfValues {
                variance: totals.mean_square(value) - raw_mean * raw_mean,
                error: variance.of_mean.sqrt(),
                trials: independent,
                skewness: totals.skewness(value),
                of_net: totals.values_of_net(value, variance.of_trial),
            });
            let interval = match (value, valued) {
                (GameValue::Equity, Some(valued)) => valued.of_equity(raw_mean, &probabilities, may_end),
                (GameValue::Equity, None) => {
                    let count = trials as f64;
                    let [below, above] = interval::about_equity(&probabilities, count, independent, may_end);
                    [raw_mean - below, raw_mean + above]
                }
                (_, Some(valued)) => valued.of_share(mean),
                (_, None) => interval::of_share(mean, independent),
            };
            Statistic::new(raw_mean, mean, variance, interval, range)
        });
        CandidateResult {
            candidate: index,
            trials,
            is_dropped: rounds.playing().binary_search(&index).is_err(),
            outcomes: core::array::from_fn(|outcome| total[outcome]),
            unfinished: total[UNFINISHED],
            probabilities,
            statistics,
            cubeful: match candidate.exact_cubeful() {
                Some(exact) if trials > 0 => Some(Statistic::certain(exact)),
                _ => totals.cubeful().map(|sums| match candidate.is_certain() && trials > 0 {
                    true => Statistic::certain(sums.0),
                    false => of_cubeful(sums, trials, interval::of_unbounded, candidate.cubeful_range()),
                }),
            },
            behind: Statistic::default(),
            jsd: 0.0,
        }
    }

    /// Compares the candidate with the best. The difference has no error where both values are certain.
    fn compare(&mut self, rounds: &RolloutRounds, best: &CandidateResult, candidates: &[Candidate]) {
        let paired = rounds.pair_totals(best.candidate, self.candidate);
        let both = [best.candidate, self.candidate].map(|of| &candidates[of]);
        let are_certain = both.iter().all(|of| of.is_certain()) && paired.trials() > 0;
        self.behind = match paired.cubeful() {
            Some((mean, ..)) if are_certain => Statistic::certain(mean),
            None if are_certain => Statistic::certain(paired.mean(GameValue::Equity)),
            Some(sums) => of_cubeful_difference(sums, paired.trials(), both),
            None => of_value(&paired, GameValue::Equity),
        };
        self.jsd = jsd(&self.behind);
    }

    /// The equity that candidates are ranked by: with the cube, if there is one.
    #[must_use]
    pub fn value(&self) -> &Statistic {
        self.cubeful.as_ref().unwrap_or(&self.statistics.equity)
    }
}

/// Moves probabilities of outcomes, which variance reduction may by chance make negative, to the nearest possible ones:
/// a share is at most the whole, a gammon no likelier than a win, and a backgammon no likelier than a gammon.
fn nearest_probabilities(raw: [f64; Outcome::COUNT]) -> [f64; Outcome::COUNT] {
    let [single, gammon, backgammon, lose_single, lose_gammon, lose_backgammon] = raw;
    let won = single + gammon + backgammon;
    let lost = lose_single + lose_gammon + lose_backgammon;
    // Less than 1 where games were cut off.
    let all = won + lost;
    let side = |of_side: f64, gammon: f64, backgammon: f64| {
        let at_least = |number: f64| number.max(0.0);
        let won = at_least(of_side.min(all));
        let gammons = at_least((gammon + backgammon).min(won));
        let backgammons = at_least(backgammon.min(gammons));
        [won - gammons, gammons - backgammons, backgammons]
    };
    let [win_single, win_gammon, win_backgammon] = side(won, gammon, backgammon);
    let [lose_single, lose_gammon, lose_backgammon] = side(lost, lose_gammon, lose_backgammon);
    [win_single, win_gammon, win_backgammon, lose_single, lose_gammon, lose_backgammon]
}
