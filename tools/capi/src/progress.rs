//! How far something has come, told to the caller.

use std::ffi::c_void;
use std::time::Duration;

use tavli::{rollout, run};

/// How far playouts or a rollout have come.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Playouts played in this call, or trials of the rollout, those of earlier calls included.
    pub trials: u64,
    /// About how many it will come to.
    pub expected_trials: f64,
    /// The share that is done, 0 to 1.
    pub fraction: f64,
    /// Games per second in this call; a trial is a game of each candidate.
    pub games_per_second: f64,
    /// Seconds since the start of this call.
    pub seconds: f64,
    /// The predicted seconds that are left; below 0 as long as they cannot be told.
    pub seconds_left: f64,
}

/// Called about ten times a second while something is played, on the thread that asked for it, with the data that
/// was given along. What it is told is valid until it returns. It must return: neither longjmp nor an exception may
/// leave it. It may throw a switch, and may not play or free what is being played.
pub type ProgressCallback =
    Option<unsafe extern "C" fn(progress: *const Progress, data: *mut c_void)>;

/// Whom to tell.
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

    pub(crate) fn tell(self, progress: impl Into<Progress>) {
        if let Some(callback) = self.callback {
            let progress = progress.into();
            // SAFETY: `Listener::new` was promised that `callback` may be called with `data`; `progress` outlives the call.
            unsafe { callback(&raw const progress, self.data) };
        }
    }
}

fn seconds_left(time: Option<Duration>) -> f64 {
    time.map_or(-1.0, |time| time.as_secs_f64())
}

impl From<&rollout::Progress> for Progress {
    fn from(progress: &rollout::Progress) -> Progress {
        Progress {
            trials: progress.trials,
            expected_trials: progress.expected_trials,
            fraction: progress.fraction(),
            games_per_second: progress.games_per_second(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: seconds_left(progress.time_left()),
        }
    }
}

impl From<&run::Progress> for Progress {
    fn from(progress: &run::Progress) -> Progress {
        let expected = match progress.limit {
            run::Limit::Games(games) => games as f64,
            run::Limit::Time(time) => progress.games_per_second() * time.as_secs_f64(),
        };
        Progress {
            trials: progress.games,
            expected_trials: expected,
            fraction: progress.fraction(),
            games_per_second: progress.games_per_second(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: seconds_left(progress.time_left()),
        }
    }
}
