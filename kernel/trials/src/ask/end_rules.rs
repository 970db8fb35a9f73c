//! When a rollout ends.

use std::time::Duration;

use tavli_base::named_values;

use crate::ask::limits::TRIALS_PER_BLOCK;

/// When a rollout ends: as soon as one of these holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EndRules {
    /// After `trials` trials, 1 to [`MAX_TRIALS`](crate::MAX_TRIALS).
    pub trials: u64,
    /// When the standard error of the equity of every candidate that is still played is at most this, in points.
    pub standard_error: Option<f64>,
    /// When every candidate still played is at least `jsd` joint standard deviations behind the best.
    pub jsd: Option<f64>,
    /// After this time of playing, over all sessions of the rollout. A tenth of a second later a session gives up its
    /// unfinished games, but the processes of a job finish the slice that they share. This is the only rule that makes
    /// the number of trials depend on the machine.
    pub time: Option<Duration>,
}

impl Default for EndRules {
    /// After 46,656 trials, 36 times 1,296.
    fn default() -> EndRules {
        // 36 games for each pair of first throws: with uniform play a standard error of 0.0095 points in the opening
        // (README.md).
        EndRules::after_trials(36 * TRIALS_PER_BLOCK)
    }
}

/// Why a session of a rollout ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EndReason {
    /// [`EndRules::trials`].
    Trials,
    /// [`EndRules::standard_error`].
    StandardError,
    /// [`EndRules::jsd`], or a [race](crate::Allocation::JsdRace) that one candidate has won.
    Jsd,
    /// [`EndRules::time`].
    Time,
    /// It was cancelled.
    Cancelled,
    /// A race of [fixed confidence](crate::Allocation::FixedConfidence) that is decided.
    Decided,
}

// In the order of the discriminants, by which processes tell each other the reason.
named_values!(
    EndReason:
    Trials "trials",
    StandardError "standard_error",
    Jsd "jsd",
    Time "time",
    Cancelled "cancelled",
    Decided "decided",
);

impl EndRules {
    /// Ends after `trials` trials.
    #[must_use]
    pub const fn after_trials(trials: u64) -> EndRules {
        EndRules { trials, standard_error: None, jsd: None, time: None }
    }

    /// Whether a rule looks at the errors.
    pub(crate) fn has_errors(&self) -> bool {
        self.standard_error.is_some() || self.jsd.is_some()
    }
}
