//! The driver of a rollout: which trials come next, and when it ends. A session and the processes of a job are loops
//! around it, and so is any program that brings its own way to share work, such as a page with its workers.

use crate::ask::end_rules::EndReason;
use crate::sessions::looks::{look, next_look};
use crate::sessions::resumable_rollout::ResumableRollout;

/// Why a session ends before its rollout does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interruption {
    /// It was cancelled.
    Cancelled,
    /// The rule on time ends it.
    TimeIsUp,
}

impl Interruption {
    /// Cancelling takes precedence over the time.
    pub fn from_flags(cancelled: bool, time_is_up: bool) -> Option<Interruption> {
        if cancelled { Some(Interruption::Cancelled) } else { time_is_up.then_some(Interruption::TimeIsUp) }
    }
}

/// Which trials come after the counted ones, at a look or between two, or why none do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NextTrials {
    /// The next step.
    pub step: NextStep,
    /// How many trials are expected in all, where a look at the errors says so.
    pub expected_trials: Option<f64>,
}

/// The next step of a rollout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextStep {
    /// The trials before number `until`.
    Play {
        /// The number after the last of the trials.
        until: u64,
    },
    /// The end of the session.
    End(EndReason),
}

/// Decides the next step after the counted trials. At a look this drops candidates. An interruption ends the session
/// unless a rule does.
pub fn decide_next(rollout: &mut impl ResumableRollout, interruption: Option<Interruption>) -> NextTrials {
    let (trials, last) = (rollout.trials().end, rollout.plan().trials().end);
    let mut expected_trials = None;
    if is_look(rollout, trials) {
        match look(rollout) {
            Ok(expected) => expected_trials = Some(expected),
            Err(reason) => {
                return NextTrials { step: NextStep::End(reason), expected_trials: None };
            }
        }
    }
    let reason = match interruption {
        _ if trials >= last => Some(EndReason::Trials),
        Some(Interruption::Cancelled) => Some(EndReason::Cancelled),
        Some(Interruption::TimeIsUp) => Some(EndReason::Time),
        None => None,
    };
    let until = || next_look(rollout, trials).map_or(last, |look| last.min(look));
    let step = reason.map_or_else(|| NextStep::Play { until: until() }, NextStep::End);
    NextTrials { step, expected_trials }
}

/// Whether the counts after this number of trials decide the next step.
pub fn is_look(rollout: &impl ResumableRollout, trials: u64) -> bool {
    trials > 0 && next_look(rollout, trials - 1) == Some(trials)
}
