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
    /// A decision: one play is the best, or none is better by more than the points that do not matter.
    Decided = 5,
}

impl From<rollout::StopReason> for StopReason {
    fn from(reason: rollout::StopReason) -> StopReason {
        match reason {
            rollout::StopReason::Trials => StopReason::Trials,
            rollout::StopReason::StandardError => StopReason::StandardError,
            rollout::StopReason::Jsd => StopReason::Jsd,
            rollout::StopReason::Time => StopReason::Time,
            rollout::StopReason::Cancelled => StopReason::Cancelled,
            rollout::StopReason::Decided => StopReason::Decided,
            unknown => panic!("this interface has no number for the reason {}", unknown.name()),
        }
    }
}
