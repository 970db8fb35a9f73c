//! How precise the ratios of a comparison must be, and when it is looked at.

use crate::paired::Paired;

/// How precise the ratios of a comparison must be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Precision {
    /// The confidence of all intervals together, 0..1; each has a higher one if there are several cases.
    pub confidence: f64,
    /// Half the width of the interval of each case, as a share: with 0.01, a ratio of 1 has an interval from 0.99 to
    /// 1.01.
    pub width: f64,
    /// Ratios from `1 / (1 + margin)` to `1 + margin` count as the same.
    pub margin: f64,
}

impl Precision {
    /// The ratio of each case from the ratios of its rounds, which `layouts` pairs of layouts took in turns. The
    /// correction for many cases is Bonferroni's: each of `n` intervals is wrong with an `n`-th of the probability. So
    /// all hold together with the confidence wanted, however the cases depend on each other.
    #[must_use]
    pub fn ratios(&self, cases: &[Vec<f64>], layouts: usize) -> Option<Vec<Paired>> {
        let confidence = self.case_precision(cases.len());
        let case_precision = |ratios: &Vec<f64>| match layouts {
            1 => Paired::from_ratios(ratios, confidence),
            _ => Paired::from_layouts(ratios, layouts, confidence),
        };
        cases.iter().map(case_precision).collect()
    }

    /// The confidence of the interval of each of several cases.
    #[must_use]
    pub fn case_precision(&self, cases: usize) -> f64 {
        1.0 - (1.0 - self.confidence) / cases as f64
    }

    /// Half the width of the widest interval, as a share; `None` if a case has none.
    #[must_use]
    pub fn widest(ratios: &[Paired]) -> Option<f64> {
        let half = |paired: &Paired| {
            let interval = paired.interval?;
            Some((interval.high / interval.low).sqrt() - 1.0)
        };
        let halves: Option<Vec<f64>> = ratios.iter().map(half).collect();
        halves.map(|halves| halves.into_iter().fold(0.0, f64::max))
    }
}

/// When a comparison looks whether its intervals are narrow enough. The first look is not before [`Paired::MIN_ROUNDS`]
/// rounds, and each later one after a tenth more: each look is a chance to stop at rounds that resemble each other by
/// accident, so there are few. A look is at the width alone. A comparison that stopped at the first difference would
/// eventually find one by chance.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    next: usize,
}

impl Looks {
    /// Before the first round.
    #[must_use]
    pub const fn new() -> Looks {
        Looks { next: 2 * Paired::MIN_ROUNDS }
    }

    /// Whether it looks after this number of rounds.
    pub fn due(&mut self, rounds: usize) -> bool {
        let due = rounds >= self.next;
        if due {
            self.next = rounds + rounds.div_ceil(10);
        }
        due
    }
}

impl Default for Looks {
    fn default() -> Looks {
        Looks::new()
    }
}
