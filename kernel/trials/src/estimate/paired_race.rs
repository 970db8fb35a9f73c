//! A race between candidates of any game, by the values of their trials.

use crate::estimate::confidence;
use crate::estimate::decision::{Decision, RankedCandidate, Ranking};
use crate::estimate::interval;
use crate::estimate::statistic::{Statistic, Variance};

/// A [race of fixed confidence](crate::Allocation::FixedConfidence) between candidates of any game, of which each trial
/// has a value. Candidates are compared on the trials that both have: those of one number should have the same dice.
///
/// ```
/// use tavli_trials::{PairedRace, Verdict};
///
/// // Two candidates; values are hundredths of a point. The first is about 0.2 points better.
/// let mut race = PairedRace::new(2, 100, 95.0, 0.01).with_short_games();
/// while race.decision(0).verdict == Verdict::Open {
///     let trials = race.trials()..race.next_look();
///     for candidate in race.playing().to_vec() {
///         let luck = |trial: u64| (trial % 7) as i64 - 3;
///         let better = 20 * (1 - candidate as i64);
///         race.add(candidate, trials.clone().map(|trial| better + luck(trial * (3 + candidate as u64))));
///     }
///     race.drop_worse();
/// }
/// let decision = race.decision(0);
/// assert_eq!((decision.candidate, decision.verdict), (0, Verdict::Best));
/// assert_eq!(race.trials(), 36);
/// ```
#[derive(Clone, Debug)]
pub struct PairedRace {
    unit: f64,
    percent: f64,
    within: f64,
    /// The values of each candidate's trials, in their order.
    values: Vec<Vec<i64>>,
    /// The candidates that are still played, ascending.
    playing: Vec<usize>,
    is_short: bool,
}

impl PairedRace {
    /// A race to `percent` confidence, where candidates that differ by `within` points at most are equally good. A
    /// point is `unit`.
    ///
    /// # Panics
    /// If there are no candidates.
    #[must_use]
    pub fn new(candidates: usize, unit: i64, percent: f64, within: f64) -> PairedRace {
        assert!(candidates > 0, "a race has candidates");
        PairedRace {
            unit: unit as f64,
            percent,
            within,
            values: vec![Vec::new(); candidates],
            playing: (0..candidates).collect(),
            is_short: false,
        }
    }

    /// Uses the tighter bound for games that are cut off after a few plies and valued by an evaluator: rare trials
    /// differ from the others by a few standard deviations, not by as much as a won game differs from a lost one.
    #[must_use]
    pub fn with_short_games(self) -> PairedRace {
        PairedRace { is_short: true, ..self }
    }

    /// The candidates that are still played, ascending.
    #[must_use]
    pub fn playing(&self) -> &[usize] {
        &self.playing
    }

    /// The trials of each candidate that is still played.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.values[self.playing[0]].len() as u64
    }

    /// The trials of a candidate.
    #[must_use]
    pub fn trials_of(&self, candidate: usize) -> u64 {
        self.values[candidate].len() as u64
    }

    /// The number of trials after which candidates are to be dropped: 36, 72, 144, and so on.
    #[must_use]
    pub fn next_look(&self) -> u64 {
        confidence::next_look(self.trials())
    }

    /// Adds the values of a candidate's next trials.
    pub fn add(&mut self, candidate: usize, values: impl IntoIterator<Item = i64>) {
        self.values[candidate].extend(values);
    }

    /// Drops the candidates that are known to be worse than the best one, if the race has come to a
    /// [look](PairedRace::next_look).
    pub fn drop_worse(&mut self) {
        self.playing = self.ranking().not_worse(self.percent);
        self.playing.sort_unstable();
    }

    /// The mean value of a candidate's trials, in points. The mean and its interval are cut at the ends of `range`, the
    /// least and the most points that are possible. NaN without trials.
    #[must_use]
    pub fn equity(&self, candidate: usize, range: [f64; 2]) -> Statistic {
        let values = self.values[candidate].iter().copied();
        self.statistic(values, range)
    }

    /// How the race stands. `left_out` is the number of choices that a filter kept out of the race.
    #[must_use]
    pub fn decision(&self, left_out: usize) -> Decision {
        Decision { left_out, ..self.ranking().decision(self.percent, self.within) }
    }

    /// The best candidate, and the others by their means.
    fn ranking(&self) -> Ranking {
        let best = self.best();
        let mut candidates: Vec<usize> = (0..self.values.len()).collect();
        candidates.sort_by(|&a, &b| (b == best).cmp(&(a == best)).then(self.mean(b).total_cmp(&self.mean(a))));
        let ranked = candidates.into_iter().map(|candidate| RankedCandidate {
            candidate,
            trials: self.trials_of(candidate),
            is_dropped: !self.playing.contains(&candidate),
            // Its error ends no race.
            value: Statistic::default(),
            behind: self.behind(best, candidate),
        });
        Ranking(ranked.collect())
    }

    /// The candidate with the highest mean of those that are still played, the first of equal ones.
    fn best(&self) -> usize {
        let mut best = self.playing[0];
        for &candidate in &self.playing[1..] {
            if self.mean(candidate) > self.mean(best) {
                best = candidate;
            }
        }
        best
    }

    /// The mean value of a candidate, in points; NaN without trials.
    fn mean(&self, candidate: usize) -> f64 {
        let values = &self.values[candidate];
        values.iter().sum::<i64>() as f64 / self.unit / values.len() as f64
    }

    /// How many points a candidate is behind the best, in the trials that both have. NaN without such trials.
    #[must_use]
    pub fn behind(&self, best: usize, candidate: usize) -> Statistic {
        let pairs = self.values[best].iter().zip(&self.values[candidate]);
        self.statistic(pairs.map(|(best, other)| best - other), [f64::NEG_INFINITY, f64::INFINITY])
    }

    /// The mean of some values, which is in a range.
    fn statistic(&self, values: impl Iterator<Item = i64> + Clone, range: [f64; 2]) -> Statistic {
        let values = values.map(|value| value as f64 / self.unit);
        let number = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / number;
        let mean_square = values.clone().map(|value| value * value).sum::<f64>() / number;
        let of_trial = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (number - 1.0);
        let variance = Variance { of_trial, of_mean: of_trial / number };
        let typical = match self.is_short && of_trial.is_finite() {
            true => interval::difference_of_short(interval::WON_AND_LOST, of_trial.sqrt(), None),
            false => interval::WON_AND_LOST,
        };
        let interval = interval::of_difference(mean, mean_square, number, typical, 0.0);
        Statistic::new(mean, mean.clamp(range[0], range[1]), variance, interval, range)
    }
}

#[cfg(test)]
mod tests {
    use tavli_testing::random::Random;

    use super::*;
    use crate::estimate::decision::Verdict;

    /// The best of three candidates is better by less than the error of many trials. Its race is to drop it in at most
    /// 5 % of cases.
    #[test]
    fn the_best_of_near_equals_is_rarely_dropped() {
        const RACES: usize = 1000;
        let mut random = Random(1);
        let mut wrong = 0;
        for _ in 0..RACES {
            let mut race = PairedRace::new(3, 1000, 95.0, 0.0).with_short_games();
            while race.decision(0).verdict == Verdict::Open && race.trials() < 576 {
                let trials = race.next_look() - race.trials();
                for candidate in race.playing().to_vec() {
                    let better = if candidate == 1 { 10 } else { 0 };
                    let values = (0..trials).map(|_| better + random.below(601) as i64 - 300);
                    race.add(candidate, values.collect::<Vec<_>>());
                }
                race.drop_worse();
            }
            wrong += usize::from(!race.playing().contains(&1));
        }
        assert!(wrong <= RACES / 20, "{wrong} of {RACES}");
        assert!(wrong > 0, "with so many races, some are wrong");
    }

    #[test]
    fn a_race_is_decided_by_pairs_and_is_open_without_trials() {
        let mut race = PairedRace::new(2, 100, 95.0, 0.0).with_short_games();
        assert_eq!(race.decision(3).verdict, Verdict::Open);
        assert_eq!(race.decision(3).left_out, 3);
        // The same large luck in both.
        let luck = |trial: i64| 1000 * (trial % 2) - 500;
        race.add(0, (0..36).map(luck));
        race.add(1, (0..36).map(|trial| luck(trial) - 10 - trial % 3));
        race.drop_worse();
        let decision = race.decision(3);
        assert_eq!((decision.candidate, decision.verdict, race.playing()), (0, Verdict::Best, &[0][..]));
        assert!(decision.sure >= 0.95 && decision.rivals.is_empty());
        let equity = race.equity(1, [-1.0, 1.0]);
        assert!((equity.mean - -0.11).abs() < 1e-9 && equity.low == -1.0, "{equity:?}");
    }
}
