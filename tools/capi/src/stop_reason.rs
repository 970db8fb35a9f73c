//! Why a rollout stopped playing.

use tavli::rollout;

/// Which rule ended the play of a rollout.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The number of trials.
    Trials = 0,
    /// The standard error.
    StandardError = 1,
    /// The joint standard deviations.
    Jsd = 2,
    /// The time.
    Time = 3,
    /// It was cancelled.
    Cancelled = 4,
}

impl From<rollout::Ended> for StopReason {
    fn from(reason: rollout::Ended) -> StopReason {
        match reason {
            rollout::Ended::Trials => StopReason::Trials,
            rollout::Ended::StandardError => StopReason::StandardError,
            rollout::Ended::Jsd => StopReason::Jsd,
            rollout::Ended::Time => StopReason::Time,
            rollout::Ended::Cancelled => StopReason::Cancelled,
        }
    }
}
