//! Few, skewed samples: medians, quartiles, and intervals that assume no distribution.
//!
//! The time of a repetition has a long tail to one side, and there are ten repetitions rather than a thousand, so
//! nothing here assumes a normal distribution. The interval of a median inverts the sign test, the interval of a ratio
//! Mann and Whitney's test; both hold for any continuous distribution. See E. L. Lehmann, *Nonparametrics: Statistical
//! Methods Based on Ranks* (1975), chapters 2 and 4.

use serde::{Deserialize, Serialize};

/// The default confidence aimed at.
pub const CONFIDENCE: f64 = 0.95;

/// A range that covers the true value with some probability.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The probability: at least the one asked for, or the whole range's if there are too few samples.
    pub confidence: f64,
}

/// A summary of a set of samples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Their number; at least 1.
    pub samples: usize,
    /// The median.
    pub median: f64,
    /// The lower quartile, interpolated as in R's default (type 7).
    pub lower_quartile: f64,
    /// The upper quartile, of the same type.
    pub upper_quartile: f64,
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
    /// An interval for the true median.
    pub interval: Interval,
}

impl Summary {
    /// Summarises samples; `None` if there are none, or if one is not a number.
    #[must_use]
    pub fn from_samples(samples: &[f64]) -> Option<Summary> {
        if samples.is_empty() || samples.iter().any(|sample| sample.is_nan()) {
            return None;
        }
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let binomial = binomial(sorted.len());
        Some(Summary {
            samples: sorted.len(),
            median: quantile(&sorted, 0.5),
            lower_quartile: quantile(&sorted, 0.25),
            upper_quartile: quantile(&sorted, 0.75),
            least: sorted[0],
            most: sorted[sorted.len() - 1],
            interval: central(&sorted, &binomial, CONFIDENCE),
        })
    }

    /// The distance of the quartiles as a share of the median: how far the middle half is spread.
    #[must_use]
    pub fn spread(&self) -> f64 {
        (self.upper_quartile - self.lower_quartile) / self.median
    }
}

/// The ratio of the values of one set to the values of another: Hodges and Lehmann's estimate, the median of all
/// quotients.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ratio {
    /// The estimate.
    pub ratio: f64,
    /// An interval for the true ratio.
    pub interval: Interval,
}

impl Ratio {
    /// The most samples of a set, since the exact distribution is computed by counting.
    pub const MAX_SAMPLES: usize = 200;

    /// The ratio of `new` to `old`, positive values measured independently of each other; `None` if a
    /// set is empty, has more than [`Ratio::MAX_SAMPLES`], or has a value that is not positive.
    #[must_use]
    pub fn from_samples(new: &[f64], old: &[f64]) -> Option<Ratio> {
        Ratio::with_confidence(new, old, CONFIDENCE)
    }

    /// As [`Ratio::from_samples`], with an interval of the given confidence, 0..1, or of the whole range if there are
    /// too few samples.
    #[must_use]
    pub(crate) fn with_confidence(new: &[f64], old: &[f64], confidence: f64) -> Option<Ratio> {
        let usable = |set: &[f64]| {
            (1..=Ratio::MAX_SAMPLES).contains(&set.len()) && set.iter().all(|&value| value > 0.0 && value.is_finite())
        };
        if !usable(new) || !usable(old) {
            return None;
        }
        let mut ratios: Vec<f64> = new.iter().flat_map(|new| old.iter().map(move |old| new / old)).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        Some(Ratio {
            ratio: quantile(&ratios, 0.5),
            interval: central(&ratios, &mann_whitney(new.len(), old.len()), confidence),
        })
    }
}

/// A quantile of sorted samples, interpolated between them (R's type 7).
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    below + (above - below) * at.fract()
}

/// The narrowest interval from the k-th sorted value to the k-th from above that is as confident as
/// wanted, where `probability[i]` is the chance that exactly `i` values lie below the true one.
pub(crate) fn central(sorted: &[f64], probability: &[f64], confidence: f64) -> Interval {
    let mut k = 1;
    let mut outside = probability[0];
    while k < sorted.len().div_ceil(2) && outside + probability[k] <= (1.0 - confidence) / 2.0 {
        outside += probability[k];
        k += 1;
    }
    Interval { low: sorted[k - 1], high: sorted[sorted.len() - k], confidence: (1.0 - 2.0 * outside).max(0.0) }
}

/// The probabilities of 0 to `n` heads.
fn binomial(n: usize) -> Vec<f64> {
    let mut probability = vec![0.0; n + 1];
    probability[0] = 0.5_f64.powi(n as i32);
    for heads in 1..=n {
        probability[heads] = probability[heads - 1] * (n + 1 - heads) as f64 / heads as f64;
    }
    probability
}

/// The probabilities of Mann and Whitney's U, 0 to `m n`, if both sets come from one distribution. The numbers of
/// arrangements are the coefficients of the Gaussian binomial: the product over i = 1 ..= m of (1 - q^(n + i)) / (1 -
/// q^i).
fn mann_whitney(m: usize, n: usize) -> Vec<f64> {
    let mut ways = vec![0.0; m * n + 1];
    ways[0] = 1.0;
    for i in 1..=m {
        for u in (n + i..ways.len()).rev() {
            ways[u] -= ways[u - (n + i)];
        }
        for u in i..ways.len() {
            ways[u] += ways[u - i];
        }
    }
    // The upper half would lose its digits in the differences; it mirrors the lower one.
    for u in 0..ways.len() / 2 {
        let mirrored = ways.len() - 1 - u;
        ways[mirrored] = ways[u];
    }
    let all: f64 = ways.iter().sum();
    ways.iter().map(|ways| ways / all).collect()
}

/// The serial fraction of the work by Amdahl's law, fitted to speedups over one thread; `None` without a speedup of
/// several threads.
///
/// Amdahl has the speedup of `n` threads as `S = 1 / (s + (1 - s) / n)`, so `1 / S - 1 / n` is `s (1 - 1 / n)`: a line
/// through the origin, fitted by least squares. It is below 0 if threads help each other (by a larger cache, for
/// example), or by errors of measurement.
#[must_use]
pub fn serial_fraction(speedups: &[(usize, f64)]) -> Option<f64> {
    let (mut xx, mut xy) = (0.0, 0.0);
    for &(threads, speedup) in speedups {
        let x = 1.0 - 1.0 / threads as f64;
        let y = 1.0 / speedup - 1.0 / threads as f64;
        xx += x * x;
        xy += x * y;
    }
    (xx > 0.0).then_some(xy / xx)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} {b}");
    }

    #[test]
    fn ten_samples() {
        let samples = [3.0, 1.0, 10.0, 2.0, 8.0, 5.0, 4.0, 7.0, 9.0, 6.0];
        let summary = Summary::from_samples(&samples).unwrap();
        // As R: quantile(1:10) is 1, 3.25, 5.5, 7.75, 10.
        close(summary.median, 5.5);
        close(summary.lower_quartile, 3.25);
        close(summary.upper_quartile, 7.75);
        close(summary.spread(), 4.5 / 5.5);
        assert_eq!((summary.least, summary.most), (1.0, 10.0));
        // The tables of the sign test: for ten samples the second on either side, 97.85 %.
        let Interval { low, high, confidence } = summary.interval;
        assert_eq!((low, high), (2.0, 9.0));
        close(confidence, 1.0 - 2.0 * 11.0 / 1024.0);
    }

    #[test]
    fn intervals_of_few_samples_say_how_little_they_are_worth() {
        for (n, confidence) in [(1, 0.0), (2, 0.5), (5, 0.9375), (6, 0.96875)] {
            let samples: Vec<f64> = (1..=n).map(f64::from).collect();
            let interval = Summary::from_samples(&samples).unwrap().interval;
            assert_eq!((interval.low, interval.high), (1.0, f64::from(n)));
            close(interval.confidence, confidence);
        }
        assert_eq!(Summary::from_samples(&[]), None);
        assert_eq!(Summary::from_samples(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn arrangements_are_counted() {
        // Two against three: of ten arrangements, U is 0, 1, .. 6 in 1, 1, 2, 2, 2, 1, 1.
        let probability = mann_whitney(2, 3);
        for (found, expected) in probability.iter().zip([1, 1, 2, 2, 2, 1, 1]) {
            close(*found, f64::from(expected) / 10.0);
        }
        for (m, n) in [(1, 1), (5, 5), (10, 7), (60, 90), (200, 200)] {
            let probability = mann_whitney(m, n);
            close(probability.iter().sum(), 1.0);
            let mean: f64 = (0..).zip(&probability).map(|(u, p)| f64::from(u) * p).sum();
            close(mean, (m * n) as f64 / 2.0);
            let variance: f64 = (0..).zip(&probability).map(|(u, p)| (f64::from(u) - mean).powi(2) * p).sum();
            // The variance of U under the null hypothesis.
            close(variance / (m * n * (m + n + 1)) as f64 * 12.0, 1.0);
        }
    }

    #[test]
    fn ratios_of_known_sets() {
        let old = [10.0, 11.0, 12.0, 13.0, 14.0];
        let new: Vec<f64> = old.iter().map(|value| 2.0 * value).collect();
        let ratio = Ratio::from_samples(&new, &old).unwrap();
        close(ratio.ratio, 2.0);
        // Five against five: the table of Wilcoxon's test has the third quotient from either end, 96.8 %.
        close(ratio.interval.confidence, 1.0 - 2.0 * 4.0 / 252.0);
        let mut quotients: Vec<f64> = (0..25).map(|i| new[i / 5] / old[i % 5]).collect();
        quotients.sort_unstable_by(f64::total_cmp);
        assert_eq!((ratio.interval.low, ratio.interval.high), (quotients[2], quotients[22]));
        let turned = Ratio::from_samples(&old, &new).unwrap();
        close(turned.interval.low * ratio.interval.high, 1.0);
        for (new, old) in [(&[][..], &[1.0][..]), (&[1.0], &[0.0]), (&[1.0; 201], &[1.0])] {
            assert_eq!(Ratio::from_samples(new, old), None);
        }
        let single = Ratio::from_samples(&[3.0], &[2.0]).unwrap();
        assert_eq!((single.ratio, single.interval.confidence), (1.5, 0.0));
    }

    #[test]
    fn a_ratio_of_equal_distributions_covers_one() {
        // A deterministic jitter: multiples of the golden section.
        let jitter = |i: usize| 100.0 + (i as f64 * 0.618_033_988_75).fract();
        let misses = (0..200)
            .filter(|round| {
                let set = |from: usize| (from..from + 10).map(jitter).collect::<Vec<f64>>();
                let (a, b) = (set(round * 37), set(round * 37 + 5000));
                let interval = Ratio::from_samples(&a, &b).unwrap().interval;
                !(interval.low..=interval.high).contains(&1.0)
            })
            .count();
        assert!(misses <= 10, "{misses} of 200");
    }

    #[test]
    fn amdahl_is_found_again() {
        for serial in [0.0, 0.01, 0.25] {
            let speedup = |threads: usize| 1.0 / (serial + (1.0 - serial) / threads as f64);
            let speedups: Vec<(usize, f64)> = [1, 2, 4, 8].map(|n| (n, speedup(n))).to_vec();
            close(serial_fraction(&speedups).unwrap(), serial);
        }
        assert_eq!(serial_fraction(&[(1, 1.0)]), None);
        assert_eq!(serial_fraction(&[]), None);
    }
}
