//! 95 % intervals that hold at any number of trials.
//!
//! A share has Wilson's interval (E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
//! Journal of the American Statistical Association 22, 1927). Near 0 and 1 that holds the truth too seldom: in as few as
//! 83 % of samples of 8 trials. Where fewer than [`FEW`] trials had one of the two ends, the interval is therefore that
//! of Agresti and Coull, which has the same middle and contains Wilson's (*Approximate is better than "exact" for
//! interval estimation of binomial proportions*, The American Statistician 52, 1998). So it holds the truth in at least
//! 91 % of samples of 8 trials and 92 % of 36 and more, for every share from 0.0002 to 0.9998.
//!
//! An equity is a sum of shares: of games won and of those won by gammon and by backgammon, less those lost likewise.
//! The ends of its interval follow from theirs and their correlations (MOVER: G. Y. Zou, W. Huang and X. Zhang, *A note
//! on confidence interval estimation for a linear function of binomial proportions*, Computational Statistics & Data
//! Analysis 53, 2009). An outcome that was not seen and is not ruled out may have a share of up to about 3 over the
//! number of trials. A difference of equities on common dice has the interval of Agresti and Min, who add half
//! a trial to each way in which two games can be won and lost (*Simple improved confidence intervals for comparing
//! matched proportions*, Statistics in Medicine 24, 2005).
//!
//! Where an evaluator valued games that were cut off, trials have values between those of a game won and a game lost.
//! Their mean then has the interval of Agresti and Coull with the variance that the values have: `z^2` trials are added,
//! half of them with either value. Where all values are 0 or 1 that is their interval of a share.
//!
//! For large numbers of trials all of these are the normal interval, mean ± 1.96 standard errors. Of what was seen in
//! every trial they remain uncertain.

use super::ends::{ENDS, points};
use tavli_backgammon::Outcome;

/// The 97.5 % quantile of the normal distribution.
pub(super) const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// Wilson's interval is for as many trials of either end, or more.
const FEW: f64 = 6.0;

/// What is added to the trials, `z^2`: half of it to what was seen, half to what was not.
const ADDED: f64 = NORMAL_QUANTILE * NORMAL_QUANTILE;

/// The games of an equity, each end of which counts to those of the events that include it.
const EVENTS: [Event; 6] = [
    Event {
        sign: 1.0,
        points: 1,
    },
    Event {
        sign: 1.0,
        points: 2,
    },
    Event {
        sign: 1.0,
        points: 3,
    },
    Event {
        sign: -1.0,
        points: 1,
    },
    Event {
        sign: -1.0,
        points: 2,
    },
    Event {
        sign: -1.0,
        points: 3,
    },
];

/// Games that are won, or lost, by at least a number of points.
#[derive(Clone, Copy, PartialEq)]
struct Event {
    /// 1 if they are won, -1 if they are lost.
    sign: f64,
    points: i8,
}

impl Event {
    /// Whether a game with such an end is one of them.
    fn includes(self, end: usize) -> bool {
        f64::from(points(end)) * self.sign >= f64::from(self.points)
    }

    /// The share of them.
    fn share(self, shares: &[f64; ENDS]) -> f64 {
        let ends = shares.iter().enumerate();
        ends.filter(|&(end, _)| self.includes(end))
            .map(|(_, share)| share)
            .sum()
    }
}

/// The interval of a share, seen in a number of independent trials.
pub(super) fn of_share(share: f64, trials: f64) -> [f64; 2] {
    let all = trials + ADDED;
    let middle = (share * trials + ADDED / 2.0) / all;
    let variance = if share.min(1.0 - share) * trials < FEW {
        middle * (1.0 - middle) / all
    } else {
        (share * (1.0 - share) * trials + ADDED / 4.0) / (all * all)
    };
    let half = NORMAL_QUANTILE * variance.sqrt();
    [middle - half, middle + half].map(|end| end.clamp(0.0, 1.0))
}

/// The interval of the mean of values, from their mean square, seen in this number of independent trials. `typical` are the
/// values of a game lost and a game won, or of what did not happen and what did.
pub(super) fn of_values(mean: f64, mean_square: f64, trials: f64, typical: [f64; 2]) -> [f64; 2] {
    let all = trials + ADDED;
    let [low, high] = typical;
    let middle = (mean * trials + ADDED / 2.0 * (low + high)) / all;
    let square = (mean_square * trials + ADDED / 2.0 * (low * low + high * high)) / all;
    let half = NORMAL_QUANTILE * ((square - middle * middle).max(0.0) / all).sqrt();
    [middle - half, middle + half]
}

/// The largest share of an event that stays unseen in one sample of 20 with this number of trials: about 3 over it.
fn unseen(trials: f64) -> f64 {
    1.0 - 0.05_f64.powf(1.0 / trials)
}

/// The interval of the points of games with these ends, as certain as that of a number of independent trials. Only
/// `possible` outcomes may have been missed by chance.
pub(super) fn of_equity(
    total: &[u64; ENDS],
    trials: f64,
    possible: impl Fn(Outcome) -> bool,
) -> [f64; 2] {
    let number = total.iter().sum::<u64>() as f64;
    let shares = total.map(|count| count as f64 / number);
    let mut smoothed = total.map(|count| count as f64 / (number + ADDED));
    for outcome in [Outcome::WinSingle, Outcome::LoseSingle] {
        smoothed[outcome as usize] += ADDED / 2.0 / (number + ADDED);
    }
    let below_and_above = EVENTS.map(|event| {
        let share = event.share(&shares);
        let may_be = |outcome: &Outcome| possible(*outcome) && event.includes(*outcome as usize);
        if !Outcome::ALL.iter().any(may_be) {
            return [0.0; 2];
        }
        let [low, high] = if share == 0.0 && event.points > 1 {
            [0.0, unseen(trials)]
        } else {
            of_share(share, trials)
        };
        if event.sign > 0.0 {
            [share - low, high - share]
        } else {
            [high - share, share - low]
        }
    });
    let equity: f64 = EVENTS
        .iter()
        .map(|event| event.sign * event.share(&shares))
        .sum();
    let distance = |side: usize| {
        let mut square = 0.0;
        for (a, of_a) in EVENTS.iter().zip(&below_and_above) {
            for (b, of_b) in EVENTS.iter().zip(&below_and_above) {
                square +=
                    a.sign * b.sign * correlation(*a, *b, &smoothed) * of_a[side] * of_b[side];
            }
        }
        square.max(0.0).sqrt()
    };
    [equity - distance(0), equity + distance(1)]
}

/// The correlation of two events in one trial; 0 between two of which one never or always happens.
fn correlation(a: Event, b: Event, shares: &[f64; ENDS]) -> f64 {
    if a == b {
        return 1.0;
    }
    let [of_a, of_b] = [a, b].map(|event| event.share(shares));
    let of_both = if a.sign != b.sign {
        0.0
    } else {
        of_a.min(of_b)
    };
    let scale = of_a * (1.0 - of_a) * of_b * (1.0 - of_b);
    if scale > 0.0 {
        (of_both - of_a * of_b) / scale.sqrt()
    } else {
        0.0
    }
}

/// The interval of the mean of differences between a value of two games, from their mean square, seen in a number of
/// independent trials. Two games differ by `typical`: by 1 if the value is whether something happened, by 2 points if
/// one is won and the other lost.
pub(super) fn of_difference(mean: f64, mean_square: f64, trials: f64, typical: f64) -> [f64; 2] {
    // Half a trial more in which one has it and the other has not, half a trial more the other way round, and a whole
    // one in which they are alike.
    let all = trials + 2.0;
    let middle = mean * trials / all;
    let variance = (mean_square * trials + typical * typical) / all - middle * middle;
    let half = NORMAL_QUANTILE * (variance / all).sqrt();
    [middle - half, middle + half]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: [f64; 2], expected: [f64; 2]) {
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 5e-5, "{found} {expected}");
        }
    }

    /// The intervals worked out by hand.
    #[test]
    fn shares_have_the_interval_of_wilson_or_of_agresti_and_coull() {
        assert_near(of_share(0.2, 50.0), [0.112_4, 0.330_4]);
        assert_near(of_share(0.0, 100.0), [0.0, 0.044_4]);
        assert_near(of_share(0.5, 10.0), [0.236_6, 0.763_4]);
        let [low, high] = of_share(1.0, 36.0);
        assert!((0.88..0.90).contains(&low) && high == 1.0, "{low} {high}");
    }

    #[test]
    fn values_of_0_and_1_have_the_interval_of_a_share() {
        for share in [0.0, 0.1, 1.0] {
            let [low, high] = of_values(share, share, 36.0, [0.0, 1.0]);
            assert_near([low.max(0.0), high.min(1.0)], of_share(share, 36.0));
        }
        // By hand: 96 values of 0.5, two of 0 and two of 1 less what rounding of z^2 to 4 makes of it.
        let [low, high] = of_values(0.5, 0.25, 96.0, [0.0, 1.0]);
        assert!((high - low - 2.0 * 1.96 * 0.01_f64.sqrt() / 10.0).abs() < 1e-3);
        assert_near([low + high, 0.0], [1.0, 0.0]);
    }

    #[test]
    fn an_equity_of_two_outcomes_is_a_share() {
        let single = |outcome: Outcome| outcome.points().abs() == 1;
        for won in [0_u32, 7, 36] {
            let [low, high] = of_share(f64::from(won) / 36.0, 36.0);
            let total = [u64::from(won), 0, 0, u64::from(36 - won), 0, 0, 0];
            assert_near(
                of_equity(&total, 36.0, single),
                [2.0 * low - 1.0, 2.0 * high - 1.0],
            );
        }
    }

    #[test]
    fn an_outcome_that_was_not_seen_may_still_happen() {
        let total = [8, 0, 0, 0, 0, 0, 0];
        let no_backgammon = |outcome: Outcome| outcome.points().abs() < 3;
        let [low, high] = of_equity(&total, 8.0, no_backgammon);
        assert_near([low, high], [low, 1.312_3]);
        assert!(low < 0.3, "{low}");
    }

    #[test]
    fn an_equity_of_many_trials_has_the_normal_interval() {
        let total = [192_740, 188_710, 134_244, 186_617, 175_549, 122_141, 0];
        let trials = total.iter().sum::<u64>() as f64;
        let sum = |power: i32| -> f64 {
            let ends = total.iter().enumerate();
            ends.map(|(end, &count)| f64::from(points(end)).powi(power) * count as f64)
                .sum()
        };
        let mean = sum(1) / trials;
        let half = NORMAL_QUANTILE * ((sum(2) / trials - mean * mean) / trials).sqrt();
        assert_near(
            of_equity(&total, trials, |_| true),
            [mean - half, mean + half],
        );
    }

    /// The interval worked out by hand: of 100 pairs of games that win or lose a point, 6 go one way and 2 the other.
    #[test]
    fn differences_have_the_interval_of_agresti_and_min() {
        let found = of_difference(0.08, 32.0 / 100.0, 100.0, 2.0);
        assert_near(found, [-0.035_9, 0.192_7]);
        // The same pairs as shares: 0.04, with a mean square of 8 in 100.
        let of_shares = of_difference(0.04, 8.0 / 100.0, 100.0, 1.0);
        assert_near(of_shares, [-0.035_9 / 2.0, 0.192_7 / 2.0]);
        let [low, high] = of_difference(0.0, 0.0, 36.0, 2.0);
        assert!(
            low < -0.1 && high > 0.1,
            "36 trials that ended alike prove little"
        );
        let [low, high] = of_difference(3.0, 9.0, 1296.0, 2.0);
        assert!(low < 3.0 && high > 3.0 && high - low < 0.02, "{low} {high}");
    }
}
