//! The progress bar of a run, on standard error if that is a terminal.

use std::cell::Cell;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tavli::draughts;
use tavli::hypergammon::{self, SolverStage};
use tavli::rollout::{ResumableRollout, RolloutProgress, Statistic};
use tavli::run::{Limit, Progress};
use tavli::search::{self, Budget};
use tavli::trials::Ranking;

use crate::numbers::{counted, decimals, grouped, rate, wait};
use crate::output;

/// Parts that the bar is divided into.
const PARTS: u64 = 1000;

/// A bar that shows how far a run is, its rate and the time left, and disappears at the end.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    /// Whether a failed checkpoint was reported.
    warned: Cell<bool>,
}

impl Default for Bar {
    fn default() -> Bar {
        Bar::new()
    }
}

impl Bar {
    #[must_use]
    pub fn new() -> Bar {
        Bar::with_template("  {bar:24} {msg}")
    }

    /// A bar that is drawn by a template of indicatif.
    ///
    /// # Panics
    /// If the template is not well formed.
    #[must_use]
    pub fn with_template(template: &str) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(template).expect("the template is well formed").progress_chars("━╸ ");
        Bar { bar: bar.with_style(style), warned: Cell::new(false) }
    }

    /// Shows how far the run is.
    pub fn show(&self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        self.show_share(
            &counted(progress.items, "game", "games"),
            progress.items_per_second(),
            progress.time_left(),
            progress.fraction(),
        );
    }

    /// Shows how far a rollout of any game is, with its interim result, and reports the first failed checkpoint.
    pub fn show_rollout<R: ResumableRollout>(&self, progress: &RolloutProgress<'_, R>) {
        if let Some(reason) = progress.unsaved
            && !self.warned.replace(true)
        {
            self.bar.suspend(|| {
                output::write_message(format_args!(
                    "warning: cannot save the rollout: {reason}; it goes on, and each checkpoint tries again"
                ));
            });
        }
        if self.bar.is_hidden() {
            return;
        }
        self.show_share(
            &counted(progress.trials, "trial", "trials"),
            progress.trials_per_second(),
            progress.time_left(),
            progress.fraction(),
        );
        let interim = interim(progress.rollout);
        self.bar.set_message(format!("{}{interim}", self.bar.message()));
    }

    /// Shows how many positions of a table are done.
    pub fn show_positions(&self, done: u64, all: u64, elapsed: Duration) {
        if self.bar.is_hidden() {
            return;
        }
        let per_second = done as f64 / elapsed.as_secs_f64();
        let left = Duration::try_from_secs_f64(all.saturating_sub(done) as f64 / per_second);
        let fraction = done as f64 / all as f64;
        self.show_share(&counted(done, "position", "positions"), per_second, left.ok(), fraction);
    }

    /// Shows how far a game is solved: the logarithm of the change falls evenly.
    pub fn show_sweeps(&self, progress: &hypergammon::SolverProgress, elapsed: Duration) {
        if self.bar.is_hidden() {
            return;
        }
        let hypergammon::SolverProgress { sweeps, change, stage, .. } = *progress;
        let fraction = (change.ln() / stage.precision().ln()).clamp(0.0, 1.0);
        let left = (fraction > 0.05).then(|| elapsed.mul_f64((1.0 - fraction) / fraction));
        let left = left.map_or_else(|| "unknown".to_owned(), |left| wait(left.as_secs()));
        let what = match stage {
            SolverStage::Equities => "equities",
            SolverStage::Probabilities => "probabilities",
            SolverStage::WithCube => "equities with the cube",
        };
        let sweeps = counted(sweeps, "sweep", "sweeps");
        self.show_text(fraction, format!("{what}, {sweeps}, change {change:.1e}, {left} left"));
    }

    /// Shows how far endgames are solved. How many plies the longest will take is not known.
    pub fn show_endgames(&self, progress: &draughts::EndgameProgress) {
        self.bar.set_message(format!(
            "{} pieces, {} and fewer: {} positions",
            progress.pieces,
            counted(progress.plies, "ply", "plies"),
            grouped(progress.found)
        ));
    }

    /// Shows how far a search is, and its best play so far.
    pub fn show_search(&self, progress: &search::SearchProgress<'_>, budget: &Budget, best: &str) {
        if self.bar.is_hidden() {
            return;
        }
        let simulations = progress.root.simulations();
        let progress = Progress {
            items: simulations,
            elapsed: progress.elapsed,
            limit: match (budget.time, budget.simulations) {
                (Some(time), _) => Limit::Time(time),
                (None, all) => Limit::Items(all.unwrap_or(u64::MAX)),
            },
        };
        self.show_share(
            &counted(simulations, "simulation", "simulations"),
            progress.items_per_second(),
            progress.time_left(),
            progress.fraction(),
        );
        self.bar.set_message(format!("{}; {best}", self.bar.message()));
    }

    /// Writes a line above the bar.
    pub fn warn(&self, line: &str) {
        self.bar.suspend(|| output::write_message(line));
    }

    /// Shows what is done, the rate, the time left, and the share that is done.
    pub fn show_share(&self, done: &str, per_second: f64, left: Option<Duration>, fraction: f64) {
        let left = left.map_or_else(|| "unknown".to_owned(), |left| wait(left.as_secs_f64().ceil() as u64));
        self.show_text(fraction, format!("{done}, {}/s, {left} left", rate(per_second)));
    }

    /// Shows the share that is done, and a text.
    pub fn show_text(&self, fraction: f64, text: String) {
        self.bar.set_position((fraction * PARTS as f64) as u64);
        self.bar.set_message(text);
    }
}

/// The interim result of a rollout: its best play, and how far the second is behind it.
fn interim(rollout: &impl ResumableRollout) -> String {
    let Ranking(ranked) = rollout.ranking();
    let Some(best) = ranked.first().filter(|best| best.trials > 0) else {
        return String::new();
    };
    let name = rollout.candidate_name(best.candidate).map_or_else(String::new, |name| format!("{name} "));
    let Statistic { mean, standard_error, .. } = best.value;
    let equity = format!("; {name}{mean:+.4} [{}]", decimals(standard_error, 4));
    match ranked.get(1) {
        Some(second) => format!("{equity}, next {:+.4}", -second.behind.mean),
        None => equity,
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli::Board;
    use tavli::policies::PolicyPair;
    use tavli::rollout::{EndRulesRequest, RolloutRequest, Session};
    use tavli::run::{Cpus, Pinning, Placement, Workers};

    #[test]
    fn a_rollout_shows_its_interim_result() {
        let placement = Placement::new(&Cpus::allowed(), Pinning::None, None).expect("a placement");
        let workers = Workers::start(&placement).expect("workers");
        let request = RolloutRequest {
            roll: Some("31".parse().expect("a roll")),
            players: Some(PolicyPair::default()),
            end_rules: EndRulesRequest::after_trials(1296),
            ..RolloutRequest::default()
        };
        let mut rollout = request.rollout(&Board::START.into()).expect("a rollout");
        assert_eq!(interim(&rollout), "");
        let played = Session::default().play(&mut rollout, &workers, |_| ());
        played.expect("nothing is saved");
        let [best, second] = &rollout.summary().standings[..2] else {
            panic!("there are 16 plays");
        };
        let expected = format!(
            "; {} {:+.4} [{:.4}], next {:+.4}",
            rollout.candidates()[best.candidate].moves.expect("a play"),
            best.equity.mean,
            best.equity.standard_error,
            second.equity.mean - best.equity.mean
        );
        assert_eq!(interim(&rollout), expected);
    }
}
