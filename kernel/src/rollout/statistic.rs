//! A mean and how far it may be off.

/// Half the width of a 95 % interval, in standard errors: the 97.5 % quantile of the normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// The mean over the trials of a rollout.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistic {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of one trial. NaN below two trials.
    pub standard_deviation: f64,
    /// The standard deviation of the mean, which balanced first rolls make smaller than that of a trial over
    /// the root of the number of trials; [the formula](super#standard-errors). NaN below two trials.
    pub standard_error: f64,
}

impl Statistic {
    /// The 95 % confidence interval, mean ± 1.96 standard errors: its lower and upper end.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let half = NORMAL_QUANTILE * self.standard_error;
        (self.mean - half, self.mean + half)
    }
}
