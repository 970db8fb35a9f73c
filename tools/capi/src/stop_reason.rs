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
    /// A decision: one play is the best, or none is better by more than the tolerance, `within`.
    Decided = 5,
}

impl From<rollout::EndReason> for StopReason {
    fn from(reason: rollout::EndReason) -> StopReason {
        match reason {
            rollout::EndReason::Trials => StopReason::Trials,
            rollout::EndReason::StandardError => StopReason::StandardError,
            rollout::EndReason::Jsd => StopReason::Jsd,
            rollout::EndReason::Time => StopReason::Time,
            rollout::EndReason::Cancelled => StopReason::Cancelled,
            rollout::EndReason::Decided => StopReason::Decided,
            unknown => panic!("this interface has no number for the reason {}", unknown.name()),
        }
    }
}
