//! The players and nets that a recipe names, all read before the first game.

use core::fmt;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tavli_backgammon::NO_STOP;
use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::Policy;
use tavli_file::whole_file;
use tavli_players::named::{self, NamedError};
use tavli_players::net::{IntegerError, IntegerNetwork, Network, PlayerFile};
use thiserror::Error;

use crate::recipe::{Recipe, Role};

/// Why something that a recipe names cannot be used.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A player that is not there, or values no positions.
    #[error("{place}: {reason}")]
    Player {
        /// Where the recipe names it.
        place: String,
        /// Why there is no such player.
        reason: NamedError,
    },
    /// A file that holds no net.
    #[error("{place}: cannot read {path}: {reason}")]
    File {
        /// Where the recipe names it.
        place: &'static str,
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A net that cannot play.
    #[error("{place}: cannot use {path}: {reason}")]
    Net {
        /// Where the recipe names it.
        place: &'static str,
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: IntegerError,
    },
}

/// A player or net that a training was begun with. The training does not go on without it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct BoundInput {
    /// Where the recipe names it.
    pub(crate) place: String,
    /// Its name, with the checksum of each file.
    pub(crate) name: String,
    /// The [signature](named::signature_of_policies) of its values.
    pub(crate) values: String,
}

impl BoundInput {
    /// A text that distinguishes it from `other`: its name, with the signature of its values if the names are equal.
    pub(crate) fn distinguished_from(&self, other: &BoundInput) -> String {
        match self.name == other.name {
            true => format!("{} with the values {}", self.name, self.values),
            false => self.name.clone(),
        }
    }
}

/// The players and nets of a recipe, in memory: files may change while a training runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// By the names in the recipe.
    policies: BTreeMap<String, Arc<dyn Policy>>,
    evaluators: BTreeMap<String, Arc<dyn Evaluator>>,
    /// The net that ranks plays first in the player's file.
    pub(crate) prefilter: Option<Network>,
    pub(crate) bound: Vec<BoundInput>,
}

impl Inputs {
    /// Reads all players and nets, except the net to start from.
    pub(crate) fn read(recipe: &Recipe) -> Result<Inputs, InputError> {
        let mut inputs = Inputs::default();
        for (place, role, text) in recipe.players() {
            let found = match role {
                Role::Plays => inputs.read_policy(text),
                Role::Values => inputs.read_evaluator(text),
            };
            let name = found.map_err(|reason| InputError::Player { place: place.clone(), reason })?;
            // A built-in player has no file and so no checksum. The signature of its values shows whether another
            // version of the program values otherwise.
            let values = named::signature_of_policies([&name; 2]);
            inputs.bound.push(BoundInput { place, name, values });
        }
        if let Some(prefilter) = &recipe.prefilter {
            let (place, path) = ("prefilter.player", &prefilter.player);
            let (net, checksum) = read_net(place, path)?;
            IntegerNetwork::new(&net).map_err(|reason| InputError::Net { place, path: path.clone(), reason })?;
            inputs.prefilter = Some(net);
            inputs.bound.push(BoundInput {
                place: place.to_owned(),
                name: format!("{path}#{checksum:08x}"),
                values: String::new(),
            });
        }
        Ok(inputs)
    }

    /// Reads a player as a policy, and returns its full name.
    fn read_policy(&mut self, text: &str) -> Result<String, NamedError> {
        let policy = match self.policies.get(text) {
            Some(policy) => Arc::clone(policy),
            None => named::policy(text)?,
        };
        let name = policy.name().to_owned();
        self.policies.insert(text.to_owned(), policy);
        Ok(name)
    }

    /// Reads a player as an evaluator, and returns its full name.
    fn read_evaluator(&mut self, text: &str) -> Result<String, NamedError> {
        let evaluator = match self.evaluators.get(text) {
            Some(evaluator) => Arc::clone(evaluator),
            None => named::evaluator(text, NO_STOP)?,
        };
        let name = evaluator.name().to_owned();
        self.evaluators.insert(text.to_owned(), evaluator);
        Ok(name)
    }

    /// Remarks on players of `recipe` that have not learned its rules, and on players with the cube, which its games
    /// lack: one for each, where the recipe first names it.
    pub(crate) fn remarks(&self, recipe: &Recipe) -> Vec<String> {
        let mut remarks: Vec<(String, String)> = Vec::new();
        for ((place, _, text), BoundInput { name, .. }) in recipe.players().zip(&self.bound) {
            let of_values = named::remark_on_values(name, recipe.rules);
            let of_cube = text.ends_with("+cube");
            let of_cube =
                of_cube.then(|| format!("{text}: +cube changes nothing in games without a cube: leave it out"));
            for remark in of_values.into_iter().chain(of_cube) {
                if !remarks.iter().any(|(_, earlier)| *earlier == remark) {
                    remarks.push((place.clone(), remark));
                }
            }
        }
        remarks.into_iter().map(|(place, remark)| format!("{place}: {remark}")).collect()
    }

    /// The policy that the recipe names `text`.
    pub(crate) fn policy(&self, text: &str) -> Arc<dyn Policy> {
        Arc::clone(&self.policies[text])
    }

    /// The evaluator that the recipe names `text`.
    pub(crate) fn evaluator(&self, text: &str) -> Arc<dyn Evaluator> {
        Arc::clone(&self.evaluators[text])
    }
}

/// The net of a player's file, and the checksum of the file.
pub(crate) fn read_net(place: &'static str, path: &str) -> Result<(Network, u32), InputError> {
    let wrong =
        |reason: &dyn fmt::Display| InputError::File { place, path: path.to_owned(), reason: reason.to_string() };
    let bytes =
        whole_file::read(Path::new(path), whole_file::MAX_RECORD_BYTES, NO_STOP).map_err(|error| wrong(&error))?;
    let file = PlayerFile::read(&bytes).map_err(|error| wrong(&error))?;
    // The file ends with its checksum, which was just compared with its bytes.
    let checksum = bytes.last_chunk().copied().map(u32::from_le_bytes);
    Ok((file.net, checksum.unwrap_or_default()))
}
