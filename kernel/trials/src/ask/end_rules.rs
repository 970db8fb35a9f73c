//! When a rollout ends.

use core::ops::Range;
use std::time::Duration;

use tavli_base::named_values;
use tavli_run::SecondsError;
use thiserror::Error;

use crate::ask::allocation::Allocation;
use crate::ask::limits::{MAX_TRIALS, TRIALS_PER_BLOCK};
use crate::ask::shard::{Shard, ShardError};

/// When a rollout ends: as soon as one of these holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EndRules {
    /// After `trials` trials, 1 to [`MAX_TRIALS`].
    pub trials: u64,
    /// When the standard error of the equity of every candidate that is still played is at most this, in points.
    pub standard_error: Option<f64>,
    /// When every candidate still played is at least `jsd` joint standard deviations behind the best.
    pub jsd: Option<f64>,
    /// After this time of playing, over all sessions of the rollout. A tenth of a second later a session gives up its
    /// unfinished games, but the processes of a job finish the slice that they share. This is the only rule
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

/// The rules that were named to end a rollout.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct EndRulesRequest {
    /// A number of trials; by default 46,656, or unlimited if another rule is given.
    pub trials: Option<u64>,
    /// [`EndRules::standard_error`].
    pub standard_error: Option<f64>,
    /// [`EndRules::jsd`].
    pub jsd: Option<f64>,
    /// [`EndRules::time`] in seconds.
    pub seconds: Option<f64>,
}

/// Why rules cannot end a rollout, or one of its shards.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum EndRulesError {
    /// An invalid number of trials.
    #[error("a rollout has 1 to {most} trials, not {0}", most = MAX_TRIALS)]
    Trials(u64),
    /// Fewer trials than have been played.
    #[error("{played} trials have been played, so the rollout cannot end after {trials}")]
    FewerTrials {
        /// The trials asked for.
        trials: u64,
        /// The trials played.
        played: u64,
    },
    /// A bound that is not a number above 0.
    #[error("the {rule} is a finite number above 0, not {bound}")]
    Bound {
        /// The rule of the bound and its effect, such as "standard error that ends a rollout".
        rule: &'static str,
        /// The name of its option.
        option: &'static str,
        /// Its bound.
        bound: f64,
    },
    /// A time that is not above 0.
    #[error(transparent)]
    Seconds(#[from] SecondsError),
    /// A confidence that is not a percentage between 0 and 100.
    #[error("the confidence of a race is above 0 % and below 100 %, not {0} %")]
    Percent(f64),
    /// A `within` that is below 0, or not a number.
    #[error("within is a finite number of points, 0 or more, not {0}")]
    Within(f64),
    /// A shard that would drop candidates.
    #[error(
        "a shard plays its share of the games of all candidates: it cannot drop any by {0}; divide the games evenly, or \
         play on several machines together"
    )]
    ShardAllocation(Allocation),
    /// A change of the number of trials after a shard's first game.
    #[error(
        "this shard plays its share of {trials} trials, which cannot become {asked} after its first game: leave the number \
         out, or begin shards of {asked} trials"
    )]
    ShardTrials {
        /// The trials of the whole rollout.
        trials: u64,
        /// The trials asked for.
        asked: u64,
    },
    /// A shard that would end by itself.
    #[error(
        "a shard plays its share of a fixed number of trials: it cannot end by errors or time; leave these rules out"
    )]
    ShardRule,
    /// An invalid shard.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

impl EndRulesError {
    /// The invalid option, by its name in the options of rollouts; `None` if no single option is wrong.
    #[must_use]
    pub fn option(&self) -> Option<&'static str> {
        match self {
            EndRulesError::Trials(_) => Some("trials"),
            EndRulesError::Bound { option, .. } => Some(option),
            EndRulesError::Seconds(_) => Some("seconds"),
            EndRulesError::Percent(_) => Some("allocate"),
            EndRulesError::Within(_) => Some("within"),
            EndRulesError::Shard(_) | EndRulesError::ShardRule | EndRulesError::ShardAllocation(_) => Some("shard"),
            EndRulesError::FewerTrials { .. } | EndRulesError::ShardTrials { .. } => None,
        }
    }
}

impl EndRulesRequest {
    /// This number of trials, and no other rule.
    #[must_use]
    pub fn after_trials(trials: u64) -> EndRulesRequest {
        EndRulesRequest { trials: Some(trials), ..EndRulesRequest::default() }
    }

    /// Whether no rule is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == EndRulesRequest::default()
    }

    /// The end rules of a rollout with this allocation. Halving needs a number of trials; without any it is 46,656.
    ///
    /// # Errors
    /// [`EndRulesError::Seconds`] if the time is not above 0.
    pub fn resolve(&self, allocation: Allocation) -> Result<EndRules, EndRulesError> {
        let has_others = self.standard_error.is_some() || self.jsd.is_some() || self.seconds.is_some();
        let trials = match self.trials {
            Some(trials) => trials,
            None if has_others && allocation != Allocation::Halving => MAX_TRIALS,
            None => EndRules::default().trials,
        };
        let time = self.seconds.map(tavli_run::seconds);
        Ok(EndRules { trials, standard_error: self.standard_error, jsd: self.jsd, time: time.transpose()? })
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

    /// Checks the number of trials and the bounds, with those of an allocation.
    ///
    /// # Errors
    /// [`EndRulesError::Trials`], [`EndRulesError::Bound`], [`EndRulesError::Percent`], [`EndRulesError::Within`].
    pub fn check(&self, allocation: Allocation) -> Result<(), EndRulesError> {
        if self.trials == 0 || self.trials > MAX_TRIALS {
            return Err(EndRulesError::Trials(self.trials));
        }
        check_bound("standard error that ends a rollout", "stop_se", self.standard_error)?;
        check_bound("number of joint standard deviations that ends a rollout", "stop_jsd", self.jsd)?;
        match allocation {
            Allocation::Even | Allocation::Halving => Ok(()),
            Allocation::JsdRace { jsd } => {
                check_bound("number of joint standard deviations that drops a play", "allocate", Some(jsd))
            }
            Allocation::FixedConfidence { percent, .. } if !(percent > 0.0 && percent < 100.0) => {
                Err(EndRulesError::Percent(percent))
            }
            Allocation::FixedConfidence { within, .. } if !(within >= 0.0 && within.is_finite()) => {
                Err(EndRulesError::Within(within))
            }
            Allocation::FixedConfidence { .. } => Ok(()),
        }
    }

    /// Checks that a shard, if there is one, has a share of a fixed number of trials, and drops no candidate.
    ///
    /// # Errors
    /// [`EndRulesError::ShardAllocation`], [`EndRulesError::ShardRule`], [`EndRulesError::Shard`].
    pub fn check_shard(&self, allocation: Allocation, shard: Option<Shard>) -> Result<(), EndRulesError> {
        let Some(shard) = shard else {
            return Ok(());
        };
        if allocation != Allocation::Even {
            return Err(EndRulesError::ShardAllocation(allocation));
        }
        if self.has_errors() || self.time.is_some() {
            return Err(EndRulesError::ShardRule);
        }
        shard.trials(self.trials)?;
        Ok(())
    }

    /// Checks that these rules may take the place of `before` in a rollout, or a shard of one, that has played some
    /// trials.
    ///
    /// # Errors
    /// As [`EndRules::check`] and [`EndRules::check_shard`];
    /// [`EndRulesError::FewerTrials`], [`EndRulesError::ShardTrials`].
    pub fn check_change(
        &self,
        before: &EndRules,
        allocation: Allocation,
        shard: Option<Shard>,
        played: &Range<u64>,
    ) -> Result<(), EndRulesError> {
        if self.trials < played.end {
            return Err(EndRulesError::FewerTrials { trials: self.trials, played: played.end });
        }
        self.check(allocation)?;
        self.check_shard(allocation, shard)?;
        // The games of a shard are made for a number of trials.
        if shard.is_some() && !played.is_empty() && self.trials != before.trials {
            return Err(EndRulesError::ShardTrials { trials: before.trials, asked: self.trials });
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
fn check_bound(rule: &'static str, option: &'static str, bound: Option<f64>) -> Result<(), EndRulesError> {
    match bound {
        Some(bound) if !(bound > 0.0 && bound.is_finite()) => Err(EndRulesError::Bound { rule, option, bound }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_rule_unbinds_the_trials() {
        let trials_of = |end_rules: EndRulesRequest, allocation| end_rules.resolve(allocation).unwrap().trials;
        let jsd = EndRulesRequest { jsd: Some(2.0), ..EndRulesRequest::default() };
        let trials = EndRulesRequest { trials: Some(10), ..jsd };
        assert_eq!(trials_of(jsd, Allocation::Even), MAX_TRIALS);
        assert_eq!(trials_of(trials, Allocation::Even), 10);
        // The rounds of halving are made for a number of trials.
        assert_eq!(trials_of(jsd, Allocation::Halving), 46_656);
        assert_eq!(trials_of(EndRulesRequest::default(), Allocation::DEFAULT_RACE), 46_656);
        assert!(EndRulesRequest::default().is_empty() && !jsd.is_empty());
    }
}
