//! The driver of a rollout: which trials come next, what they count, and how that is added. A session and the
//! processes of a job are loops around it, and so is any program that brings its own way to share work, such as a
//! page with its workers.

use core::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use tavli_backgammon::Tier;
use thiserror::Error;

use crate::ask::stop::{Stop, StopReason};
use crate::estimate::counts::RolloutCounts;
use crate::play::trials::TrialRunner;
use crate::rollout::Rollout;

/// Why a piece is not taken.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PieceError {
    /// Its trials do not follow those that are counted, or pass the last one to be played.
    #[error(
        "the next piece begins with trial {}, and ends before {}: trials {} to {} do not come next",
        next.start, next.end, trials.start, trials.end
    )]
    Order {
        /// The trials that come next.
        next: Range<u64>,
        /// Those of the piece.
        trials: Range<u64>,
    },
    /// It counts other things.
    #[error("a piece of this rollout has {expected} numbers, not {found}: it is of another rollout")]
    Length {
        /// The numbers of a piece.
        expected: usize,
        /// Those given.
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
    /// Where a session is cancelled and its time is up, it counts as cancelled.
    pub(crate) fn of(cancelled: bool, time_is_up: bool) -> Option<Interruption> {
        if cancelled {
            Some(Interruption::Cancelled)
        } else {
            time_is_up.then_some(Interruption::TimeIsUp)
        }
    }
}

/// What a look at the counts has led to.
pub(crate) struct Decided {
    pub(crate) next: Next,
    /// How many trials are expected in all, where a look at the errors says so.
    pub(crate) expected_trials: Option<f64>,
}

/// What comes next in a rollout.
pub(crate) enum Next {
    /// The trials before number `until`.
    Play { until: u64 },
    /// The end of the session.
    End(StopReason),
}

impl Rollout {
    /// The trials that come next, up to the next look at the errors, or why it is at its end. A rule on time does not
    /// hold here: whoever plays the pieces has the clock.
    ///
    /// ```
    /// use tavli_backgammon::policies::Players;
    /// use tavli_rollout::{Request, StopReason};
    /// use tavli_backgammon::{NO_STOP, Tier};
    ///
    /// let request = Request { players: Some(Players::default()), ..Request::default() };
    /// let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    /// let end = loop {
    ///     let next = match rollout.next_trials() {
    ///         Ok(next) => next,
    ///         Err(reason) => break reason,
    ///     };
    ///     // Any process that has an equal rollout may count a piece.
    ///     let piece = next.start..next.end.min(next.start + 10_000);
    ///     let counts = rollout.count_trials(piece.clone(), Tier::best(), NO_STOP);
    ///     rollout.add_trials(piece, &counts.expect("nothing stops it"))?;
    /// };
    /// assert_eq!(end, StopReason::Trials);
    /// assert_eq!(rollout.summary().trials, 46_656);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The [`StopReason`].
    pub fn next_trials(&mut self) -> Result<Range<u64>, StopReason> {
        let first = self.trials.end;
        match self.decide_next(None).next {
            Next::Play { until } => Ok(first..until),
            Next::End(reason) => Err(reason),
        }
    }

    /// What some trials of the candidates that are still played count: numbers for [`Rollout::add_trials`], modulo
    /// 2^64. It depends on the request and the trials alone. `None` if `stop`, which is asked every few microseconds,
    /// returns `true`.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    #[must_use]
    pub fn count_trials(&self, trials: Range<u64>, tier: Tier, stop: &dyn Fn() -> bool) -> Option<Vec<u64>> {
        let counts = self.trial_runner(tier).play_and_count(trials, stop)?;
        Some(counts.numbers())
    }

    /// Adds the next trials, with what [`Rollout::count_trials`] of an equal rollout gave for them.
    ///
    /// # Errors
    /// [`PieceError`] if they do not come next, or the numbers are of another rollout; nothing is added then.
    pub fn add_trials(&mut self, trials: Range<u64>, numbers: &[u64]) -> Result<(), PieceError> {
        let first = self.trials.end;
        let until = match self.decide_next(None).next {
            Next::Play { until } => until,
            Next::End(_) => first,
        };
        if trials.start != first || trials.is_empty() || trials.end > until {
            return Err(PieceError::Order {
                next: first..until,
                trials,
            });
        }
        let (dimensions, candidates) = (self.rounds.dimensions(), self.rounds.playing().len());
        let expected = RolloutCounts::new(dimensions, candidates).numbers().len();
        if numbers.len() != expected {
            return Err(PieceError::Length {
                expected,
                found: numbers.len(),
            });
        }
        self.add(
            &RolloutCounts::from_numbers(dimensions, candidates, numbers),
            trials.end,
        );
        Ok(())
    }

    /// Plays all trials that come next, in this thread, and says which rule ended it; `None` if `stop`, which is asked
    /// every few microseconds, returned `true` before. A rule on time does not hold here.
    ///
    /// ```
    /// use tavli_backgammon::policies::Players;
    /// use tavli_backgammon::{NO_STOP, Tier};
    /// use tavli_rollout::{Request, StopReason};
    ///
    /// let request = Request { players: Some(Players::default()), ..Request::default() };
    /// let mut rollout = request.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    /// assert_eq!(rollout.play_here(Tier::best(), NO_STOP), Some(StopReason::Trials));
    /// assert_eq!(rollout.summary().trials, 46_656);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn play_here(&mut self, tier: Tier, stop: &dyn Fn() -> bool) -> Option<StopReason> {
        loop {
            let trials = match self.next_trials() {
                Ok(trials) => trials,
                Err(reason) => return Some(reason),
            };
            let counts = self.trial_runner(tier).play_and_count(trials.clone(), stop)?;
            self.add(&counts, trials.end);
        }
    }

    /// How the trials of the candidates that are still played are played.
    pub(crate) fn trial_runner(&self, tier: Tier) -> TrialRunner {
        let playing = self.rounds.playing().iter();
        TrialRunner {
            candidates: playing.map(|&at| self.specification.candidates[at].clone()).collect(),
            players: self.specification.players.clone(),
            evaluators: self.specification.evaluators(),
            strata: self.rounds.dimensions().strata,
            tier,
        }
    }

    /// Adds trials up to number `end`, which is not among them.
    pub(crate) fn add(&mut self, counts: &RolloutCounts, end: u64) {
        self.rounds.add(counts);
        self.trials.end = end;
        self.summary = OnceLock::new();
    }

    pub(crate) fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        if let Some(summary) = self.summary.get_mut() {
            summary.elapsed = elapsed;
        }
    }

    /// Decides what comes next after the trials that have been counted; at a look this drops candidates. An
    /// interruption ends the session unless a rule does.
    pub(crate) fn decide_next(&mut self, interruption: Option<Interruption>) -> Decided {
        let (trials, last) = (self.trials.end, self.specification.trials().end);
        let mut expected_trials = None;
        if self.is_look(trials) {
            self.drop_candidates();
            let (stop, allocation) = (self.specification.stop, self.specification.allocation);
            let summary = self.summary();
            if let Some(reason) = stop.satisfied(summary, allocation) {
                return Decided {
                    next: Next::End(reason),
                    expected_trials: None,
                };
            }
            expected_trials = Some(stop.expected_trials(summary, allocation));
        }
        let reason = match interruption {
            _ if trials >= last => Some(StopReason::Trials),
            Some(Interruption::Cancelled) => Some(StopReason::Cancelled),
            // Some game is played however short the time.
            Some(Interruption::TimeIsUp) if !self.trials.is_empty() => Some(StopReason::Time),
            _ => None,
        };
        let until = || self.next_look(trials).map_or(last, |look| last.min(look));
        let next = reason.map_or_else(|| Next::Play { until: until() }, Next::End);
        Decided { next, expected_trials }
    }

    /// Ends the games of candidates that the allocation has no more for.
    fn drop_candidates(&mut self) {
        let left = self
            .specification
            .allocation
            .playing(self.summary(), self.specification.stop.trials);
        if left.len() < self.rounds.playing().len() {
            self.rounds.begin(left, self.trials.end);
            self.summary = OnceLock::new();
        }
    }

    /// Whether the counts after this number of trials decide what comes next.
    pub(crate) fn is_look(&self, trials: u64) -> bool {
        trials > 0 && self.next_look(trials - 1) == Some(trials)
    }

    /// The number of trials, above `trials`, whose counts decide what comes next.
    fn next_look(&self, trials: u64) -> Option<u64> {
        let has_errors = self.specification.stop.has_errors() || self.specification.allocation.jsd_bound().is_some();
        let by_errors = has_errors.then(|| Stop::next_error_look(trials));
        let candidates = self.specification.candidates.len();
        let halving = self
            .specification
            .allocation
            .next_halving(trials, self.specification.stop.trials, candidates);
        let confident = self.specification.allocation.next_confident_look(trials);
        [by_errors, halving, confident].into_iter().flatten().min()
    }
}
