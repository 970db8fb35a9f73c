//! The plan of a rollout: its end rules, its allocation and its shard.

use core::ops::Range;

use tavli_file::record::MemberError;
use tavli_run::SecondsError;
use thiserror::Error;

use crate::ask::allocation::Allocation;
use crate::ask::end_rules::EndRules;
use crate::ask::limits::MAX_TRIALS;
use crate::ask::shard::{Shard, ShardError};

/// The plan of a rollout: when it ends, how its games are divided among the candidates, and which part of it is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// When it ends.
    pub end_rules: EndRules,
    /// How its games are divided among the candidates.
    pub allocation: Allocation,
    /// Which part of it is played; `None` for the whole rollout.
    pub shard: Option<Shard>,
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

/// Why a rollout cannot be played by a plan.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
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

impl PlanError {
    /// The invalid option, by its name in the options of rollouts; `None` if no single option is wrong.
    #[must_use]
    pub fn option(&self) -> Option<&'static str> {
        match self {
            PlanError::Trials(_) => Some("trials"),
            PlanError::Bound { option, .. } => Some(option),
            PlanError::Seconds(_) => Some("seconds"),
            PlanError::Percent(_) => Some("allocate"),
            PlanError::Within(_) => Some("within"),
            PlanError::Shard(_) | PlanError::ShardRule | PlanError::ShardAllocation(_) => Some("shard"),
            PlanError::FewerTrials { .. } | PlanError::ShardTrials { .. } => None,
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
    /// [`PlanError::Seconds`] if the time is not above 0.
    pub fn resolve(&self, allocation: Allocation) -> Result<EndRules, PlanError> {
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

impl Plan {
    /// Checks the number of trials and the bounds.
    ///
    /// # Errors
    /// [`PlanError::Trials`], [`PlanError::Bound`], [`PlanError::Percent`], [`PlanError::Within`].
    pub fn check(&self) -> Result<(), PlanError> {
        let EndRules { trials, standard_error, jsd, .. } = self.end_rules;
        if trials == 0 || trials > MAX_TRIALS {
            return Err(PlanError::Trials(trials));
        }
        check_bound("standard error that ends a rollout", "stop_se", standard_error)?;
        check_bound("number of joint standard deviations that ends a rollout", "stop_jsd", jsd)?;
        match self.allocation {
            Allocation::Even | Allocation::Halving => Ok(()),
            Allocation::JsdRace { jsd } => {
                check_bound("number of joint standard deviations that drops a play", "allocate", Some(jsd))
            }
            Allocation::FixedConfidence { percent, .. } if !(percent > 0.0 && percent < 100.0) => {
                Err(PlanError::Percent(percent))
            }
            Allocation::FixedConfidence { within, .. } if !(within >= 0.0 && within.is_finite()) => {
                Err(PlanError::Within(within))
            }
            Allocation::FixedConfidence { .. } => Ok(()),
        }
    }

    /// Checks that a shard, if it is one, has a share of a fixed number of trials, and drops no candidate.
    ///
    /// # Errors
    /// [`PlanError::ShardAllocation`], [`PlanError::ShardRule`], [`PlanError::Shard`].
    pub fn check_shard(&self) -> Result<(), PlanError> {
        let Some(shard) = self.shard else {
            return Ok(());
        };
        if self.allocation != Allocation::Even {
            return Err(PlanError::ShardAllocation(self.allocation));
        }
        if self.end_rules.has_errors() || self.end_rules.time.is_some() {
            return Err(PlanError::ShardRule);
        }
        shard.trials(self.end_rules.trials)?;
        Ok(())
    }

    /// This plan with other end rules, for a rollout that has `played` some trials.
    ///
    /// # Errors
    /// As [`Plan::check`] and [`Plan::check_shard`]; [`PlanError::FewerTrials`], [`PlanError::ShardTrials`].
    pub fn until(&self, end_rules: EndRules, played: &Range<u64>) -> Result<Plan, PlanError> {
        if end_rules.trials < played.end {
            return Err(PlanError::FewerTrials { trials: end_rules.trials, played: played.end });
        }
        let plan = Plan { end_rules, ..*self };
        plan.check()?;
        plan.check_shard()?;
        let before = self.end_rules.trials;
        // The games of a shard are made for a number of trials.
        if self.shard.is_some() && !played.is_empty() && end_rules.trials != before {
            return Err(PlanError::ShardTrials { trials: before, asked: end_rules.trials });
        }
        Ok(plan)
    }

    /// The trials to be played if no rule ends the rollout before, by number; in a shard, its share of them.
    ///
    /// # Panics
    /// If the shard has no trials, which [`Plan::check_shard`] refuses.
    #[must_use]
    pub fn trials(&self) -> Range<u64> {
        let trials = self.end_rules.trials;
        let of_shard = |shard: Shard| shard.trials(trials).expect("a checked shard has trials");
        self.shard.map_or(0..trials, of_shard)
    }

    /// No trials yet: an empty range before the first of them.
    #[must_use]
    pub fn no_trials(&self) -> Range<u64> {
        let first = self.trials().start;
        first..first
    }

    /// Whether these are all of its trials.
    #[must_use]
    pub fn is_complete(&self, played: &Range<u64>) -> bool {
        played.end >= self.trials().end
    }

    /// The trials of a record, from the first to the one before `end`.
    ///
    /// # Errors
    /// [`MemberError`] if they are not a beginning of the plan's.
    pub fn beginning(&self, [first, end]: [u64; 2]) -> Result<Range<u64>, MemberError> {
        let planned = self.trials();
        match first == planned.start && (first..=planned.end).contains(&end) {
            true => Ok(first..end),
            false => Err(MemberError::new("trials", format!("{first}..{end} is not a beginning of {planned:?}"))),
        }
    }
}

/// Refuses a bound of a rule, which an option names, that is not above 0.
fn check_bound(rule: &'static str, option: &'static str, bound: Option<f64>) -> Result<(), PlanError> {
    match bound {
        Some(bound) if !(bound > 0.0 && bound.is_finite()) => Err(PlanError::Bound { rule, option, bound }),
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
