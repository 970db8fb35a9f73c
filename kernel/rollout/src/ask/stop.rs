//! When a rollout ends.

use std::time::Duration;

use crate::ask::limits::STRATUM_BLOCK;

/// When a rollout ends: as soon as one of these holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stop {
    /// After this many trials, 1 to [`Rollout::MOST_TRIALS`](crate::Rollout::MOST_TRIALS).
    pub trials: u64,
    /// When the standard error of the equity of every candidate that is still played is at most this, in points.
    pub standard_error: Option<f64>,
    /// When every candidate that is still played is at least this many joint standard deviations behind the best.
    pub jsd: Option<f64>,
    /// After this time of playing, over all sessions of the rollout; a session gives up the games that are not finished
    /// a tenth of a second later, but [processes](crate::Ranks) finish the slice that they share. The only rule by
    /// which the number of trials depends on the machine.
    pub time: Option<Duration>,
}

impl Default for Stop {
    /// After 46,656 trials, 36 times 1,296.
    fn default() -> Stop {
        Stop::after(36 * STRATUM_BLOCK)
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
    /// [`Stop::jsd`], or a [race](crate::Allocation::JsdRace) that one candidate has won.
    Jsd,
    /// [`Stop::time`].
    Time,
    /// It was cancelled.
    Cancelled,
    /// A race of [fixed confidence](crate::Allocation::FixedConfidence) that is decided.
    Decided,
}

impl StopReason {
    /// `trials`, `standard_error`, `jsd`, `time`, `cancelled` or `decided`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Trials => "trials",
            StopReason::StandardError => "standard_error",
            StopReason::Jsd => "jsd",
            StopReason::Time => "time",
            StopReason::Cancelled => "cancelled",
            StopReason::Decided => "decided",
        }
    }

    /// Every reason, in the order of the discriminants.
    pub(crate) const ALL: [StopReason; 6] = [
        StopReason::Trials,
        StopReason::StandardError,
        StopReason::Jsd,
        StopReason::Time,
        StopReason::Cancelled,
        StopReason::Decided,
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
    pub(crate) fn has_errors(&self) -> bool {
        self.standard_error.is_some() || self.jsd.is_some()
    }
}
