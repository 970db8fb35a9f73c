//! A rollout as JSON: all that decides its values, the trials played, and their sums.
//!
//! ```text
//! {
//!   "format": "tavli game rollout",
//!   "version": 1,
//!   "values": "0a1b2c3d",              // the signature of random games under the rules
//!   "checksum": "4d6622e7",            // CRC-32 of the JSON array of version, values and rollout
//!   "rollout": {
//!     "game": "plakoto",
//!     "rules": "default",
//!     "position": "o----------------------O", // a text of all that the position holds
//!     "roll": "31",                    // null where the position itself is rolled out
//!     "policy": "strong",              // of both sides
//!     "net": "0badcafe",               // the signature of its net's values; null at random
//!     "variance_reduction": true,
//!     "seed": 1,
//!     "stop": {"trials": 40, "standard_error": null, "seconds": null},
//!     "shard": null,                   // such as "2/8"
//!     "trials": [0, 40],               // the first trial played, and the one after the last
//!     "seconds": 0.02,
//!     "named_plays": true,             // if the candidates are plays that were named; absent otherwise
//!     "candidates": [{                 // in the order of the list of plays
//!       "moves": "24/23 24/21",        // for people to read; null where the position itself is rolled out
//!       "position": "...",             // the position whose games are played
//!       "outcomes": {"tie": 2, "win_single": 9, ...}, // trials, for the player whose turn it is in this position
//!       "less_luck": {"values": ..., "squares": ..., "cubes": ...} // with variance reduction
//!     }]
//!   }
//! }
//! ```
//!
//! `less_luck` has the sums over the games of their points less the luck, and of the squares and the cubes of these
//! values. 2^30, 2^60 and 2^90 stand for 1.

use core::ops::RangeInclusive;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tavli_backgammon::Tier;
use tavli_file::record::{self, EnvelopeError, MemberError, RecordContents, member};
use tavli_game::{PlayableGame, PositionError};
use tavli_trials::{EndRulesRequest, Plan, Shard};
use thiserror::Error;

use super::game_rollout::{GameCandidate, GameRollout, GameRolloutError, GameRolloutRequest};
use super::player::random_signature;
use super::sums::{CandidateSums, LuckSums};
use crate::list::{Visitor, visit_other};

/// Why a text is not the record of a rollout that can be continued here.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameRolloutRecordError {
    /// It is not a record, or its games are not those of this program.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// It is a rollout of another game.
    #[error("it is a rollout of {found}, not of {ours}: name its game, or another file")]
    Game {
        /// The game in the record.
        found: String,
        /// The game that is to continue it.
        ours: &'static str,
    },
    /// The net of its player has other values here.
    #[error("its games were played by another net {policy}: its values have the signature {found}, not {ours}")]
    Net {
        /// The name of the net.
        policy: String,
        /// The signature in the record.
        found: String,
        /// The signature of the net of this name here.
        ours: String,
    },
    /// A member has an invalid value.
    #[error(transparent)]
    Member(#[from] MemberError),
    /// A text that is no position.
    #[error("invalid position: {0}")]
    Position(#[from] PositionError),
    /// Its members contradict each other.
    #[error("invalid rollout: {0}")]
    Rollout(#[from] GameRolloutError),
}

/// Why a saved rollout cannot be used.
pub type LoadGameRolloutError = record::LoadError<GameRolloutRecordError>;

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRolloutRecord {
    game: String,
    rules: String,
    position: String,
    roll: Option<String>,
    policy: String,
    net: Option<String>,
    variance_reduction: bool,
    seed: u64,
    #[serde(rename = "stop")]
    end_rules: EndRulesRecord,
    shard: Option<String>,
    trials: [u64; 2],
    seconds: f64,
    /// Whether the candidates were named.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    named_plays: bool,
    candidates: Vec<CandidateRecord>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndRulesRecord {
    trials: u64,
    standard_error: Option<f64>,
    seconds: Option<f64>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidateRecord {
    moves: Option<String>,
    position: String,
    outcomes: BTreeMap<String, u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    less_luck: Option<LuckSums>,
}

/// The signature of random games under rules, in the game that it visits.
struct RandomSignature<'a>(&'a str);

impl Visitor for RandomSignature<'_> {
    type Output = Option<u32>;

    fn visit<G: PlayableGame>(self) -> Option<u32> {
        random_signature::<G>(self.0)
    }
}

impl RecordContents for GameRolloutRecord {
    const FORMAT: &'static str = "tavli game rollout";
    const NAME: &'static str = "rollout";
    const VERSIONS: RangeInclusive<u32> = 1..=1;

    fn signature(&self) -> String {
        let signature = visit_other(&self.game, RandomSignature(&self.rules));
        let signature = signature.ok().flatten();
        signature.map_or_else(|| "none".to_owned(), |signature| format!("{signature:08x}"))
    }
}

impl GameRolloutRecord {
    fn new<G: PlayableGame>(rollout: &GameRollout<G>) -> GameRolloutRecord {
        let GameRollout { game, plan: Plan { end_rules, shard, .. }, trials, .. } = rollout;
        let candidate = |(candidate, sums): (&GameCandidate<G::Position>, &CandidateSums)| CandidateRecord {
            moves: candidate.moves.clone(),
            position: game.state(&candidate.position),
            outcomes: {
                let outcomes = G::OUTCOMES.iter().zip(&sums.outcomes);
                outcomes.map(|(outcome, games)| (outcome.name.to_owned(), *games)).collect()
            },
            less_luck: sums.less_luck,
        };
        GameRolloutRecord {
            game: G::NAME.to_owned(),
            rules: rollout.rules.clone(),
            position: game.state(&rollout.position),
            roll: rollout.chance.map(|chance| game.chance_text(chance)),
            policy: rollout.policy.clone(),
            net: rollout.player.net_signature(),
            variance_reduction: rollout.variance_reduction,
            seed: rollout.seed,
            end_rules: EndRulesRecord {
                trials: end_rules.trials,
                standard_error: end_rules.standard_error,
                seconds: end_rules.time.map(|time| time.as_secs_f64()),
            },
            shard: shard.map(|shard| shard.to_string()),
            trials: [trials.start, trials.end],
            seconds: rollout.elapsed.as_secs_f64(),
            named_plays: rollout.has_named_plays,
            candidates: rollout.candidates.iter().zip(&rollout.sums).map(candidate).collect(),
        }
    }

    /// The rollout, if there can be such a one.
    fn read<G: PlayableGame>(&self, tier: Tier) -> Result<GameRollout<G>, GameRolloutRecordError> {
        let game = member("rules", G::by_rules(&self.rules, tier, self.seed))?;
        let position = game.read(&self.position)?;
        if game.points(&position).is_some() {
            return Err(MemberError::new("position", "the game is over in it").into());
        }
        let chance = |roll: &String| match game.chances().len() {
            1 if roll.is_empty() => Ok(0),
            1 => Err(MemberError::new("roll", "the game has no dice")),
            _ => game.chance(roll).ok_or_else(|| MemberError::new("roll", "it is not a roll of the game")),
        };
        let plays = || {
            let plays = self.candidates.iter();
            let plays = plays.map(|candidate| {
                candidate.moves.clone().ok_or_else(|| MemberError::new("candidates", "moves are null"))
            });
            plays.collect::<Result<Vec<_>, _>>()
        };
        let shard = self.shard.as_ref().map(|shard| shard.parse::<Shard>()).transpose();
        let request = GameRolloutRequest {
            rules: Some(self.rules.clone()),
            plays: if self.named_plays { plays()? } else { Vec::new() },
            policy: Some(self.policy.clone()),
            variance_reduction: self.variance_reduction,
            seed: self.seed,
            end_rules: EndRulesRequest {
                trials: Some(self.end_rules.trials),
                standard_error: self.end_rules.standard_error,
                jsd: None,
                seconds: self.end_rules.seconds,
            },
            shard: member("shard", shard)?,
        };
        let chance = self.roll.as_ref().map(chance).transpose()?;
        let new = GameRollout::<G>::new(position, chance, &request, tier)?;
        let ours = new.player.net_signature();
        if self.net != ours {
            let text = |signature: &Option<String>| signature.clone().unwrap_or_else(|| "none".to_owned());
            return Err(GameRolloutRecordError::Net {
                policy: self.policy.clone(),
                found: text(&self.net),
                ours: text(&ours),
            });
        }
        let trials = new.plan.beginning(self.trials)?;
        if self.candidates.len() != new.candidates.len() {
            return Err(MemberError::new("candidates", "they are not the plays of the roll").into());
        }
        let candidates = self.candidates.iter().zip(&*new.candidates);
        let sums = candidates.map(|(record, candidate)| record.read(&new, candidate, trials.end - trials.start));
        Ok(GameRollout {
            sums: sums.collect::<Result<_, _>>()?,
            trials,
            elapsed: member("seconds", Duration::try_from_secs_f64(self.seconds))?,
            ..new
        })
    }
}

impl CandidateRecord {
    /// The sums, if they can be those of this many games of a candidate.
    fn read<G: PlayableGame>(
        &self,
        rollout: &GameRollout<G>,
        candidate: &GameCandidate<G::Position>,
        trials: u64,
    ) -> Result<CandidateSums, MemberError> {
        let game = &*rollout.game;
        if self.moves != candidate.moves || self.position != game.state(&candidate.position) {
            return Err(MemberError::new("candidates", "they are not the plays of the roll in their order"));
        }
        let [least, most] = match candidate.end {
            // Its games are not counted.
            Some(_) => [1, 0],
            None => game.possible_points(&candidate.position),
        };
        let mut sums = CandidateSums::new::<G>(rollout.variance_reduction);
        let mut games = 0_u128;
        for (name, &number) in &self.outcomes {
            let outcome = G::OUTCOMES.iter().find(|outcome| outcome.name == name);
            let outcome = outcome.ok_or_else(|| MemberError::new("outcomes", "a name is of no outcome of the game"))?;
            if number > 0 && !(least..=most).contains(&outcome.points) {
                return Err(MemberError::new("outcomes", "a game of the position cannot end so"));
            }
            games += u128::from(number);
            sums.add_games::<G>(outcome.points, number);
        }
        let expected = if candidate.end.is_some() { 0 } else { trials };
        if games != u128::from(expected) {
            return Err(MemberError::new("outcomes", "they do not add up to the trials"));
        }
        if self.less_luck.is_some() != rollout.variance_reduction {
            let reason = "it must be present if, and only if, luck is subtracted";
            return Err(MemberError::new("less_luck", reason));
        }
        if let Some(luck) = &self.less_luck {
            luck.check::<G>(expected)?;
        }
        sums.less_luck = self.less_luck;
        Ok(sums)
    }
}

impl LuckSums {
    /// Checks that they can be the sums of this many games.
    fn check<G: PlayableGame>(&self, games: u64) -> Result<(), MemberError> {
        // Larger ones would overflow where they are added.
        if [self.values, self.squares, self.cubes].iter().any(|sum| sum.unsigned_abs() >> 124 != 0) {
            return Err(MemberError::new("less_luck", "a sum is too large"));
        }
        let largest = G::OUTCOMES.iter().map(|outcome| outcome.points.unsigned_abs()).max();
        match self.in_points(1).are_of_games(games, largest.unwrap_or(0)) {
            true => Ok(()),
            false => Err(MemberError::new("less_luck", "games cannot have these sums of values, squares and cubes")),
        }
    }
}

impl<G: PlayableGame> GameRollout<G> {
    /// The rollout as JSON on one line, from which [`GameRollout::from_json`] makes it again.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json(GameRolloutRecord::new(self))
    }

    /// A rollout from its JSON.
    ///
    /// # Errors
    /// [`GameRolloutRecordError`] if the text is not such a record, or is damaged, of another version or game, or
    /// played with other values.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn from_json(text: &str, tier: Tier) -> Result<GameRollout<G>, GameRolloutRecordError> {
        let body: GameRolloutRecord = record::from_json(text)?;
        match body.game == G::NAME {
            true => body.read(tier),
            false => Err(GameRolloutRecordError::Game { found: body.game, ours: G::NAME }),
        }
    }

    /// A saved rollout.
    ///
    /// # Errors
    /// [`LoadGameRolloutError`] if the file cannot be read, or [`GameRollout::from_json`] refuses it.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn load(path: &Path, tier: Tier) -> Result<GameRollout<G>, LoadGameRolloutError> {
        record::load(path, |text| GameRollout::from_json(text, tier))
    }
}
