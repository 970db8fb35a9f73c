//! What `tavli rollout` is asked in backgammon, and the rollout of it, begun or continued.

use std::num::NonZeroU64;

use tavli::named::Defaults;
use tavli::rollout::{Checkpoint, Options, Rollout, RolloutError, RolloutRequest};
use tavli::{Position, Reading};
use tavli_terminal::failure::Failure;
use tavli_terminal::remarks::reading;

use crate::arguments::{invalid, invalid_position};
use crate::cube::{CubeOptions, WithCube, check_has_efficiency};
use crate::rollout::arguments::RolloutArguments;
use crate::rollout::save_options::SaveOptions;
use crate::rollout::task::{Task, options};

/// What is asked about a position of backgammon, about the lines of a file, or of a saved rollout.
#[derive(Debug)]
pub struct BackgammonRequest {
    pub(super) position: Option<Reading>,
    /// All options but those of the cube.
    pub(super) options: Options,
    pub(super) cube: CubeOptions,
    /// Whether the rules are named, the policy, and the policy of the opponent.
    pub(super) names_rules: bool,
    pub(super) names_policies: [bool; 2],
    /// The trials that a saved rollout plays more.
    pub(super) extend: Option<NonZeroU64>,
}

/// The request of `options`: with a roll a decision, or the plain rollout that they ask for.
pub(super) fn request_of(options: &Options, has_roll: bool) -> Result<RolloutRequest, RolloutError> {
    match has_roll && options.are_for_decision() {
        true => options.decision(),
        false => options.request(),
    }
}

impl Task<BackgammonRequest> {
    /// Reads the arguments. Tables of players are solved here, before signals are handled: Ctrl-C still ends the
    /// process.
    pub fn read(arguments: &RolloutArguments) -> Result<Task<BackgammonRequest>, Failure> {
        let RolloutArguments { position, roll, game, policies, cube, extend, .. } = arguments;
        let named_rules = game.given_rule_set()?;
        let rules = named_rules.unwrap_or_default();
        let position = position.as_deref();
        let position = position.map(|text| reading(text, rules).map_err(|error| invalid_position(text, error)));
        let position = position.transpose()?;
        let roll = roll.as_deref();
        let roll = roll.map(|text| text.parse().map_err(|error| invalid("[ROLL]", text, error)));
        let roll = roll.transpose()?;
        let players = policies.has_policies().then(|| policies.players(Defaults::for_rules(rules).rollout_policy));
        let request = BackgammonRequest {
            position,
            options: Options { roll, rules, players: players.transpose()?, ..options(arguments) },
            cube: *cube,
            names_rules: named_rules.is_some(),
            names_policies: [policies.has_policy(), policies.has_opponent_policy()],
            extend: *extend,
        };
        Ok(Task::new(arguments, request))
    }

    /// The saved rollout or a new one, and the place of its checkpoints.
    pub fn begin(&self) -> Result<(Rollout, Option<Checkpoint>), Failure> {
        let checkpoint = self.save.checkpoint()?;
        Ok((self.request.rollout(&self.save)?, checkpoint))
    }
}

impl BackgammonRequest {
    fn rollout(&self, save: &SaveOptions) -> Result<Rollout, Failure> {
        match (save.saved(self.position.is_some()), &self.position) {
            (Some(path), _) => self.saved_rollout(path),
            (None, Some(reading)) => {
                let WithCube { position, cube } = self.with_cube(reading).map_err(Failure::usage)?;
                let options = Options { cube, ..self.options.clone() };
                let request = request_of(&options, options.roll.is_some() || position.roll().is_some());
                self.begin_by(request, &position).map_err(Failure::usage)
            }
            (None, None) => Err(Failure::usage("name a position, or a file with --resume")),
        }
    }

    /// The position with its cube, if it has one.
    pub(super) fn with_cube(&self, reading: &Reading) -> Result<WithCube, String> {
        self.cube.apply(reading, check_has_efficiency(self.options.rules))
    }

    /// The rollout of a request; an error is in terms of the options.
    pub(super) fn begin_by(
        &self,
        request: Result<RolloutRequest, RolloutError>,
        position: &Position,
    ) -> Result<Rollout, String> {
        let rollout = request.and_then(|request| request.rollout(position));
        rollout.map_err(|error| self.in_terms_of_options(error))
    }

    /// Why there is no rollout, in terms of the options.
    pub(super) fn in_terms_of_options(&self, error: RolloutError) -> String {
        let remedy = self.cube.remedy();
        match error {
            RolloutError::NoRoll => "--play names a play of a roll: write the ROLL after the position".to_owned(),
            RolloutError::PlainWithin => {
                "--within decides which play of a roll to make: write the ROLL after the position".to_owned()
            }
            RolloutError::FilteredPosition => {
                "--filter leaves out plays of a roll: write the ROLL after the position".to_owned()
            }
            RolloutError::NoCubeValues(_) => format!("{error}: {remedy}"),
            RolloutError::CubeNotValued => format!(
                "--evaluator none leaves games that are cut off without a value, which the cube needs: leave it out, \
                 name an evaluator, or {remedy}"
            ),
            error => error.to_string(),
        }
    }
}
