//! A mean with its errors.

use crate::estimate::interval::NORMAL_QUANTILE;

/// The mean over the trials of a rollout.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistic {
    /// The mean, in the range of the value: a share is 0..=1, a gammon no likelier than a win, and an outcome that the
    /// rules exclude exactly 0. NaN without trials.
    pub mean: f64,
    /// The mean as the trials give it. It has no bias. With variance reduction it may by chance
    /// lie outside the range; `mean` is then the nearest end of the range. Otherwise both are equal.
    pub raw_mean: f64,
    /// The standard deviation of one trial. NaN below two trials.
    pub standard_deviation: f64,
    /// The standard deviation of the mean. Stratified first rolls make it smaller than a trial's over the root of the
    /// number of trials. NaN below two trials; 0 for a value that the
    /// rules decide.
    pub standard_error: f64,
    /// The lower end of the 95 % confidence interval, in the range of the value; [how it is
    /// found](crate::interval). NaN without trials.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The variance of a value in one trial, and of its mean over the trials.
#[derive(Clone, Copy, Debug)]
pub struct Variance {
    /// The variance in one trial.
    pub of_trial: f64,
    /// The variance of the mean.
    pub of_mean: f64,
}

impl Variance {
    /// The number of independent trials whose mean would have the same variance: `trials` itself if no two trials
    /// differed.
    #[must_use]
    pub fn independent_trials(&self, trials: f64) -> f64 {
        if self.of_mean > 0.0 { self.of_trial / self.of_mean } else { trials }
    }
}

impl Statistic {
    /// The mean before and after it was moved into its range, the roots of its variances, and an interval, which is cut
    /// at the ends of `range`. Rounding may leave a variance of 0 slightly below 0.
    #[must_use]
    pub fn new(raw_mean: f64, mean: f64, variance: Variance, interval: [f64; 2], range: [f64; 2]) -> Statistic {
        let root = |variance: f64| if variance < 0.0 { 0.0 } else { variance.sqrt() };
        let [low, high] = interval.map(|end| end.clamp(range[0], range[1]));
        Statistic {
            mean,
            raw_mean,
            standard_deviation: root(variance.of_trial),
            standard_error: root(variance.of_mean),
            // A share of gammons that was moved to the share of wins may have left its own interval.
            low: low.min(mean),
            high: high.max(mean),
        }
    }

    /// A value that is known for certain.
    #[must_use]
    pub fn certain(mean: f64) -> Statistic {
        Statistic { mean, raw_mean: mean, standard_deviation: 0.0, standard_error: 0.0, low: mean, high: mean }
    }

    /// The standard error for the rules that end a rollout: at least the standard error of a normal distribution with
    /// the same interval. It is above 0 even if all trials had the same end.
    #[must_use]
    pub fn error(&self) -> f64 {
        let of_interval = (self.high - self.low) / (2.0 * NORMAL_QUANTILE);
        self.standard_error.max(of_interval)
    }
}
