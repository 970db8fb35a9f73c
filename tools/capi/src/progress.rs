//! How far a call is, reported to the caller.

use std::ffi::c_void;
use std::ptr::null;
use std::time::Duration;

use tavli::{rollout, run};

use crate::candidate_result::CandidateResult;

/// How far a call is: playouts, a duel, a search or a rollout.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Games or simulations of this call, or trials of the rollout, including earlier calls.
    pub trials: u64,
    /// About how many there will be.
    pub expected_trials: f64,
    /// The share that is done, 0 to 1.
    pub fraction: f64,
    /// Games or simulations per second in this call; a trial is a game of each candidate.
    pub games_per_second: f64,
    /// Seconds since the start of this call.
    pub seconds: f64,
    /// The predicted seconds left; below 0 before they can be predicted.
    pub seconds_left: f64,
    /// The interim results of a rollout, the best first: NULL for all else, and from tavli_rollout_poll, which stores
    /// them elsewhere.
    pub results: *const CandidateResult,
    /// How many results there are: the candidates of the rollout, 0 for all else.
    pub candidates: usize,
}

/// Called about ten times a second while something is played, on the thread that asked for it, with the data that was
/// passed along. The report is valid until the callback returns. The callback must return: neither longjmp nor an
/// exception may leave it. It may throw a switch, and may not play or free what is being played.
pub type ProgressCallback = Option<unsafe extern "C" fn(progress: *const Progress, data: *mut c_void)>;

/// The receiver of progress reports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listener {
    callback: ProgressCallback,
    data: *mut c_void,
}

impl Listener {
    /// # Safety
    /// If there is a callback, it may be called with this data on this thread, as long as there is this listener.
    pub(crate) unsafe fn new(callback: ProgressCallback, data: *mut c_void) -> Listener {
        Listener { callback, data }
    }

    /// Reports to the caller.
    pub(crate) fn tell(self, report: &ProgressReport) {
        if let Some(callback) = self.callback {
            let mut progress = report.progress;
            if progress.candidates > 0 {
                progress.results = report.results.as_ptr();
            }
            // SAFETY: the caller of `Listener::new` guarantees that `callback` may be called with `data`; `progress`
            // and the results of `report` outlive the call.
            unsafe { callback(&raw const progress, self.data) };
        }
    }
}

/// The progress of a call, and the interim results of a rollout.
#[derive(Clone, Debug)]
pub(crate) struct ProgressReport {
    /// Without the results, which are in `results` or at the caller.
    progress: Progress,
    results: Vec<CandidateResult>,
}

// SAFETY: `progress` points to nothing as long as it is in a `ProgressReport`.
unsafe impl Send for ProgressReport {}

impl ProgressReport {
    /// The rollout before anything is played in a call.
    pub(crate) fn at_start(rollout: &rollout::Rollout) -> ProgressReport {
        let trials = rollout.trials().end - rollout.trials().start;
        ProgressReport::from(&rollout::RolloutProgress {
            rollout,
            trials,
            session_trials: 0,
            session_games: 0,
            elapsed: Duration::ZERO,
            expected_trials: rollout.end_rules().trials as f64,
            time_limit_left: None,
            unsaved: None,
        })
    }

    /// The progress, with no pointer to the results.
    pub(crate) fn progress(&self) -> Progress {
        self.progress
    }

    pub(crate) fn results(&self) -> &[CandidateResult] {
        &self.results
    }
}

/// Without a given number, as many trials as the errors or the time allow; infinite as long as this is not known.
fn expected_trials(progress: &rollout::RolloutProgress<'_>) -> f64 {
    let rate = progress.trials_per_second();
    let by_time = |left: Duration| progress.trials as f64 + rate * left.as_secs_f64();
    let bounded = Some(progress.expected_trials).filter(|&trials| trials < rollout::Rollout::MAX_TRIALS as f64);
    let by_trials = bounded.unwrap_or(f64::INFINITY);
    progress.time_limit_left.map_or(by_trials, |left| by_trials.min(by_time(left)))
}

fn seconds_left(time: Option<Duration>) -> f64 {
    time.map_or(-1.0, |time| time.as_secs_f64())
}

impl From<&rollout::RolloutProgress<'_>> for ProgressReport {
    fn from(progress: &rollout::RolloutProgress) -> ProgressReport {
        let results = progress.rollout.summary().standings.iter();
        let results: Vec<CandidateResult> = results.map(CandidateResult::from).collect();
        let progress = Progress {
            trials: progress.trials,
            expected_trials: expected_trials(progress),
            fraction: progress.fraction(),
            games_per_second: progress.games_per_second(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: seconds_left(progress.time_left()),
            results: null(),
            candidates: results.len(),
        };
        ProgressReport { progress, results }
    }
}

impl From<&run::Progress> for ProgressReport {
    fn from(progress: &run::Progress) -> ProgressReport {
        let expected = match progress.limit {
            run::Limit::Items(games) => games as f64,
            run::Limit::Time(time) => progress.items_per_second() * time.as_secs_f64(),
        };
        let progress = Progress {
            trials: progress.items,
            expected_trials: expected,
            fraction: progress.fraction(),
            games_per_second: progress.items_per_second(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: seconds_left(progress.time_left()),
            results: null(),
            candidates: 0,
        };
        ProgressReport { progress, results: Vec::new() }
    }
}
