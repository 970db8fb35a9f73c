//! A rollout as JSON: all that decides its values, the games played, and their results.
//!
//! ```text
//! {
//!   "format": "tavli rollout",
//!   "version": 10,
//!   "values": "5e4411ba37c678f2+.../...",
//!                                      // signatures: policy[+opponent's][/evaluator][/evaluator of luck][/cube's model]
//!   "checksum": "4d6622e7",            // the CRC-32 of the JSON array of version, values and rollout
//!   "rollout": {
//!     "position_id": "7e4OAABtdw8AAA", // positions are GNU Position IDs
//!     "roll": "21",                    // null where the position itself is rolled out
//!     "rules": "backgammon",
//!     "seed": 1,
//!     "first_roll": "any",
//!     "truncated_after": null,         // a number of plies
//!     "policy": "uniform",             // of the player on roll
//!     "opponent_policy": "fast",       // if it is another
//!     "evaluator": "strong",           // of games that were cut off, if there is one
//!     "luck": "fast",                  // the evaluator for variance reduction, if there is one
//!     "cube": {"value": 1, "limit": 1024, "owner": null, "away": [7, 5], "crawford": false, "jacoby": false, ...},
//!                                      // the cube and the score, if there is a cube; away is null in money games
//!     "allocation": "even",
//!     "stop": {"trials": 40, "standard_error": null, "jsd": null, "seconds": null},
//!     "shard": null,                   // such as "2/8"
//!     "trials": [0, 40],               // the first trial played, and the one after the last
//!     "seconds": 0.02,
//!     "named_plays": true,             // if the candidates are plays that were named; absent otherwise
//!     "candidates": [{"moves": "6/3", "position_id": "7e4OAADt7g4AAA"}, {"moves": "6/5 6/4", ...}],
//!     "rounds": [{                     // several, if candidates were dropped
//!       "first": 0,                    // its first trial
//!       "candidates": [0, 1],          // those that were played in it, by index
//!       "ends": [{"lose_single": [26], "win_single": [14]}, ...],
//!                                      // for each candidate, trials by outcome or "unfinished", and by stratum
//!       "products": [[[0, 0, 0, 0], ..., [32, 0, 0, 0]]],
//!                                      // for each pair of candidates (0-1, 0-2, 1-2, 0-3 ...), value and class
//!       "corrections": {"outcomes": ..., "squares": ..., "products": ..., "cubes": ...},
//!                                      // if games have other values than the points of their results
//!       "cubeful": {"values": ..., "squares": ..., "products": ...}
//!                                      // with a cube
//!     }]
//!   }
//! }
//! ```
//!
//! *Strata* are the pairs of the first roll and, counting faster, the second, in the order 11, 21, 22, 31 ... 66. There
//! is one stratum if first rolls are not stratified. *Classes* of games are told apart by their first two rolls: none,
//! the second, the first or both are doubles. The seven *values* of a game are whether it is won, won by gammon or
//! better, won by backgammon, lost, lost by gammon or better, lost by backgammon, and its points. `products` are the
//! sums of the products of both candidates' values.
//!
//! `corrections` is there if games have values other than the points of their results: with an evaluator, with values
//! that both policies know, with variance reduction, and with a cube. An unfinished game has the value 0 in `ends`.
//! With a `cube`, games end by passes too, and each has a second value, which `cubeful` sums up: in units of the
//! rollout's cube, or equivalent to that unit in a match. Without a roll the candidates are no double and, if the
//! player on roll may double, double, take. All sums are of integers:
//!
//! | member | a sum for each | what stands for 1 |
//! |---|---|---|
//! | `corrections.outcomes` | candidate, outcome and stratum | 2^30 |
//! | `corrections.squares` | candidate, value and class | 2^60 |
//! | `corrections.products` | pair, value and class | 2^60 |
//! | `corrections.cubes` | candidate and value | 2^60 |
//! | `cubeful.values` | candidate and stratum | 2^24 |
//! | `cubeful.squares` | candidate and class | 2^48 |
//! | `cubeful.products` | pair and class | 2^48 |
//!
//! | version | new in it |
//! |--:|---|
//! | 10 | `trials` and `corrections`, which were `games` and `horizon` |
//! | 9 | `horizon.cubes` |
//! | 8 | `named_plays` |
//! | 7 | `cube` and `cubeful` |
//! | 6 | `luck` |
//! | 5 | `evaluator` and `horizon` |
//! | 4 | the oldest that is read |
//!
//! No release wrote versions 4 to 9: they are read for rollouts that earlier commits saved, which may have taken days.

use core::num::NonZeroU32;
use core::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tavli_trials::{Allocation, EndRules, EndRulesRequest, Plan, Shard};
use thiserror::Error;

use crate::ask::checked_request::CheckedRequest;
use crate::ask::error::RolloutError;
use crate::ask::playout_settings::PlayoutSettings;
use crate::ask::request::{RequestedPlay, RolloutRequest};
use crate::estimate::counts::{CountedValues, Products, RolloutCounts};
use crate::estimate::cubeful_sums::CubefulSums;
use crate::estimate::rounds::{RolloutRound, RolloutRounds};
use crate::estimate::strata::DOUBLES_CLASSES;
use crate::game_value::GameValue;
use crate::play::played_trials::PlayedTrials;
use crate::store::corrections_record::CorrectionsRecord;
use crate::store::cube_record::{CubeRecord, MODEL, check_cubeful};
use crate::store::ends_record::EndsRecord;
use crate::store::possible_sums;
use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::{self, Policy, PolicyPair};
use tavli_backgammon::{Board, Roll};
use tavli_file::record::{self, EnvelopeError, MemberError, RecordContents, member};
use tavli_players::named::{self, NamedError};

/// The version of the record that is written.
pub const FORMAT_VERSION: u32 = 10;
/// The oldest version that is read.
const OLDEST_VERSION: u32 = 4;

/// Why a text is not the record of a rollout that can be continued here.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RolloutRecordError {
    /// It is not a record, or its games are not this program's.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// It is a rollout by other policies.
    #[error("it was played by {found}, not by {ours}: give the policy that it began with, or begin a new rollout")]
    Policy {
        /// The policies in the record.
        found: String,
        /// The policies that are to continue it.
        ours: String,
    },
    /// Another evaluator valued its games, or no evaluator did.
    #[error(
        "its games were valued by {found}, not by {ours}: give the evaluator that it began with, or begin a new rollout"
    )]
    Evaluator {
        /// The evaluator in the record, or `none`.
        found: String,
        /// The evaluator that is to continue it.
        ours: String,
    },
    /// Another evaluator measured its luck, or no evaluator did.
    #[error(
        "its luck was measured by {found}, not by {ours}: give the evaluator that it began with, or begin a new rollout"
    )]
    Luck {
        /// The evaluator in the record, or `none`.
        found: String,
        /// The evaluator that is to continue it.
        ours: String,
    },
    /// A member names a player or an evaluator that cannot be found.
    #[error("invalid {member}: {error}")]
    Named {
        /// The member: `policy`, `opponent_policy`, `evaluator` or `luck`.
        member: &'static str,
        /// Why it cannot be found.
        error: NamedError,
    },
    /// The caller stopped while the bear-off table of one of its players was solved, or a file read.
    #[error("{}", NamedError::Stopped)]
    Stopped,
    /// A member has an invalid value.
    #[error(transparent)]
    Member(#[from] MemberError),
    /// Its members contradict each other.
    #[error("invalid rollout: {0}")]
    Rollout(#[from] RolloutError),
}

/// A caller's own players and evaluators of a saved rollout, which the names in the record cannot find. Parts that are
/// left out are [named] in the record.
#[derive(Clone, Debug, Default)]
pub struct SuppliedPlayers {
    /// The players that pick the plays.
    pub players: Option<PolicyPair>,
    /// The evaluator of games that are cut off.
    pub evaluator: Option<Arc<dyn Evaluator>>,
    /// The evaluator that measures luck; by default `evaluator`, if the record names it here as well.
    pub luck: Option<Arc<dyn Evaluator>>,
}

/// Why a saved rollout cannot be used.
pub type LoadError = record::LoadError<RolloutRecordError>;

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RolloutRecord {
    position_id: String,
    roll: Option<String>,
    rules: String,
    seed: u64,
    first_roll: String,
    truncated_after: Option<NonZeroU32>,
    policy: String,
    /// `None` if it is the player's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opponent_policy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evaluator: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    luck: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cube: Option<CubeRecord>,
    allocation: String,
    #[serde(rename = "stop")]
    end_rules: EndRulesRecord,
    shard: Option<String>,
    /// The first trial, and the number after the last trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trials: Option<[u64; 2]>,
    /// `trials` before version 10.
    // A member of its own, not an alias: the checksum is of the names that the file has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<[u64; 2]>,
    seconds: f64,
    /// Whether the candidates were named.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    named_plays: bool,
    candidates: Vec<CandidateRecord>,
    rounds: Vec<RoundRecord>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndRulesRecord {
    trials: u64,
    standard_error: Option<f64>,
    jsd: Option<f64>,
    seconds: Option<f64>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidateRecord {
    /// The play, for people to read.
    moves: Option<String>,
    /// The position whose games are played.
    position_id: String,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundRecord {
    first: u64,
    candidates: Vec<usize>,
    ends: Vec<EndsRecord>,
    products: Vec<Products>,
    /// If games have other values than the points of their results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    corrections: Option<CorrectionsRecord>,
    /// `corrections` before version 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    horizon: Option<CorrectionsRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cubeful: Option<CubefulSums>,
}

/// A rollout as JSON on one line: its request, and the trials played.
pub(crate) fn to_json(checked: &CheckedRequest, played: &PlayedTrials) -> String {
    record::to_json(RolloutRecord::new(checked, played))
}

/// Reads a text that [`to_json`] wrote. Players and evaluators are the supplied ones, or else those named in the
/// record.
pub(crate) fn from_json(
    text: &str,
    supplied: SuppliedPlayers,
    stop: &dyn Fn() -> bool,
) -> Result<(CheckedRequest, PlayedTrials), RolloutRecordError> {
    let body: RolloutRecord = record::from_json(text)?;
    body.read(supplied, stop)
}

impl RecordContents for RolloutRecord {
    const FORMAT: &'static str = "tavli rollout";
    const NAME: &'static str = "rollout";
    const VERSIONS: RangeInclusive<u32> = OLDEST_VERSION..=FORMAT_VERSION;

    fn signature(&self) -> String {
        let values = named::signature_of_policies(self.policies());
        let evaluator = self.evaluator.as_deref().map(named::signature_of_evaluator);
        let luck = self.luck.as_deref().map(|luck| named::signature_of_policies([luck; 2]));
        let cube = self.cube.as_ref().map(|_| MODEL.to_owned());
        let evaluators = [evaluator, luck, cube].into_iter().flatten();
        evaluators.fold(values, |values, evaluator| format!("{values}/{evaluator}"))
    }
}

impl RolloutRecord {
    fn new(checked: &CheckedRequest, played: &PlayedTrials) -> RolloutRecord {
        let CheckedRequest { settings, plan: Plan { end_rules, allocation, shard }, .. } = *checked;
        let rounds = played.rounds().as_slice().iter();
        let trials = played.range();
        let [player, opponent] = checked.players.names();
        RolloutRecord {
            position_id: checked.position.position_id().to_string(),
            roll: checked.roll.map(|roll| roll.to_string()),
            rules: settings.rules.to_string(),
            seed: settings.seed,
            first_roll: settings.first_roll.to_string(),
            truncated_after: settings.truncation,
            policy: player.to_owned(),
            opponent_policy: (opponent != player).then(|| opponent.to_owned()),
            evaluator: checked.evaluator.as_ref().map(|evaluator| evaluator.name().to_owned()),
            luck: checked.luck.as_ref().map(|luck| luck.evaluator().name().to_owned()),
            cube: checked.cube.as_ref().map(|cube| CubeRecord::new(&cube.in_play)),
            allocation: allocation.to_string(),
            end_rules: EndRulesRecord {
                trials: end_rules.trials,
                standard_error: end_rules.standard_error,
                jsd: end_rules.jsd,
                seconds: end_rules.time.map(|time| time.as_secs_f64()),
            },
            shard: shard.map(|shard| shard.to_string()),
            trials: Some([trials.start, trials.end]),
            games: None,
            seconds: played.elapsed().as_secs_f64(),
            named_plays: checked.has_named_plays,
            candidates: checked
                .candidates
                .iter()
                .map(|candidate| CandidateRecord {
                    moves: candidate.moves.map(|moves| moves.to_string()),
                    position_id: candidate.board.position_id().to_string(),
                })
                .collect(),
            rounds: rounds
                .map(|round| RoundRecord {
                    first: round.first_trial,
                    candidates: round.candidates.clone(),
                    ends: round.counts.results.iter().map(|results| EndsRecord::new(results)).collect(),
                    products: round.counts.products.clone(),
                    corrections: round.counts.corrections.as_ref().map(CorrectionsRecord::new),
                    horizon: None,
                    cubeful: round.counts.cubeful.clone(),
                })
                .collect(),
        }
    }

    /// The names of the policies: of the player whose rollout it is, then of his opponent.
    fn policies(&self) -> [&str; 2] {
        [&self.policy, self.opponent_policy.as_ref().unwrap_or(&self.policy)]
    }

    /// The supplied players, if they have the names in the record, or else the players that the record names.
    fn players(&self, supplied: Option<PolicyPair>, stop: &dyn Fn() -> bool) -> Result<PolicyPair, RolloutRecordError> {
        let names = self.policies();
        let Some(players) = supplied else {
            let [player, opponent] = names;
            let policy = found_policy("policy", player, stop)?;
            let other = match player == opponent {
                // One policy for both sides: its table is solved once, and games ask both sides in one call.
                true => Arc::clone(&policy),
                false => found_policy("opponent_policy", opponent, stop)?,
            };
            return Ok(PolicyPair::new(policy, other));
        };
        // By identity: a net under two paths is one player.
        match names.map(named::identity) == players.names().map(named::identity) {
            true => Ok(players),
            false => Err(RolloutRecordError::Policy { found: policies::title(names), ours: players.to_string() }),
        }
    }

    /// The rollout to play and the trials played, if a rollout can have both.
    fn read(
        &self,
        supplied: SuppliedPlayers,
        stop: &dyn Fn() -> bool,
    ) -> Result<(CheckedRequest, PlayedTrials), RolloutRecordError> {
        let position = member("position_id", Board::from_position_id(&self.position_id))?;
        let players = self.players(supplied.players, stop)?;
        let is_luck = |own: &Arc<dyn Evaluator>| self.luck.as_deref() == Some(own.name());
        let of_luck = supplied.luck.or_else(|| supplied.evaluator.clone().filter(is_luck));
        let evaluator = evaluator_of("evaluator", self.evaluator.as_deref(), supplied.evaluator, stop)?;
        let luck = evaluator_of("luck", self.luck.as_deref(), of_luck, stop)?;
        let settings = PlayoutSettings {
            rules: member("rules", self.rules.parse())?,
            seed: self.seed,
            first_roll: member("first_roll", self.first_roll.parse())?,
            truncation: self.truncated_after,
        };
        let plays = match self.roll {
            Some(_) => Some(self.plays()?),
            None => {
                let ids = self.candidates.iter().map(|candidate| &candidate.position_id);
                let choices = if self.cube.is_some() { ids.len() } else { 1 };
                if !ids.eq(core::iter::repeat_n(&self.position_id, choices)) {
                    let reason = "without a roll the only candidate is the position itself";
                    return Err(MemberError::new("candidates", reason).into());
                }
                None
            }
        };
        let seconds = |seconds| Duration::try_from_secs_f64(seconds);
        let end_rules = EndRules {
            trials: self.end_rules.trials,
            standard_error: self.end_rules.standard_error,
            jsd: self.end_rules.jsd,
            time: member("stop", self.end_rules.seconds.map(seconds).transpose())?,
        };
        let allocation = member("allocation", self.allocation.parse())?;
        let roll = self.roll.as_ref().map(|roll| roll.parse::<Roll>());
        let shard = self.shard.as_ref().map(|shard| shard.parse::<Shard>());
        let cube = self.cube.as_ref().map(CubeRecord::read);
        let request = RolloutRequest {
            roll: member("roll", roll.transpose())?,
            plays,
            settings,
            allocation,
            shard: member("shard", shard.transpose())?,
            players: Some(players),
            cube: member("cube", cube.transpose())?,
            evaluator,
            luck,
            // The saved candidates have passed the filter. The end rules are passed beside the request.
            filter: None,
            end_rules: EndRulesRequest::default(),
        };
        let mut checked = CheckedRequest {
            // The request names the saved candidates, whether or not they were named at first.
            has_named_plays: self.named_plays,
            ..request.checked(&position.into(), end_rules)?
        };
        if checked.candidates.len() != self.candidates.len() {
            let reason = "they must be what the player on roll may do with the cube";
            return Err(MemberError::new("candidates", reason).into());
        }
        let missing = || MemberError::new("trials", "it is missing");
        let trials = checked.plan.beginning(self.trials.or(self.games).ok_or_else(missing)?)?;
        if trials.is_empty() {
            // The ranking counts before the first trial only. A rollout with games is read without the net that ranks.
            request.rank_candidates(&mut checked)?;
        }
        let elapsed = member("seconds", seconds(self.seconds))?;
        let rounds = self.rounds(&checked, trials.clone())?;
        Ok((checked, PlayedTrials::new(trials, rounds, elapsed)))
    }

    /// The candidate plays, by the positions after them.
    fn plays(&self) -> Result<Vec<RequestedPlay>, MemberError> {
        let ids = self.candidates.iter().map(|candidate| &candidate.position_id);
        ids.map(|id| member("candidates", Board::from_position_id(id)).map(RequestedPlay::After)).collect()
    }

    /// The rounds, if together they have exactly these trials.
    fn rounds(&self, checked: &CheckedRequest, trials: Range<u64>) -> Result<RolloutRounds, MemberError> {
        let counted_values = PlayedTrials::counted_values(checked);
        let all: Vec<usize> = (0..self.candidates.len()).collect();
        let starts_well =
            self.rounds.first().is_some_and(|round| round.first == trials.start && round.candidates == all);
        if !starts_well || (self.rounds.len() > 1 && checked.plan.allocation == Allocation::Even) {
            let reason = "the first round must begin with the first trial and have every candidate";
            return Err(MemberError::new("rounds", reason));
        }
        for pair in self.rounds.windows(2) {
            let [before, round] = pair else { continue };
            let left = &round.candidates;
            let is_part = left.iter().all(|at| before.candidates.contains(at));
            let is_fewer = !left.is_empty() && left.len() < before.candidates.len();
            if !is_part || !is_fewer || !left.is_sorted() {
                let reason = "a round has a candidate that the round before does not have";
                return Err(MemberError::new("rounds", reason));
            }
        }
        let firsts = self.rounds.iter().map(|round| round.first);
        let bounds: Vec<u64> = firsts.chain([trials.end]).collect();
        if !bounds.is_sorted() {
            return Err(MemberError::new("rounds", "they do not follow one another"));
        }
        let rounds = self.rounds.iter().zip(bounds.windows(2));
        let rounds = rounds.map(|(round, bounds)| {
            let round = round.read(counted_values, bounds[0]..bounds[1])?;
            possible_sums::check(&round, checked, counted_values)
                .map_err(|(member, reason)| MemberError::new(member, reason))?;
            Ok(round)
        });
        let rounds = rounds.collect::<Result<Vec<RolloutRound>, MemberError>>()?;
        Ok(RolloutRounds::from_rounds(counted_values, rounds))
    }
}

impl RoundRecord {
    /// The round, if its counts have exactly these trials.
    fn read(&self, counted_values: CountedValues, trials: Range<u64>) -> Result<RolloutRound, MemberError> {
        let strata = counted_values.strata;
        let mut counts = RolloutCounts::new(counted_values, self.candidates.len());
        if self.ends.len() != counts.results.len() {
            return Err(MemberError::new("ends", "there must be one for each candidate"));
        }
        let sizes = strata.sizes(trials.clone());
        let results = self.ends.iter().map(|ends| ends.by_stratum(strata.count()));
        counts.results = member("ends", results.collect::<Result<Vec<_>, _>>())?;
        for candidate_results in &counts.results {
            for (results, &size) in candidate_results.iter().zip(&sizes) {
                // Counts of a file may be any, and their sum may pass 64 bits.
                let sum: u128 = results.iter().map(|&count| u128::from(count)).sum();
                if sum != u128::from(size) {
                    return Err(MemberError::new("ends", "they do not add up to the trials"));
                }
            }
        }
        let mut class_sizes = [0; DOUBLES_CLASSES];
        for (stratum, &size) in sizes.iter().enumerate() {
            class_sizes[strata.class(stratum)] += size;
        }
        if self.products.len() != counts.products.len() {
            let reason = "there must be one for each pair of candidates";
            return Err(MemberError::new("products", reason));
        }
        for pair_products in &self.products {
            for (value, sums) in GameValue::ALL.iter().zip(pair_products) {
                for (sum, size) in sums.iter().zip(class_sizes) {
                    let most = u128::from(value.most_product()) * u128::from(size);
                    let is_count = *value != GameValue::Equity;
                    if u128::from(sum.unsigned_abs()) > most || is_count && *sum < 0 {
                        let reason = "a sum is larger than this number of trials can give";
                        return Err(MemberError::new("products", reason));
                    }
                }
            }
        }
        counts.products.clone_from(&self.products);
        let corrections = self.corrections.as_ref().or(self.horizon.as_ref());
        if corrections.is_some() != counted_values.value_kinds.is_any() {
            let reason = match corrections {
                Some(_) => "leave them out: no game is cut off or luck-adjusted",
                None => "they are missing, although games are cut off or luck-adjusted",
            };
            return Err(MemberError::new("corrections", reason));
        }
        let corrections = corrections.map(|record| record.read(counted_values, &counts.results));
        counts.corrections = member("corrections", corrections.transpose())?;
        if self.cubeful.is_some() != counted_values.value_kinds.cube {
            let reason = match self.cubeful {
                Some(_) => "leave it out: there is no cube",
                None => "it is missing, although there is a cube",
            };
            return Err(MemberError::new("cubeful", reason));
        }
        if let Some(cubeful) = &self.cubeful {
            member("cubeful", check_cubeful(cubeful, counted_values, self.candidates.len()))?;
        }
        counts.cubeful.clone_from(&self.cubeful);
        Ok(RolloutRound { candidates: self.candidates.clone(), first_trial: trials.start, counts })
    }
}

/// The supplied evaluator, if it has the name in the record, or else the evaluator found by that name.
fn evaluator_of(
    role: &'static str,
    name: Option<&str>,
    supplied: Option<Arc<dyn Evaluator>>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Arc<dyn Evaluator>>, RolloutRecordError> {
    let Some(evaluator) = supplied else {
        let find = |name| found(role, name, NamedError::Evaluator, |name| named::evaluator(name, stop));
        return name.map(find).transpose();
    };
    if name.map(named::identity) == Some(named::identity(evaluator.name())) {
        return Ok(Some(evaluator));
    }
    let (found, ours) = (name.unwrap_or("none").to_owned(), evaluator.name().to_owned());
    Err(match role {
        "luck" => RolloutRecordError::Luck { found, ours },
        _ => RolloutRecordError::Evaluator { found, ours },
    })
}

/// The policy that a member names.
fn found_policy(
    member: &'static str,
    name: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Arc<dyn Policy>, RolloutRecordError> {
    let player = found(member, name, NamedError::Policy, |name| named::player(name, stop))?;
    Ok(player.policy)
}

/// The player or evaluator that a member names. A caller's own name finds none: a file of that name is another player.
fn found<T>(
    member: &'static str,
    name: &str,
    unknown: fn(String) -> NamedError,
    find: impl FnOnce(&str) -> Result<T, NamedError>,
) -> Result<T, RolloutRecordError> {
    let found = match named::is_taken(name) {
        true => find(name),
        false => Err(unknown(name.to_owned())),
    };
    found.map_err(|error| match error {
        NamedError::Stopped => RolloutRecordError::Stopped,
        error => RolloutRecordError::Named { member, error },
    })
}
