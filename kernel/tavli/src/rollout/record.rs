//! A rollout as JSON: all that decides its values, the games played, and what they came to.
//!
//! The record is one object. `format` is `tavli rollout`; `version` counts changes of the record itself;
//! `values` is the [signature](tavli_backgammon::policies::recorded_signature) of the policy that played the games, or
//! both policies' with a `+` between them;
//! `checksum` is the 64-bit FNV-1a hash, in hexadecimal, of the JSON array of `version`, `values` and `rollout`
//! as they are written. In `rollout`,
//! positions are GNU Position IDs, `policy` is who picks the plays of the player on roll, and `opponent_policy`, if it is
//! there, who picks his opponent's; `games` is the first game played and the one after the last, `ends` holds for
//! each candidate how many games the player on roll ended with each outcome, by its name, or `unfinished` if they were
//! cut off, and by stratum; outcomes that no game had are left out, and `products`, for each pair of candidates (0-1, 0-2, 1-2, 0-3 ...), the
//! sums of the products of their points over games that begin with two rolls of which none, the second, the first
//! or both are doubles. Strata are the pairs of the first roll and, counting faster, the second, in the order 11,
//! 21, 22, 31 ... 66; there is one stratum where first rolls are not stratified.

use core::num::NonZeroU32;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::counts::{ENDS, pair};
use super::ends::EndsRecord;
use super::settings::Settings;
use super::shard::Shard;
use super::stop::Stop;
use super::strata::{CLASSES, Strata};
use super::{Rollout, RolloutError};
use crate::file::{Existing, FileError, Target};
use tavli_backgammon::Board;
use tavli_backgammon::playout::RECORDED_SIGNATURE;
use tavli_backgammon::policies::{self, Players};

/// The version of the record that is written, and the only one that is read.
pub const FORMAT_VERSION: u32 = 3;

const FORMAT: &str = "tavli rollout";

/// Why a text is not the record of a rollout that can be continued here.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not JSON, or lacks a member.
    #[error("it is no record of a rollout: {0}")]
    Json(#[from] serde_json::Error),
    /// It is the record of something else.
    #[error("it is no record of a rollout: its format is '{0}', not '{FORMAT}'")]
    Format(String),
    /// The record is of another version.
    #[error("it is a record of version {0}; this program reads version {FORMAT_VERSION}")]
    Version(u32),
    /// The games were played by a version whose games have other values.
    #[error(
        "its games have the values of signature {found}; those of this program have {ours}, and the two do not mix"
    )]
    Values {
        /// The signature in the record.
        found: String,
        /// The signature of the same policies here.
        ours: String,
    },
    /// The record was changed after it was written, or is damaged.
    #[error("it is damaged: its checksum is {found}, its contents have {contents}")]
    Checksum {
        /// The checksum in the record.
        found: String,
        /// That of its contents.
        contents: String,
    },
    /// It is a rollout by other policies.
    #[error("it was played by {found}, not by {ours}")]
    Policy {
        /// The policies in the record.
        found: String,
        /// The policies that are to continue it.
        ours: String,
    },
    /// A member has a value that cannot be.
    #[error("its {member} cannot be: {reason}")]
    Member {
        /// The member.
        member: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// It says what no rollout can be.
    #[error("it cannot be: {0}")]
    Rollout(#[from] RolloutError),
}

/// Why a saved rollout cannot be continued.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is no record of a rollout that can be continued here.
    #[error("cannot use {path}: {source}", path = path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: RecordError,
    },
}

/// What every version of the record begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u32,
    values: String,
    checksum: String,
    rollout: Body,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    position_id: String,
    roll: Option<String>,
    rules: String,
    seed: u64,
    first_roll: String,
    truncated_after: Option<NonZeroU32>,
    policy: String,
    /// If it is another one than the player's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opponent_policy: Option<String>,
    stop: StopRecord,
    shard: Option<String>,
    games: [u64; 2],
    seconds: f64,
    candidates: Vec<CandidateRecord>,
    products: Vec<[i64; CLASSES]>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StopRecord {
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
    ends: EndsRecord,
}

/// What names the values of games by two policies: the signature of their games, or of each one's. One that is not built
/// in has the dice and the plays of the uniform policy.
fn values([player, opponent]: [&str; 2]) -> String {
    let of = |name: &str| {
        let signature = policies::recorded_signature(name).unwrap_or(RECORDED_SIGNATURE);
        format!("{signature:016x}")
    };
    match [of(player), of(opponent)] {
        [player, opponent] if player == opponent => player,
        both => both.join("+"),
    }
}

impl File {
    fn of(rollout: &Rollout) -> File {
        let mut file = File {
            format: FORMAT.to_owned(),
            version: FORMAT_VERSION,
            values: values(rollout.players.names()),
            checksum: String::new(),
            rollout: Body::of(rollout),
        };
        file.checksum = file.hash();
        file
    }

    /// The contents of the text of a record.
    fn read(text: &str) -> Result<Body, RecordError> {
        // Another version's record may be shaped otherwise, but it begins like this.
        let head: Head = serde_json::from_str(text)?;
        if head.format != FORMAT {
            return Err(RecordError::Format(head.format));
        }
        if head.version != FORMAT_VERSION {
            return Err(RecordError::Version(head.version));
        }
        let file: File = serde_json::from_str(text)?;
        let ours = values(file.rollout.policies());
        if file.values != ours {
            let found = file.values;
            return Err(RecordError::Values { found, ours });
        }
        let contents = file.hash();
        if contents != file.checksum {
            return Err(RecordError::Checksum {
                found: file.checksum,
                contents,
            });
        }
        Ok(file.rollout)
    }

    /// The checksum of the contents, a CRC-32.
    fn hash(&self) -> String {
        let contents = (self.version, &self.values, &self.rollout);
        let text = serde_json::to_vec(&contents).expect("records have no keys but text");
        format!("{:08x}", crc32fast::hash(&text))
    }
}

impl Body {
    fn of(rollout: &Rollout) -> Body {
        let (settings, stop) = (rollout.settings, rollout.stop);
        let [player, opponent] = rollout.players.names();
        let candidates = rollout.candidates.iter().zip(&rollout.counts.ends);
        Body {
            position_id: rollout.position.position_id().to_string(),
            roll: rollout.roll.map(|roll| roll.to_string()),
            rules: settings.rules.to_string(),
            seed: settings.seed,
            first_roll: settings.first_roll.to_string(),
            truncated_after: settings.truncation,
            policy: player.to_owned(),
            opponent_policy: (opponent != player).then(|| opponent.to_owned()),
            stop: StopRecord {
                trials: stop.trials,
                standard_error: stop.standard_error,
                jsd: stop.jsd,
                seconds: stop.time.map(|time| time.as_secs_f64()),
            },
            shard: rollout.shard.map(|shard| shard.to_string()),
            games: [rollout.games.start, rollout.games.end],
            seconds: rollout.elapsed.as_secs_f64(),
            candidates: candidates
                .map(|(candidate, ends)| CandidateRecord {
                    moves: candidate.moves.map(|moves| moves.to_string()),
                    position_id: candidate.board.position_id().to_string(),
                    ends: EndsRecord::new(ends),
                })
                .collect(),
            products: rollout.counts.products.clone(),
        }
    }

    /// The names of the policies of the player whose rollout it is and of his opponent.
    fn policies(&self) -> [&str; 2] {
        [
            &self.policy,
            self.opponent_policy.as_ref().unwrap_or(&self.policy),
        ]
    }

    /// The built-in policies of these names.
    fn players(&self) -> Result<Players, RecordError> {
        let [player, opponent] = self.policies();
        let player = member("policy", policies::built_in(player))?;
        let opponent = member("opponent_policy", policies::built_in(opponent))?;
        Ok(Players::new(player, opponent))
    }

    /// The rollout, if it can be one.
    fn rollout(&self, players: Players) -> Result<Rollout, RecordError> {
        let position = member("position_id", Board::from_position_id(&self.position_id))?;
        let settings = Settings {
            rules: member("rules", self.rules.parse())?,
            seed: self.seed,
            first_roll: member("first_roll", self.first_roll.parse())?,
            truncation: self.truncated_after,
        };
        let rollout = match &self.roll {
            Some(roll) => {
                let roll = member("roll", roll.parse())?;
                Rollout::of_candidates(&position, roll, &self.boards()?, settings)?
            }
            None => {
                let ids = self
                    .candidates
                    .iter()
                    .map(|candidate| &candidate.position_id);
                if !ids.eq([&self.position_id]) {
                    let reason = "without a roll the only candidate is the position itself";
                    return Err(wrong("candidates", reason));
                }
                Rollout::of_position(&position, settings)?
            }
        };
        let seconds = |seconds| Duration::try_from_secs_f64(seconds);
        let stop = Stop {
            trials: self.stop.trials,
            standard_error: self.stop.standard_error,
            jsd: self.stop.jsd,
            time: member("stop", self.stop.seconds.map(seconds).transpose())?,
        };
        let mut rollout = rollout
            .played_by(players)?
            .until(Stop::after(stop.trials))?;
        if let Some(shard) = &self.shard {
            rollout = rollout.shard(member("shard", shard.parse::<Shard>())?)?;
        }
        rollout = rollout.until(stop)?;
        let [first, end] = self.games;
        let planned = rollout.games.start..rollout.last_game();
        if first != planned.start || end < first || end > planned.end {
            let reason = format!("{first}..{end} is not a beginning of {planned:?}");
            return Err(wrong("games", &reason));
        }
        rollout.games = first..end;
        rollout.elapsed = member("seconds", seconds(self.seconds))?;
        let strata = Strata::new(&settings);
        let ends = self.candidates.iter();
        let ends = ends.map(|candidate| candidate.ends.by_stratum(strata.count()));
        let ends = member("ends", ends.collect::<Result<Vec<_>, _>>())?;
        self.check_counts(strata, rollout.games(), &ends)?;
        rollout.counts.ends = ends;
        rollout.counts.products.clone_from(&self.products);
        Ok(rollout)
    }

    /// The positions after the candidate plays.
    fn boards(&self) -> Result<Vec<Board>, RecordError> {
        let ids = self
            .candidates
            .iter()
            .map(|candidate| &candidate.position_id);
        ids.map(|id| member("candidates", Board::from_position_id(id)))
            .collect()
    }

    /// Checks that the counts are those of so many games.
    fn check_counts(
        &self,
        strata: Strata,
        games: core::ops::Range<u64>,
        ends: &[Vec<[u64; ENDS]>],
    ) -> Result<(), RecordError> {
        let sizes = strata.sizes(games);
        for ends in ends {
            for (ends, &size) in ends.iter().zip(&sizes) {
                let sum: u128 = ends.iter().map(|&count| u128::from(count)).sum();
                if sum != u128::from(size) {
                    return Err(wrong("ends", "they do not add up to the games"));
                }
            }
        }
        let mut class_sizes = [0; CLASSES];
        for (stratum, &size) in sizes.iter().enumerate() {
            class_sizes[strata.class(stratum)] += size;
        }
        let pairs = match self.candidates.len() {
            0 | 1 => 0,
            several => pair(several - 2, several - 1) + 1,
        };
        if self.products.len() != pairs {
            return Err(wrong(
                "products",
                "they are not one for each pair of candidates",
            ));
        }
        for (sum, size) in self
            .products
            .iter()
            .flat_map(|sums| sums.iter().zip(class_sizes))
        {
            // The largest product of points is that of two backgammons.
            if u128::from(sum.unsigned_abs()) > 9 * u128::from(size) {
                return Err(wrong(
                    "products",
                    "they are larger than so many games can make them",
                ));
            }
        }
        Ok(())
    }
}

fn wrong(member: &'static str, reason: &str) -> RecordError {
    RecordError::Member {
        member,
        reason: reason.to_owned(),
    }
}

fn member<T, E: core::fmt::Display>(
    member: &'static str,
    value: Result<T, E>,
) -> Result<T, RecordError> {
    value.map_err(|error| RecordError::Member {
        member,
        reason: error.to_string(),
    })
}

impl Rollout {
    /// The rollout as JSON on one line, from which [`Rollout::from_json`] makes it again.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&File::of(self)).expect("records have no keys but text")
    }

    /// A rollout by built-in policies from its JSON.
    ///
    /// # Errors
    /// [`RecordError`] if the text is no such record, or is damaged, of another version, or played with other
    /// values.
    pub fn from_json(text: &str) -> Result<Rollout, RecordError> {
        let body = File::read(text)?;
        body.rollout(body.players()?)
    }

    /// A rollout by policies of one's own from its JSON.
    ///
    /// # Errors
    /// As [`Rollout::from_json`], or if policies of other names played it.
    pub fn from_json_played_by(text: &str, players: Players) -> Result<Rollout, RecordError> {
        let body = File::read(text)?;
        if body.policies() != players.names() {
            let [player, opponent] = body.policies();
            return Err(RecordError::Policy {
                found: policies::title([player, opponent]),
                ours: players.to_string(),
            });
        }
        body.rollout(players)
    }

    /// Saves the rollout, replacing the file as a whole: who reads it finds the old contents or the new.
    ///
    /// # Errors
    /// [`FileError`] if the file or its folder cannot be written, or another process writes it.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        self.save_to(&Target::open(path, Existing::Replace)?)
    }

    /// [`Rollout::save`] to a file that was opened before.
    ///
    /// # Errors
    /// [`FileError::Foreign`] if another program has put a file there meanwhile, [`FileError::Refused`] if the system
    /// fails to write it.
    pub fn save_to(&self, target: &Target) -> Result<(), FileError> {
        let mut text = self.to_json();
        text.push('\n');
        target.replace(text.as_bytes())
    }

    /// A saved rollout by built-in policies.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read, or [`Rollout::from_json`] refuses it.
    pub fn load(path: &Path) -> Result<Rollout, LoadError> {
        let text = fs::read_to_string(path).map_err(|source| LoadError::Read {
            path: path.to_owned(),
            source,
        })?;
        Rollout::from_json(&text).map_err(|source| LoadError::Record {
            path: path.to_owned(),
            source,
        })
    }
}
