//! When a rollout ends.

use std::time::Duration;

use super::strata::BLOCK;
use super::summary::Summary;

/// When a rollout ends: as soon as one of these holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stop {
    /// After this many trials, 1 to [`Rollout::MOST_TRIALS`](super::Rollout::MOST_TRIALS).
    pub trials: u64,
    /// When the standard error of the equity of every candidate that is still played is at most this, in points.
    pub standard_error: Option<f64>,
    /// When every candidate that is still played is at least this many joint standard deviations behind the best.
    pub jsd: Option<f64>,
    /// After this time of playing, over all sessions of the rollout. The only rule by which the number of
    /// trials depends on the machine.
    pub time: Option<Duration>,
}

impl Default for Stop {
    /// After 46,656 trials, 36 times 1,296.
    fn default() -> Stop {
        Stop::after(36 * BLOCK)
    }
}

/// Why a session of a rollout ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// [`Stop::trials`].
    Trials,
    /// [`Stop::standard_error`].
    StandardError,
    /// [`Stop::jsd`], or a [race](super::Allocation::Race) that one candidate has won.
    Jsd,
    /// [`Stop::time`].
    Time,
    /// It was cancelled.
    Cancelled,
}

impl StopReason {
    /// `trials`, `standard_error`, `jsd`, `time` or `cancelled`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Trials => "trials",
            StopReason::StandardError => "standard_error",
            StopReason::Jsd => "jsd",
            StopReason::Time => "time",
            StopReason::Cancelled => "cancelled",
        }
    }

    /// Every reason, in the order of the discriminants.
    pub(super) const ALL: [StopReason; 5] = [
        StopReason::Trials,
        StopReason::StandardError,
        StopReason::Jsd,
        StopReason::Time,
        StopReason::Cancelled,
    ];
}

impl Stop {
    /// After this many trials.
    #[must_use]
    pub const fn after(trials: u64) -> Stop {
        Stop {
            trials,
            standard_error: None,
            jsd: None,
            time: None,
        }
    }

    /// Whether a rule looks at the errors.
    pub(super) fn has_errors(&self) -> bool {
        self.standard_error.is_some() || self.jsd.is_some()
    }

    /// The number of trials, above `trials`, at which the errors are looked at next. The first is 1,296 and
    /// each next one an eighth higher, in whole blocks of 1,296, so that where a rollout ends by its errors is
    /// decided by its values alone.
    pub(super) fn next_check(trials: u64) -> u64 {
        let mut check = BLOCK;
        while check <= trials {
            check += (check / 8 / BLOCK).max(1) * BLOCK;
        }
        check
    }

    /// The rule on errors that a summary satisfies, for a rollout that is perhaps a race.
    pub(super) fn satisfied(&self, summary: &Summary, race: Option<f64>) -> Option<StopReason> {
        let errors = summary.playing().map(|s| s.equity.error());
        if self
            .standard_error
            .is_some_and(|bound| errors.fold(0.0, f64::max) <= bound)
        {
            return Some(StopReason::StandardError);
        }
        let mut others = summary.playing().skip(1);
        let is_won = race.is_some() && summary.playing().nth(1).is_none();
        let is_clear = |bound| others.all(|result| result.is_behind(bound));
        (is_won || self.jsd.is_some_and(is_clear)).then_some(StopReason::Jsd)
    }

    /// About how many trials it will take in all, judged by the errors after those of a summary, which fall
    /// with the root of the number of trials. A race ends when each candidate is as far behind as it asks.
    pub(super) fn expected_trials(&self, summary: &Summary, race: Option<f64>) -> f64 {
        let trials = summary.trials as f64;
        let errors = summary.playing().map(|s| s.equity.error());
        let by_error = self
            .standard_error
            .map(|bound| trials * (errors.fold(0.0, f64::max) / bound).powi(2));
        let closest = summary.playing().skip(1).map(|s| s.behind.mean / s.behind.error());
        let bound = [self.jsd, race].into_iter().flatten().reduce(f64::min);
        let by_jsd = bound.map(|bound| trials * (bound / closest.fold(f64::INFINITY, f64::min)).powi(2));
        [by_error, by_jsd]
            .into_iter()
            .flatten()
            .fold(self.trials as f64, f64::min)
            .max(trials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_fixed() {
        let mut check = 0;
        for expected in (1..=16).chain([18, 20, 22, 24, 27, 30, 33]) {
            check = Stop::next_check(check);
            assert_eq!(check, expected * BLOCK);
            assert_eq!(Stop::next_check(check - 1), check);
        }
    }
}
