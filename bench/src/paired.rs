//! The ratio of two builds from rounds in which both were measured.
//!
//! A round measures both builds once, in random order, and gives a ratio of rates. The estimate is Hodges and
//! Lehmann's: the median of the means of all pairs of logarithms. The interval inverts Wilcoxon's signed-rank test,
//! which assumes no distribution but a symmetric one. Random order makes it symmetric: a coin decides which of two
//! equal builds meets a slower machine. See E. L. Lehmann, *Nonparametrics: Statistical Methods Based on Ranks* (1975),
//! chapters 3 and 4.
//!
//! Rounds that resemble their neighbours make the test too sure. The interval is therefore widened by the
//! autocorrelation of the ranks: by its upper bound rather than its estimate, so rounds count as independent only to
//! the degree that they show it. Few rounds give no interval.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::statistics::{Interval, central};

/// A ratio from rounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paired {
    /// The estimate.
    pub ratio: f64,
    /// Where the true ratio lies; `None` if there are too few rounds to say so with the confidence asked for.
    pub interval: Option<Interval>,
    /// The autocorrelation of the ranks at a distance of one round, -1..=1, without its bias; 0 if all ratios are
    /// equal. `None` with fewer than [`Paired::MIN_ROUNDS`] rounds, and if layouts are the sample.
    pub autocorrelation: Option<f64>,
}

/// The upper bound of the autocorrelation is its estimate plus `ERRORS` standard errors, each `1 / sqrt(rounds)`. With
/// less, simulated intervals of a few dozen autocorrelated rounds are wrong too often (tests/rounds.rs).
const ERRORS: f64 = 0.8;

impl Paired {
    /// The fewest rounds with which an interval is possible.
    pub const MIN_ROUNDS: usize = 12;
    /// The most rounds, since the means of all pairs are computed: two million of them.
    pub const MAX_ROUNDS: usize = 2000;

    /// The ratio of rounds, with an interval of the given confidence, 0..1. `None` if there are no rounds, or more than
    /// [`Paired::MAX_ROUNDS`], or if a ratio is not above 0.
    ///
    /// ```
    /// use tavli_bench::paired::Paired;
    /// let rounds: Vec<f64> = (0..40).map(|i| 1.03 + 0.001 * f64::from(i % 3)).collect();
    /// let paired = Paired::from_ratios(&rounds, 0.95).expect("forty ratios above 0");
    /// let interval = paired.interval.expect("forty rounds suffice");
    /// assert!(1.03 <= interval.low && interval.high <= 1.032);
    /// ```
    #[must_use]
    pub fn from_ratios(ratios: &[f64], confidence: f64) -> Option<Paired> {
        let usable = |ratio: &f64| *ratio > 0.0 && ratio.is_finite();
        if !(1..=Paired::MAX_ROUNDS).contains(&ratios.len()) || !ratios.iter().all(usable) {
            return None;
        }
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let mut means = means_of_pairs(&logarithms);
        let autocorrelation = (ratios.len() >= Paired::MIN_ROUNDS).then(|| autocorrelation(&logarithms));
        let outside = autocorrelation.and_then(|found| outside(ratios.len(), found, confidence));
        let last = means.len() - 1;
        let mut nth = |index: usize| *means.select_nth_unstable_by(index, f64::total_cmp).1;
        Some(Paired {
            ratio: f64::midpoint(nth(last / 2), nth(last.div_ceil(2))).exp(),
            interval: outside.map(|outside| Interval {
                low: nth(outside).exp(),
                high: nth(last - outside).exp(),
                confidence,
            }),
            autocorrelation,
        })
    }

    /// The ratio of rounds that pairs of layouts took in turns, the first pair again after the last. The layouts are
    /// the sample: the interval comes from the exact signed-rank test over the estimates of the pairs, and covers the
    /// difference between other layouts of the same builds. `None` as for [`Paired::from_ratios`].
    #[must_use]
    pub fn from_layouts(ratios: &[f64], layouts: usize, confidence: f64) -> Option<Paired> {
        let whole = Paired::from_ratios(ratios, confidence)?;
        let of_layout = |layout| {
            let rounds: Vec<f64> = ratios.iter().skip(layout).step_by(layouts).copied().collect();
            Some(Paired::from_ratios(&rounds, confidence)?.ratio.ln())
        };
        let estimates: Option<Vec<f64>> = (0..layouts).map(of_layout).collect();
        let Some(estimates) = estimates else {
            return Some(Paired { interval: None, autocorrelation: None, ..whole });
        };
        let mut means = means_of_pairs(&estimates);
        means.sort_unstable_by(f64::total_cmp);
        let found = central(&means, &signed_rank(layouts), confidence);
        let interval = Interval { low: found.low.exp(), high: found.high.exp(), confidence: found.confidence };
        let last = means.len() - 1;
        Some(Paired {
            ratio: f64::midpoint(means[last / 2], means[last.div_ceil(2)]).exp(),
            interval: (found.confidence >= confidence).then_some(interval),
            autocorrelation: None,
        })
    }

    /// The fewest layouts with which an interval of this confidence, 0..1, is possible.
    #[must_use]
    pub fn fewest_layouts(confidence: f64) -> usize {
        // All estimates lie on one side of 1 with a probability of 2 in 2^layouts.
        (2.0 / (1.0 - confidence)).log2().ceil() as usize
    }
}

/// The probabilities of Wilcoxon's sum of the positive ranks of `n` values, 0 to `n (n + 1) / 2`, if they are as often
/// above as below 0. The numbers of ways are the coefficients of the product over i = 1 ..= n of 1 + q^i.
fn signed_rank(n: usize) -> Vec<f64> {
    let mut ways = vec![0.0; n * (n + 1) / 2 + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let all = 2.0_f64.powi(n as i32);
    ways.iter().map(|ways| ways / all).collect()
}

/// The means of all pairs, including each value with itself.
fn means_of_pairs(values: &[f64]) -> Vec<f64> {
    let pairs = values.iter().enumerate();
    pairs.flat_map(|(index, a)| values[index..].iter().map(move |b| f64::midpoint(*a, *b))).collect()
}

/// The number of means on either side that lie outside the interval; `None` if even the widest interval is too narrow.
fn outside(rounds: usize, autocorrelation: f64, confidence: f64) -> Option<usize> {
    let n = rounds as f64;
    let bound = (autocorrelation + ERRORS / n.sqrt()).max(0.0);
    if bound >= 1.0 {
        return None;
    }
    // The mean of n values with the given autocorrelation varies as much as the mean of n / inflation independent
    // values.
    let inflation = (1.0 + bound) / (1.0 - bound);
    let freedom = n / inflation - 1.0;
    let errors = StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(f64::midpoint(1.0, confidence));
    // Mean and variance of the sum of the positive ranks, if the ratio is 1.
    let mean = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0;
    let least = mean - errors * (inflation * variance).sqrt() - 0.5;
    // The k-th mean from either end bounds the interval: the first has the number 0.
    (least >= 1.0).then(|| least as usize - 1)
}

/// The autocorrelation of the ranks at a distance of one, its bias removed.
fn autocorrelation(values: &[f64]) -> f64 {
    let ranks = centred_ranks(values);
    let squares: f64 = ranks.iter().map(|rank| rank * rank).sum();
    if squares == 0.0 {
        return 0.0;
    }
    let products: f64 = ranks.windows(2).map(|two| two[0] * two[1]).sum();
    // Independent values have -1 / n on average, and dependent ones are underestimated in proportion: M. G. Kendall,
    // "Note on bias in the estimation of autocorrelation", Biometrika 41 (1954).
    let n = values.len() as f64;
    ((products / squares + 1.0 / n) / (1.0 - 4.0 / n)).clamp(-1.0, 1.0)
}

/// The ranks of values minus the mean rank; equal values share a rank.
fn centred_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mean = (values.len() - 1) as f64 / 2.0;
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = below as f64 + (equal.len() - 1) as f64 / 2.0;
        for &index in equal {
            ranks[index] = rank - mean;
        }
        below += equal.len();
    }
    ranks
}
