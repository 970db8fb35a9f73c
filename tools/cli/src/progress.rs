//! The progress bar of a run, on standard error if that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tavli::run::Progress;

use crate::numbers::{grouped, rate, wait};

/// Parts that the bar is divided into.
const PARTS: u64 = 1000;

/// A bar that shows how far a run is, its rate and the time left, and leaves nothing behind.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new() -> Bar {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("  {bar:24} {msg}")
            .expect("the template is well formed")
            .progress_chars("━╸ ");
        Bar(bar.with_style(style))
    }

    /// Shows how far the run is.
    pub(crate) fn show(&self, progress: &Progress) {
        if self.0.is_hidden() {
            return;
        }
        let games = grouped(progress.games);
        let rate = rate(progress.games_per_second());
        let left = progress.time_left().map_or_else(
            || "unknown".to_owned(),
            |left| wait(left.as_secs_f64().ceil() as u64),
        );
        self.0
            .set_position((progress.fraction() * PARTS as f64) as u64);
        self.0
            .set_message(format!("{games} games, {rate}/s, {left} left"));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
