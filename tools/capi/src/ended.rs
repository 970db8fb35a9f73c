//! Why a rollout stopped playing.

use tavli::rollout;

/// Which rule ended the play of a rollout.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
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

impl From<rollout::StopReason> for Ended {
    fn from(ended: rollout::StopReason) -> Ended {
        match ended {
            rollout::StopReason::Trials => Ended::Trials,
            rollout::StopReason::StandardError => Ended::StandardError,
            rollout::StopReason::Jsd => Ended::Jsd,
            rollout::StopReason::Time => Ended::Time,
            rollout::StopReason::Cancelled => Ended::Cancelled,
            unknown => panic!(
                "this interface has no number for the reason {}",
                unknown.name()
            ),
        }
    }
}
