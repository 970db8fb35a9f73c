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

impl From<rollout::Ended> for Ended {
    fn from(ended: rollout::Ended) -> Ended {
        match ended {
            rollout::Ended::Trials => Ended::Trials,
            rollout::Ended::StandardError => Ended::StandardError,
            rollout::Ended::Jsd => Ended::Jsd,
            rollout::Ended::Time => Ended::Time,
            rollout::Ended::Cancelled => Ended::Cancelled,
        }
    }
}
