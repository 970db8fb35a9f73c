//! The settings of games.

use std::num::NonZeroU32;
use std::sync::Arc;

use serde::Deserialize;
use tavli::named;
use tavli::policies::{Policy, PolicyPair};
use tavli::rollout::{EndRulesRequest, PlayoutSettings};
use tavli::run::remark_on_cube;
use tavli::{FirstRoll, Playouts, RuleSet};
use tavli_web_module::{Failure, Kind, remark, seed};

use crate::positions::PositionInput;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Games {
    pub(crate) position: PositionInput,
    rules: Option<String>,
    seed: Option<String>,
    policy: Option<String>,
    policy_opponent: Option<String>,
    first_roll: Option<String>,
    truncate: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RolloutCall {
    pub(crate) games: Games,
    pub(crate) roll: Option<String>,
    pub(crate) plays: Option<Vec<String>>,
    pub(crate) evaluator: Option<String>,
    #[serde(default)]
    pub(crate) cube: bool,
    trials: Option<u64>,
    standard_error: Option<f64>,
    jsd: Option<f64>,
}

/// A rollout that decides which play of a roll to make.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DecisionCall {
    pub(crate) position: PositionInput,
    pub(crate) rules: Option<String>,
    pub(crate) seed: Option<String>,
    pub(crate) roll: Option<String>,
    pub(crate) plays: Option<Vec<String>>,
    pub(crate) within: Option<f64>,
    #[serde(default)]
    pub(crate) cube: bool,
    pub(crate) trials: Option<u64>,
}

impl RolloutCall {
    pub(crate) fn end_rules(&self) -> EndRulesRequest {
        EndRulesRequest { trials: self.trials, standard_error: self.standard_error, jsd: self.jsd, seconds: None }
    }
}

impl Games {
    pub(crate) fn settings(&self) -> Result<PlayoutSettings, Failure> {
        let default = PlayoutSettings::default();
        let truncation = self.truncate.map(|plies| {
            let wrong = "invalid truncate 0: give a number of plies from 1 on";
            NonZeroU32::new(plies).ok_or_else(|| Failure::new(Kind::Settings, wrong))
        });
        Ok(PlayoutSettings {
            rules: rules(self.rules.as_deref())?,
            seed: seed(self.seed.as_deref())?,
            first_roll: self.first_roll()?.unwrap_or(default.first_roll),
            truncation: truncation.transpose()?,
        })
    }

    /// The first roll, if it is named.
    fn first_roll(&self) -> Result<Option<FirstRoll>, Failure> {
        Ok(self.first_roll.as_deref().map(str::parse).transpose()?)
    }

    pub(crate) fn playouts(&self) -> Result<Playouts, Failure> {
        let position = self.position.read()?;
        if let Some(found) = remark_on_cube(&position) {
            remark(found);
        }
        let settings = PlayoutSettings {
            first_roll: FirstRoll::from_position(position.roll(), self.first_roll()?)?,
            ..self.settings()?
        };
        Ok(settings.playouts(*position.board())?)
    }

    pub(crate) fn playout_players(&self) -> Result<PolicyPair, Failure> {
        let [policy, opponent] = self.policies()?;
        Ok(PolicyPair::named(policy, opponent))
    }

    pub(crate) fn rollout_players(&self) -> Result<PolicyPair, Failure> {
        let [policy, opponent] = self.policies()?;
        let rules = rules(self.rules.as_deref())?;
        Ok(named::rollout_players(policy, opponent, rules)?)
    }

    /// The policies of both sides, if they are named.
    fn policies(&self) -> Result<[Option<Arc<dyn Policy>>; 2], Failure> {
        let policy = |name: &Option<String>| name.as_deref().map(named::policy).transpose();
        Ok([policy(&self.policy)?, policy(&self.policy_opponent)?])
    }
}

/// The rules of a name; backgammon's if none is given.
pub(crate) fn rules(name: Option<&str>) -> Result<RuleSet, Failure> {
    let rules = name.map_or(Ok(RuleSet::Backgammon), str::parse);
    rules.map_err(|error| Failure::new(Kind::Settings, error))
}
