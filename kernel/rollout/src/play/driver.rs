//! The driver of a rollout: which trials come next, and when it ends. A session and the processes of a job are loops
//! around it, and so is any program that brings its own way to share work, such as a page with its workers.

use core::ops::Range;

use thiserror::Error;

use crate::ask::end_rules::EndReason;
use crate::play::resumable_rollout::ResumableRollout;

/// Why [`Rollout::add_trials`](crate::Rollout::add_trials) refuses trials or their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum AddTrialsError {
    /// Its trials do not follow those that are counted, or pass the last one to be played.
    #[error("trials {trials:?} were given, but {next:?} come next: add all chunks once, in the order of their trials")]
    Order {
        /// The trials that come next.
        next: Range<u64>,
        /// The trials of the chunk.
        trials: Range<u64>,
    },
    /// It has another number of counts.
    #[error("{found} numbers were given, and a chunk of this rollout has {expected}: add chunks of the same rollout")]
    Length {
        /// The numbers of a chunk.
        expected: usize,
        /// The numbers of the chunk that was given.
        found: usize,
    },
}

/// Why a session ends before its rollout does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interruption {
    Cancelled,
    TimeIsUp,
}

impl Interruption {
    /// Cancelling takes precedence over the time.
    pub(crate) fn from_flags(cancelled: bool, time_is_up: bool) -> Option<Interruption> {
        if cancelled { Some(Interruption::Cancelled) } else { time_is_up.then_some(Interruption::TimeIsUp) }
    }
}

/// Which trials come after the counted ones, at a look or between two, or why none do.
pub(crate) struct NextTrials {
    pub(crate) step: NextStep,
    /// How many trials are expected in all, where a look at the errors says so.
    pub(crate) expected_trials: Option<f64>,
}

/// The next step of a rollout.
pub(crate) enum NextStep {
    /// The trials before number `until`.
    Play { until: u64 },
    /// The end of the session.
    End(EndReason),
}

/// Decides the next step after the counted trials. At a look this drops candidates. An interruption ends the session
/// unless a rule does.
pub(crate) fn decide_next(rollout: &mut impl ResumableRollout, interruption: Option<Interruption>) -> NextTrials {
    let (trials, last) = (rollout.trials().end, rollout.planned_trials().end);
    let mut expected_trials = None;
    if is_look(rollout, trials) {
        match rollout.look() {
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
    let until = || rollout.next_look(trials).map_or(last, |look| last.min(look));
    let step = reason.map_or_else(|| NextStep::Play { until: until() }, NextStep::End);
    NextTrials { step, expected_trials }
}

/// Whether the counts after this number of trials decide the next step.
pub(crate) fn is_look(rollout: &impl ResumableRollout, trials: u64) -> bool {
    trials > 0 && rollout.next_look(trials - 1) == Some(trials)
}
