//! When a rollout ends.

use core::ops::Range;
use std::time::Duration;

use tavli_backgammon::named_values;

use crate::ask::error::RolloutError;
use crate::ask::limits::{MAX_TRIALS, TRIALS_PER_BLOCK};
use crate::ask::shard::Shard;

/// When a rollout ends: as soon as one of these holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EndRules {
    /// After `trials` trials, 1 to [`Rollout::MAX_TRIALS`](crate::Rollout::MAX_TRIALS).
    pub trials: u64,
    /// When the standard error of the equity of every candidate that is still played is at most this, in points.
    pub standard_error: Option<f64>,
    /// When every candidate still played is at least `jsd` joint standard deviations behind the best.
    pub jsd: Option<f64>,
    /// After this time of playing, over all sessions of the rollout. A tenth of a second later a session gives up its
    /// unfinished games, but [processes](crate::Communicator) finish the slice that they share. This is the only rule
    /// that makes the number of trials depend on the machine.
    pub time: Option<Duration>,
}

impl Default for EndRules {
    /// After 46,656 trials, 36 times 1,296.
    fn default() -> EndRules {
        // 36 games for each pair of first throws: with uniform play a standard error of 0.0095 points in the opening
        // (README.md).
        EndRules::after_trials(36 * TRIALS_PER_BLOCK)
    }
}

/// Why a session of a rollout ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EndReason {
    /// [`EndRules::trials`].
    Trials,
    /// [`EndRules::standard_error`].
    StandardError,
    /// [`EndRules::jsd`], or a [race](crate::Allocation::JsdRace) that one candidate has won.
    Jsd,
    /// [`EndRules::time`].
    Time,
    /// It was cancelled.
    Cancelled,
    /// A race of [fixed confidence](crate::Allocation::FixedConfidence) that is decided.
    Decided,
}

// In the order of the discriminants, by which processes tell each other the reason.
named_values!(
    EndReason:
    Trials "trials",
    StandardError "standard_error",
    Jsd "jsd",
    Time "time",
    Cancelled "cancelled",
    Decided "decided",
);

impl EndRules {
    /// Ends after `trials` trials.
    #[must_use]
    pub const fn after_trials(trials: u64) -> EndRules {
        EndRules { trials, standard_error: None, jsd: None, time: None }
    }

    /// Whether a rule looks at the errors.
    pub(crate) fn has_errors(&self) -> bool {
        self.standard_error.is_some() || self.jsd.is_some()
    }
    /// Checks the number of trials and the bounds.
    ///
    /// # Errors
    /// [`RolloutError::Trials`], [`RolloutError::Bound`].
    pub fn check(&self) -> Result<(), RolloutError> {
        if self.trials == 0 || self.trials > MAX_TRIALS {
            return Err(RolloutError::Trials(self.trials));
        }
        check_bound("standard error that ends a rollout", "stop_se", self.standard_error)?;
        check_bound("number of joint standard deviations that ends a rollout", "stop_jsd", self.jsd)
    }

    /// Checks that a shard, if there is one, has a share of a fixed number of trials.
    ///
    /// # Errors
    /// [`RolloutError::ShardRule`], [`RolloutError::Shard`].
    pub fn check_shard(&self, shard: Option<Shard>) -> Result<(), RolloutError> {
        let Some(shard) = shard else {
            return Ok(());
        };
        if self.has_errors() || self.time.is_some() {
            return Err(RolloutError::ShardRule);
        }
        shard.trials(self.trials)?;
        Ok(())
    }

    /// Checks that these rules may take the place of `before` in a rollout, or a shard of one, that has played some
    /// trials.
    ///
    /// # Errors
    /// As [`EndRules::check`] and [`EndRules::check_shard`];
    /// [`RolloutError::FewerTrials`], [`RolloutError::ShardTrials`].
    pub fn check_change(
        &self,
        before: &EndRules,
        shard: Option<Shard>,
        played: &Range<u64>,
    ) -> Result<(), RolloutError> {
        if self.trials < played.end {
            return Err(RolloutError::FewerTrials { trials: self.trials, played: played.end });
        }
        self.check()?;
        self.check_shard(shard)?;
        // The games of a shard are made for a number of trials.
        if shard.is_some() && !played.is_empty() && self.trials != before.trials {
            return Err(RolloutError::ShardTrials { trials: before.trials, asked: self.trials });
        }
        Ok(())
    }

    /// The trials to be played if no rule ends the rollout before; in a shard, its share of them.
    ///
    /// # Panics
    /// If the shard has no trials, which [`EndRules::check_shard`] refuses.
    #[must_use]
    pub fn planned_trials(&self, shard: Option<Shard>) -> Range<u64> {
        let of_shard = |shard: Shard| shard.trials(self.trials).expect("a checked shard has trials");
        shard.map_or(0..self.trials, of_shard)
    }
}

/// Refuses a bound of a rule, which an option names, that is not above 0.
pub(crate) fn check_bound(rule: &'static str, option: &'static str, bound: Option<f64>) -> Result<(), RolloutError> {
    match bound {
        Some(bound) if !(bound > 0.0 && bound.is_finite()) => Err(RolloutError::Bound { rule, option, bound }),
        _ => Ok(()),
    }
}
