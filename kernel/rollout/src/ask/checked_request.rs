//! The one description of a rollout: all that decides its values and its end.

use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, Knowledge, KnownValues};
use tavli_backgammon::plays::Plays;
use tavli_backgammon::policies::PolicyPair;
use tavli_backgammon::{Board, FirstRoll, Planes, Roll};
use tavli_players::Luck;
use tavli_trials::{Allocation, Plan};

use crate::ask::candidate::Candidate;
use crate::ask::cube::RolloutCube;
use crate::ask::error::RolloutError;
use crate::ask::evaluators::Evaluators;
use crate::ask::playout_settings::PlayoutSettings;

/// The rollout to be played, whichever of its trials have been played.
#[derive(Clone, Debug)]
pub(crate) struct CheckedRequest {
    pub(crate) position: Board,
    pub(crate) roll: Option<Roll>,
    pub(crate) settings: PlayoutSettings,
    pub(crate) candidates: Vec<Candidate>,
    /// The candidates' indices in the order of reports before the first trial. No game depends on it.
    pub(crate) ranking: Vec<usize>,
    /// Whether the candidates are named plays, without the other plays of the roll.
    pub(crate) has_named_plays: bool,
    /// The evaluator by whose values plays of the roll were left out; unknown in a rollout read from a record.
    pub(crate) filtered_by: Option<Arc<dyn Evaluator>>,
    pub(crate) players: PolicyPair,
    pub(crate) cube: Option<RolloutCube>,
    pub(crate) evaluator: Option<Arc<dyn Evaluator>>,
    pub(crate) luck: Option<Luck>,
    pub(crate) plan: Plan,
}

impl CheckedRequest {
    /// Whether the candidates are cube actions.
    pub(crate) fn is_cube_decision(&self) -> bool {
        self.cube.is_some() && self.roll.is_none()
    }

    /// Checks that it can be played: the one place where its parts are compared with each other.
    ///
    /// # Errors
    /// [`RolloutError`] names the first part that is invalid or contradicts another.
    pub(crate) fn check(&self) -> Result<(), RolloutError> {
        if self.is_cube_decision() && (self.plan.end_rules.jsd.is_some() || self.plan.allocation != Allocation::Even) {
            return Err(RolloutError::CubeDecision);
        }
        if self.evaluator.is_some() && self.settings.truncation.is_none() {
            return Err(RolloutError::NotTruncated);
        }
        if self.cube.is_some() && self.evaluator.is_none() && self.settings.truncation.is_some() {
            return Err(RolloutError::CubeNotValued);
        }
        // Games that are cut off would count 0, and their mean would be that of their luck.
        if self.luck.is_some() && self.evaluator.is_none() && self.settings.truncation.is_some() {
            return Err(RolloutError::NothingMeasuresLuck);
        }
        self.plan.check()?;
        let compares = match self.plan.allocation {
            // The only play of a roll is decided.
            Allocation::FixedConfidence { .. } => self.roll.is_none(),
            allocation => allocation != Allocation::Even,
        };
        let compares = compares || self.plan.end_rules.jsd.is_some();
        if compares && self.candidates.len() < 2 {
            return Err(RolloutError::NothingToCompare);
        }
        Ok(self.plan.check_shard()?)
    }

    /// How many plays of the roll a filter left out; 0 without a roll, and where plays were named.
    pub(crate) fn left_out(&self) -> usize {
        let Some(roll) = self.roll.filter(|_| !self.has_named_plays) else {
            return 0;
        };
        let plays = Plays::new(&self.position, roll, self.settings.rules).len();
        plays.saturating_sub(self.candidates.len())
    }

    /// The evaluators that its games are valued by.
    pub(crate) fn evaluators(&self) -> Evaluators {
        Evaluators {
            truncated_games: self.evaluator.clone(),
            truncation: self.settings.truncation,
            known_values: self.known_values().cloned(),
            luck: self.luck.clone(),
            cube_decisions: self.cube.as_ref().map(|cube| cube.evaluators.clone()),
        }
    }

    /// Marks the candidates whose values the players know exactly. It asks for no value: a table may be solved for
    /// minutes before its first value, and only trials end when a call is cancelled.
    pub(crate) fn mark_known_candidates(&mut self) {
        // Values are means over all rolls.
        if !matches!(self.settings.first_roll, FirstRoll::Any | FirstRoll::Stratified) {
            return;
        }
        let Some(known_values) = self.known_values().cloned() else {
            return;
        };
        for candidate in &mut self.candidates {
            let knowledge = known_values.knowledge(self.settings.rules, &Planes::from(candidate.board));
            candidate.is_known = candidate.playouts().is_some() && knowledge == Knowledge::Exact;
        }
    }

    /// The positions where games end, since both players know their values.
    pub(crate) fn known_values(&self) -> Option<&Arc<dyn KnownValues>> {
        // Without an evaluator, games that are cut off count 0 points: to count known values as well would be a bias.
        // With a cube, a position's value depends on the turns of the cube to come, which these tables leave out.
        let all_are_valued = self.cube.is_none() && (self.evaluator.is_some() || self.settings.truncation.is_none());
        self.players.known_values().filter(|_| all_are_valued)
    }
}
