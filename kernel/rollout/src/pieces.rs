//! A rollout played piece by piece, for programs that bring their own way to share work, such as a page with its workers.

use core::ops::Range;

use thiserror::Error;

use super::Rollout;
use super::counts::Counts;
use super::session::Next;
use super::stop::StopReason;
use tavli_backgammon::Tier;

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

impl Rollout {
    /// The trials that come next, up to the next look at the errors, or why it is at its end. A rule on time does not hold
    /// here: whoever plays the pieces has the clock.
    ///
    /// ```
    /// use tavli_backgammon::policies::Players;
    /// use tavli_rollout::{Rollout, Settings, StopReason};
    /// use tavli_backgammon::{Board, Tier};
    ///
    /// let mut rollout = Rollout::of_position(&Board::START, Players::default(), Settings::default())?;
    /// let end = loop {
    ///     let next = match rollout.next_trials() {
    ///         Ok(next) => next,
    ///         Err(reason) => break reason,
    ///     };
    ///     // Any process that has an equal rollout may count a piece.
    ///     let piece = next.start..next.end.min(next.start + 10_000);
    ///     let counts = rollout.count_trials(piece.clone(), Tier::best(), &|| false);
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
        let first = self.games.end;
        match self.next(false, false, &mut 0.0) {
            Next::Play { until } => Ok(first..until),
            Next::End(reason) => Err(reason),
        }
    }

    /// What some trials of the candidates that are still played count: numbers for [`Rollout::add_trials`], modulo 2^64. It
    /// depends on the request and the trials alone. `None` if `stop`, which is asked every few microseconds, returns
    /// `true`.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    #[must_use]
    pub fn count_trials(&self, trials: Range<u64>, tier: Tier, stop: &dyn Fn() -> bool) -> Option<Vec<u64>> {
        let of_rollout = self.trials(tier);
        let counts = Counts::play(
            of_rollout.strata,
            &of_rollout.candidates,
            &of_rollout.players,
            &of_rollout.valuers,
            tier,
            trials,
            stop,
        )?;
        Some(counts.numbers())
    }

    /// Adds the next trials, with what [`Rollout::count_trials`] of an equal rollout gave for them.
    ///
    /// # Errors
    /// [`PieceError`] if they do not come next, or the numbers are of another rollout; nothing is added then.
    pub fn add_trials(&mut self, trials: Range<u64>, numbers: &[u64]) -> Result<(), PieceError> {
        let first = self.games.end;
        let until = match self.next(false, false, &mut 0.0) {
            Next::Play { until } => until,
            Next::End(_) => first,
        };
        if trials.start != first || trials.is_empty() || trials.end > until {
            return Err(PieceError::Order {
                next: first..until,
                trials,
            });
        }
        let (shape, candidates) = (self.rounds.shape(), self.rounds.playing().len());
        let expected = Counts::new(shape, candidates).numbers().len();
        if numbers.len() != expected {
            return Err(PieceError::Length {
                expected,
                found: numbers.len(),
            });
        }
        self.add(&Counts::of_numbers(shape, candidates, numbers), trials.end);
        Ok(())
    }
}
