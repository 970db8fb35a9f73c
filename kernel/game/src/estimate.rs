//! Means of samples with their standard errors.

/// A mean and its standard error, by one rule for shares and for other values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The sample mean. NaN without samples.
    pub mean: f64,
    /// The standard deviation of the mean: the sample's standard deviation, with the divisor `n - 1`, over `sqrt(n)`.
    /// NaN below two samples, which tell nothing about how far values scatter.
    pub standard_error: f64,
}

impl Estimate {
    /// The share of `count` samples in `n`: the mean of `count` values of 1 and `n - count` values of 0.
    #[must_use]
    pub fn from_share(n: u64, count: u64) -> Estimate {
        // Values of 0 and 1 are their own squares.
        Estimate::from_sums(n, count as f64, count as f64)
    }

    /// From the number of samples, their sum and the sum of their squares.
    #[must_use]
    pub fn from_sums(n: u64, sum: f64, squares: f64) -> Estimate {
        let n = n as f64;
        let mean = sum / n;
        let variance = if n > 1.0 {
            // Rounding may leave less than 0 where all samples are equal, and the root of that is NaN.
            ((squares - sum * mean) / (n - 1.0)).max(0.0)
        } else {
            f64::NAN
        };
        Estimate { mean, standard_error: (variance / n).sqrt() }
    }
}
