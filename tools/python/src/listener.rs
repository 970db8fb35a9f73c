//! Ctrl-C and the caller's progress function, while games are played or positions valued.

use std::mem;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use tavli::rollout;
use tavli::run::{self, Cancel, Limit};

use crate::candidate_result::CandidateResult;
use crate::ending;
use crate::pickled::class_of_members;
use crate::raced_play::RacedPlay;
use crate::warning::warn;

class_of_members! {
    /// How far the games are.
    #[derive(Clone, Debug)]
    pub(crate) struct Progress {
        /// Trials of a rollout, games of a playout, simulations of a search, or positions of an array that are done,
        /// earlier sessions included.
        pub(crate) done: u64,
        /// How many there will be: an estimate if errors end a rollout. None before there is one, and if only time ends
        /// the games.
        pub(crate) total: Option<u64>,
        /// Games or simulations a second in this session, over all candidates and threads.
        pub(crate) games_per_second: f64,
        /// Seconds since the start of this session.
        pub(crate) seconds: f64,
        /// The predicted seconds left; None before they can be predicted.
        pub(crate) seconds_left: Option<f64>,
        /// The share that is done, 0 to 1.
        pub(crate) fraction: f64,
        /// The interim results of the candidates of a rollout, the best first, or the RacedPlay of each play of a
        /// decision in another game than backgammon; None for playouts.
        pub(crate) standings: Option<Vec<Standing>>,
        /// The best play of a search so far, in notation; None for others.
        pub(crate) best: Option<String>,
    }

    fn __repr__(&self) -> String {
        format!(
            "<tavli.Progress {:.1} %: {} done in {:.1} s, {:.0} games a second>",
            100.0 * self.fraction,
            self.done,
            self.seconds,
            self.games_per_second
        )
    }
}

/// The interim result of a candidate.
#[expect(clippy::large_enum_variant, reason = "PyO3 converts no boxes, and there are a few at a time")]
#[derive(Clone, Debug, FromPyObject, IntoPyObject)]
pub(crate) enum Standing {
    Backgammon(CandidateResult),
    Other(RacedPlay),
}

impl Standing {
    /// The result, if it comes from a rollout of backgammon.
    pub(crate) fn into_candidate(self) -> Option<CandidateResult> {
        match self {
            Standing::Backgammon(result) => Some(result),
            Standing::Other(_) => None,
        }
    }
}

impl Progress {
    /// The last progress of a session that began with these trials, games and time.
    pub(crate) fn at_the_end(
        rollout: &rollout::Rollout,
        (trials_before, games_before, elapsed): (u64, u64, Duration),
    ) -> Progress {
        let now = rollout.trials();
        let trials = now.end - now.start;
        Progress::from(&rollout::RolloutProgress {
            rollout,
            trials,
            session_trials: now.end - trials_before,
            session_games: rollout.total_games() - games_before,
            elapsed: rollout.elapsed() - elapsed,
            expected_trials: trials as f64,
            time_limit_left: None,
            unsaved: None,
        })
    }
}

impl From<&run::Progress> for Progress {
    fn from(progress: &run::Progress) -> Progress {
        Progress {
            done: progress.items,
            total: match progress.limit {
                Limit::Items(games) => Some(games),
                Limit::Time(_) => None,
            },
            games_per_second: progress.items_per_second(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: progress.time_left().map(|time| time.as_secs_f64()),
            fraction: progress.fraction(),
            standings: None,
            best: None,
        }
    }
}

/// A number of trials; `None` for a rollout without bound.
pub(crate) fn bounded(trials: u64) -> Option<u64> {
    (trials < rollout::Rollout::MAX_TRIALS).then_some(trials)
}

impl From<&tavli::rollout::RolloutProgress<'_>> for Progress {
    fn from(progress: &tavli::rollout::RolloutProgress) -> Progress {
        let standings = progress.rollout.summary().standings.iter();
        let standings = standings.map(|&result| CandidateResult::new(progress.rollout, result));
        let standings = standings.map(Standing::Backgammon);
        Progress {
            standings: Some(standings.collect()),
            best: None,
            done: progress.trials,
            total: bounded(progress.expected_trials.ceil() as u64),
            games_per_second: progress.games_per_second(),
            seconds: progress.elapsed.as_secs_f64(),
            seconds_left: progress.time_left().map(|time| time.as_secs_f64()),
            fraction: progress.fraction(),
        }
    }
}

/// Watches for Ctrl-C and calls a Python function, on the calling thread. An exception of either ends the games.
pub(crate) struct Listener {
    function: Option<Py<PyAny>>,
    cancel: Cancel,
    raised: Option<PyErr>,
    warned: bool,
}

impl Listener {
    pub(crate) fn new(function: Option<Py<PyAny>>) -> Listener {
        Listener { function, cancel: Cancel::new(), raised: None, warned: false }
    }

    /// The switch that ends the games.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    pub(crate) fn tell(&mut self, progress: impl Into<Progress>) {
        self.attempt(|listener, py| {
            py.check_signals()?;
            match &listener.function {
                Some(function) => function.call1(py, (progress.into(),)).map(drop),
                None => Ok(()),
            }
        });
    }

    /// Issues a RuntimeWarning, the first time that this is called.
    pub(crate) fn warn_once(&mut self, message: &str) {
        if !mem::replace(&mut self.warned, true) {
            self.attempt(|_, py| warn::<PyRuntimeWarning>(py, message));
        }
    }

    /// Calls into Python if there is no exception yet.
    fn attempt(&mut self, call: impl FnOnce(&Listener, Python<'_>) -> PyResult<()>) {
        if self.raised.is_some() {
            return;
        }
        if let Err(error) = ending::attach(|py| call(self, py)) {
            self.raised = Some(error);
            self.cancel.cancel();
        }
    }

    /// Raises the exception, if there is one.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}
