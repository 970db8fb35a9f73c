//! The progress bar of a run, on standard error if that is a terminal.

use std::cell::Cell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tavli::rollout;
use tavli::run::Progress;

use crate::numbers::{counted, rate, wait};
use crate::output;

/// Parts that the bar is divided into.
const PARTS: u64 = 1000;

/// A bar that shows how far a run is, its rate and the time left, and disappears at the end.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// Whether a failed checkpoint was reported.
    warned: Cell<bool>,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("  {bar:24} {msg}")
            .expect("the template is well formed")
            .progress_chars("━╸ ");
        Bar {
            bar: bar.with_style(style),
            warned: Cell::new(false),
        }
    }

    /// Shows how far the run is.
    pub(crate) fn show(&self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        self.set(
            &counted(progress.games, "game", "games"),
            progress.games_per_second(),
            progress.time_left(),
            progress.fraction(),
        );
    }

    /// Shows how far a rollout is, and reports the first failed checkpoint.
    pub(crate) fn show_rollout(&self, progress: &rollout::Progress) {
        if let Some(reason) = progress.unsaved
            && !self.warned.replace(true)
        {
            self.bar.suspend(|| {
                output::complain(format_args!(
                    "warning: cannot save the rollout: {reason}; it goes on, and each checkpoint tries again"
                ));
            });
        }
        if self.bar.is_hidden() {
            return;
        }
        self.set(
            &counted(progress.trials, "trial", "trials"),
            progress.trials_per_second(),
            progress.time_left(),
            progress.fraction(),
        );
    }

    fn set(&self, done: &str, per_second: f64, left: Option<Duration>, fraction: f64) {
        let left = left.map_or_else(
            || "unknown".to_owned(),
            |left| wait(left.as_secs_f64().ceil() as u64),
        );
        self.bar.set_position((fraction * PARTS as f64) as u64);
        self.bar
            .set_message(format!("{done}, {}/s, {left} left", rate(per_second)));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
