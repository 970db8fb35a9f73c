//! How the games of a rollout are divided among its candidates.

use core::fmt;
use core::str::FromStr;

use tavli_base::text::Quoted;
use thiserror::Error;

/// How the games of a rollout are divided among its candidates. Written `even`, `race` or `race:95%`, `race:99%:0.005`,
/// `race:2.5`, and `halving`.
///
/// A candidate is dropped after a fixed number of trials, by exact counts, so that threads, tier, sessions and
/// processes change nothing. A dropped candidate keeps its games, and is compared with the best on their dice. A
/// [`Shard`](crate::Shard) does not know the counts of the other shards, so it cannot drop a candidate.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Allocation {
    /// All candidates have the same number of games.
    #[default]
    Even,
    /// A candidate is dropped as soon as it is known to be worse than another, and the rollout ends when one is left,
    /// or when no other candidate is better than the best by more than `within`. With a probability of at least
    /// `percent` the best candidate is not dropped, and no other is better than the one found by more than `within`
    /// points: `docs/statistics.md` of tavli-rollout has the bound, which holds over all looks together.
    ///
    /// The looks are after 36, 72, 144 trials and so on, each time twice as many. A single candidate is the best, after
    /// 36 trials.
    FixedConfidence {
        /// How sure the result is, in percent: above 0 and below 100.
        percent: f64,
        /// Candidates that differ by at most `within` points count as equally good; 0 or more.
        within: f64,
    },
    /// A candidate is dropped as soon as it is hopeless: at least `jsd` joint standard deviations behind the best, a
    /// number above 0. The candidates are looked at when [`EndRules`](crate::EndRules) look at the errors, after 1,296
    /// trials and then at steps of an eighth. The rollout ends when one is left.
    ///
    /// This is the race of O. Maron and A. W. Moore (*Hoeffding races: accelerating model selection search for
    /// classification and function approximation*, Advances in Neural Information Processing Systems 6, 1993) with the
    /// errors of paired differences, as in their races of blocked trials (*The racing algorithm: model selection for
    /// lazy learners*, Artificial Intelligence Review 11, 1997). GNU Backgammon's `set rollout jsd move` drops moves in
    /// this way, by errors that ignore the common dice; its limit is 2.33 by default. The race has many looks, so the
    /// best candidate is dropped more often than at a single look.
    JsdRace {
        /// The distance behind the best at which a candidate is hopeless, in joint standard deviations.
        jsd: f64,
    },
    /// Rounds of equal cost, after each of which the better half of the candidates goes on: sequential halving (Z.
    /// Karnin, T. Koren and O. Somekh, *Almost optimal exploration in multi-armed bandits*, Proceedings of the 30th
    /// International Conference on Machine Learning, 2013). The best candidates have all trials of the rollout's
    /// [`EndRules`](crate::EndRules). With `n` candidates there are `L = log2 n` rounds, rounded up, and round `r`,
    /// from 1, ends after `trials (2^r - 1) / (2^L - 1)`, rounded up to whole blocks of 1,296 if it is more than one
    /// block.
    Halving,
}

/// A text that is not an [`Allocation`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AllocationError {
    /// A word that names no allocation.
    #[error(
        "invalid allocation '{}': write even, race, race:PERCENT%, race:PERCENT%:POINTS, race:JSD or halving",
        Quoted::new(.0)
    )]
    Word(String),
    /// A bound that is not a number above 0.
    #[error(
        "invalid allocation '{}': after race: write a percentage below 100, such as race:95%, and perhaps the points \
         that do not matter, such as race:95%:0.005; or a number of joint standard deviations above 0, such as race:2.5",
        Quoted::new(.0)
    )]
    Bound(String),
}

impl Allocation {
    /// The default confidence of races and decisions, in percent.
    pub const DEFAULT_PERCENT: f64 = 95.0;

    /// A race to the best candidate with a confidence of 95 %, `race` as a text.
    pub const DEFAULT_RACE: Allocation =
        Allocation::FixedConfidence { percent: Allocation::DEFAULT_PERCENT, within: 0.0 };

    /// Sets `within` of a race of fixed confidence, if `points` is given. Other allocations stay as they are.
    #[must_use]
    pub fn within(self, points: Option<f64>) -> Allocation {
        match (self, points) {
            (Allocation::FixedConfidence { percent, .. }, Some(within)) => {
                Allocation::FixedConfidence { percent, within }
            }
            (allocation, _) => allocation,
        }
    }

    /// How many joint standard deviations behind the best [`Allocation::JsdRace`] drops a candidate.
    #[must_use]
    pub fn jsd_bound(self) -> Option<f64> {
        match self {
            Allocation::JsdRace { jsd } => Some(jsd),
            Allocation::Even | Allocation::FixedConfidence { .. } | Allocation::Halving => None,
        }
    }
}

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allocation::Even => f.write_str("even"),
            Allocation::FixedConfidence { percent, within } => {
                write!(f, "race:{percent}%")?;
                match within {
                    0.0 => Ok(()),
                    within => write!(f, ":{within}"),
                }
            }
            Allocation::JsdRace { jsd } => write!(f, "race:{jsd}"),
            Allocation::Halving => f.write_str("halving"),
        }
    }
}

impl FromStr for Allocation {
    type Err = AllocationError;

    fn from_str(text: &str) -> Result<Allocation, AllocationError> {
        match text {
            "even" => Ok(Allocation::Even),
            "race" => Ok(Allocation::DEFAULT_RACE),
            "halving" => Ok(Allocation::Halving),
            _ => {
                let bound = text.strip_prefix("race:").ok_or_else(|| AllocationError::Word(text.to_owned()))?;
                race_to(bound).ok_or_else(|| AllocationError::Bound(text.to_owned()))
            }
        }
    }
}

/// The race to a bound: `95%`, `95%:0.005` or `2.5`.
fn race_to(bound: &str) -> Option<Allocation> {
    // `parse` alone would take a sign, "inf" and "nan".
    let number = |text: &str| {
        let number: f64 = text.parse().ok()?;
        let is_plain = number.is_finite() && !text.starts_with(['+', '-']);
        is_plain.then_some(number)
    };
    let Some((percent, within)) = bound.split_once('%') else {
        let jsd = number(bound).filter(|&jsd| jsd > 0.0)?;
        return Some(Allocation::JsdRace { jsd });
    };
    let percent = number(percent).filter(|&percent| percent > 0.0 && percent < 100.0)?;
    let within = match within {
        "" => 0.0,
        within => number(within.strip_prefix(':')?)?,
    };
    Some(Allocation::FixedConfidence { percent, within })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_read_and_written() {
        for (text, allocation) in [
            ("even", Allocation::Even),
            ("race:95%", Allocation::DEFAULT_RACE),
            ("race:99.5%:0.005", Allocation::FixedConfidence { percent: 99.5, within: 0.005 }),
            ("race:2.5", Allocation::JsdRace { jsd: 2.5 }),
            ("halving", Allocation::Halving),
        ] {
            assert_eq!(text.parse(), Ok(allocation));
            assert_eq!(allocation.to_string(), text);
        }
        assert_eq!("race".parse(), Ok(Allocation::DEFAULT_RACE));
        for text in [
            "",
            "Even",
            "race:",
            "race:0",
            "race:-1",
            "race:+1",
            "race:nan",
            "race:inf",
            "race:100%",
            "race:0%",
            "race:%",
            "race:95%0.1",
            "race:95%:",
            "race:95%:-1",
            "race:nan%",
            "race:95%:inf",
        ] {
            assert!(text.parse::<Allocation>().is_err(), "{text}");
        }
    }
}
