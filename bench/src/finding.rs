//! Findings of a comparison: a case's ratio, the evidence of its interval, and whether a gate holds.

use serde::Serialize;

use crate::statistics::Interval;

/// What the interval of a ratio shows, given a margin within which ratios count as the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// The interval is above 1, and not within the margin.
    Faster,
    /// The interval is below 1, and not within the margin.
    Slower,
    /// The whole interval is within the margin: a difference, if there is one, is smaller.
    Same,
    /// There is no interval, or it contains 1 and reaches beyond the margin: nothing is shown.
    Undecided,
}

impl Finding {
    /// What an interval shows. The margin is a share: with 0.02, ratios from 1 / 1.02 to 1.02 count as the same.
    ///
    /// ```
    /// use tavli_bench::finding::Finding;
    /// use tavli_bench::statistics::Interval;
    /// let of = |low, high| Finding::from_interval(Some(Interval { low, high, confidence: 0.95 }), 0.02);
    /// assert_eq!(of(1.01, 1.03), Finding::Faster);
    /// assert_eq!(of(0.96, 0.99), Finding::Slower);
    /// assert_eq!(of(1.001, 1.01), Finding::Same);
    /// assert_eq!(of(0.97, 1.01), Finding::Undecided);
    /// ```
    #[must_use]
    pub fn from_interval(interval: Option<Interval>, margin: f64) -> Finding {
        let Some(Interval { low, high, .. }) = interval else {
            return Finding::Undecided;
        };
        if (1.0 + margin).recip() <= low && high <= 1.0 + margin {
            Finding::Same
        } else if low > 1.0 {
            Finding::Faster
        } else if high < 1.0 {
            Finding::Slower
        } else {
            Finding::Undecided
        }
    }

    /// The finding in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Finding::Faster => "faster",
            Finding::Slower => "slower",
            Finding::Same => "the same",
            Finding::Undecided => "no difference shown",
        }
    }
}

/// A case of both sides, compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Compared {
    /// The name of the case.
    pub name: String,
    /// How many times as fast the new side is; `None` if nothing can be compared.
    pub ratio: Option<f64>,
    /// The lower end of the interval of the ratio; `None` without an interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// What the interval shows.
    pub verdict: Finding,
    /// Why there is no ratio or no interval; empty if there are both.
    pub obstacles: Vec<String>,
}

impl Compared {
    /// A case with its ratio and interval, if they exist.
    #[must_use]
    pub fn new(
        name: String,
        ratio: Option<f64>,
        interval: Option<Interval>,
        margin: f64,
        obstacles: Vec<String>,
    ) -> Compared {
        Compared {
            name,
            ratio,
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            verdict: Finding::from_interval(interval, margin),
            obstacles,
        }
    }

    /// The ratio, its interval and what they show, in words: `0.9700 times as fast (0.9650 to 0.9751): slower`.
    #[must_use]
    pub fn words(&self) -> String {
        let verdict = self.verdict.words();
        match (self.ratio, self.low, self.high) {
            (Some(ratio), Some(low), Some(high)) => {
                format!("{ratio:.4} times as fast ({low:.4} to {high:.4}): {verdict}")
            }
            (Some(ratio), ..) => {
                let reasons = self.obstacles.join("; ");
                format!("{ratio:.4} times as fast (no interval: {reasons}): {verdict}")
            }
            _ => format!("not comparable: {}", self.obstacles.join("; ")),
        }
    }
}

/// Whether every case reaches a lowest ratio.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The intervals of all cases lie at or above the bound.
    Holds,
    /// The cases whose intervals lie below the bound, each with its evidence.
    Fails(Vec<String>),
    /// No interval lies below the bound. The cases whose intervals reach below it, or are missing, each with its
    /// evidence.
    Undecided(Vec<String>),
}

impl Gate {
    /// What the cases show about a bound. Without cases the gate is undecided.
    #[must_use]
    pub fn from_cases<'a>(cases: impl IntoIterator<Item = &'a Compared>, least: f64) -> Gate {
        let (mut fails, mut open, mut any) = (Vec::new(), Vec::new(), false);
        for case in cases {
            any = true;
            let evidence = || format!("{}: {}", case.name, case.words());
            if case.high.is_some_and(|high| high < least) {
                fails.push(evidence());
            } else if case.low.is_none_or(|low| low < least) {
                open.push(evidence());
            }
        }
        if !fails.is_empty() {
            Gate::Fails(fails)
        } else if !open.is_empty() {
            Gate::Undecided(open)
        } else if any {
            Gate::Holds
        } else {
            Gate::Undecided(vec!["no case was measured on both sides".to_owned()])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(name: &str, low: f64, high: f64) -> Compared {
        let interval = Interval { low, high, confidence: 0.95 };
        let ratio = (low * high).sqrt();
        Compared::new(name.to_owned(), Some(ratio), Some(interval), 0.02, Vec::new())
    }

    fn missing(name: &str) -> Compared {
        let reason = vec!["too few rounds".to_owned()];
        Compared::new(name.to_owned(), Some(1.0), None, 0.02, reason)
    }

    #[test]
    fn findings_follow_the_interval_and_the_margin() {
        for (low, high, finding) in [
            (1.021, 1.03, Finding::Faster),
            (1.0001, 1.5, Finding::Faster),
            (0.5, 0.9999, Finding::Slower),
            (1.0 / 1.02, 1.02, Finding::Same),
            (0.99, 0.999, Finding::Same),
            (0.98, 1.02, Finding::Undecided),
            (1.0, 1.03, Finding::Undecided),
            (0.97, 1.0, Finding::Undecided),
        ] {
            assert_eq!(compared("a", low, high).verdict, finding, "{low} {high}");
        }
        assert_eq!(Finding::from_interval(None, 0.02), Finding::Undecided);
    }

    #[test]
    fn a_gate_holds_fails_or_is_open() {
        let (fine, slow, wide) =
            (compared("fine", 0.98, 1.01), compared("slow", 0.93, 0.96), compared("wide", 0.95, 1.02));
        assert_eq!(Gate::from_cases([&fine, &fine], 0.97), Gate::Holds);
        let Gate::Fails(evidence) = Gate::from_cases([&fine, &slow, &wide], 0.97) else {
            panic!("the slow case fails");
        };
        assert_eq!(evidence, ["slow: 0.9449 times as fast (0.9300 to 0.9600): slower"]);
        let Gate::Undecided(evidence) = Gate::from_cases([&fine, &wide, &missing("none")], 0.97) else {
            panic!("two cases are open");
        };
        assert!(evidence[0].starts_with("wide: "), "{evidence:?}");
        assert_eq!(evidence[1], "none: 1.0000 times as fast (no interval: too few rounds): no difference shown");
        assert!(matches!(Gate::from_cases([], 0.97), Gate::Undecided(_)));
        // A bound inside the interval decides nothing; its ends belong to the interval.
        assert_eq!(Gate::from_cases([&fine], 0.98), Gate::Holds);
        assert!(matches!(Gate::from_cases([&fine], 1.01), Gate::Undecided(_)));
        assert!(matches!(Gate::from_cases([&fine], 1.02), Gate::Fails(_)));
    }
}
