//! The record of a search: its settings and its result as one JSON object.
//!
//! ```text
//! {
//!   "format": "tavli search",
//!   "version": 1,                    // of the form of the record
//!   "values": "...",                 // the signature of the policy of the playouts
//!   "checksum": "0a1b2c3d",          // CRC-32 of the JSON array of version, values and search, as they are written
//!   "search": {
//!     "position_id": "4HPwATDgc/ABMA", "roll": "31", "rules": "backgammon", "policy": "uniform",
//!     "method": "uct", "c": 1.0, "value": "points", "draw": "random", "choice": "value", "expand": 1,
//!     "trees": 16,                   // of the whole search
//!     "in_flight": 256, "seed": 1, "memory": 2000000000,
//!     "progressive_bias": {          // only with progressive bias or unpruning
//!       "evaluator": "fast", "values": "...", "bias": 1.0, "unprunes": false
//!     },
//!     "simulations": 200000, "time": null, "gap": null,
//!     "held": [0, 16],               // the first tree of this shard, and the one after the last
//!     "plays": [                     // in the order of the list of plays
//!       {
//!         "moves": "8/5 6/5",        // for people to read
//!         "visits": 3, "sum": 2,     // sum: of the values
//!         "squares": 4,              // of the values
//!         "line": [[3, 12]]          // rolls by index in 11, 21, 22, 31 ... 66, and plays; of the shard's first tree
//!       }
//!     ],
//!     "memory_refused": true,        // only if the system refused memory, and trees stopped growing
//!     "nodes": 9, "bytes": 800, "depth": 2, "plies": 300, "seconds": 0.1, "interrupted": false
//!   }
//! }
//! ```
//!
//! The [signature](tavli_players::named::signature_of_policies) of values tells whether another program plays the same
//! games.

use core::num::NonZeroU32;
use core::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tavli_backgammon::{Board, Position, RuleSet, Tier};
use tavli_file::record::{self, EnvelopeError, MemberError, RecordContents, member};
use tavli_file::{Existing, FileError, Target};
use tavli_players::named;
use tavli_search::{
    Budget, LineAndReplies, LineStep, MAX_FACTOR, ProgressiveBias, RootChoice, SearchReport, SearchSettings,
    SettingsError,
};
use thiserror::Error;

use super::request::SearchRequest;
use super::search_result::SearchResult;

/// The version of the record.
pub const FORMAT_VERSION: u32 = 1;

/// Why a text cannot be read as the record of a search.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SearchRecordError {
    /// It is not a record, or its games are not this program's.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// Its heuristic has other values here.
    #[error(
        "it was saved by a version whose games have other values (signature {found}, here {ours}): continue with that \
         version, or begin a new one"
    )]
    Values {
        /// The signature in the record.
        found: String,
        /// The signature of the same heuristic here.
        ours: String,
    },
    /// A member has an invalid value.
    #[error(transparent)]
    Member(#[from] MemberError),
}

/// Why a saved search cannot be used.
pub type LoadError = record::LoadError<SearchRecordError>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchRecord {
    position_id: String,
    roll: String,
    rules: String,
    policy: String,
    method: String,
    c: f64,
    value: String,
    draw: String,
    choice: String,
    expand: NonZeroU32,
    trees: u32,
    in_flight: u32,
    seed: u64,
    memory: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    progressive_bias: Option<ProgressiveBiasJson>,
    simulations: Option<u64>,
    time: Option<f64>,
    gap: Option<f64>,
    held: [u32; 2],
    plays: Vec<PlayRecord>,
    nodes: u64,
    bytes: u64,
    /// Whether the system refused memory.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    memory_refused: bool,
    depth: u32,
    plies: u64,
    seconds: f64,
    interrupted: bool,
}

/// Progressive bias: its heuristic by name, with the [signature](named::signature_of_policies) of its values.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgressiveBiasJson {
    evaluator: String,
    values: String,
    bias: f64,
    unprunes: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayRecord {
    moves: String,
    visits: u64,
    sum: i64,
    squares: u64,
    line: Vec<[usize; 2]>,
}

impl RecordContents for SearchRecord {
    const FORMAT: &'static str = "tavli search";
    const NAME: &'static str = "search";
    const VERSIONS: RangeInclusive<u32> = FORMAT_VERSION..=FORMAT_VERSION;

    fn signature(&self) -> String {
        named::signature_of_policies([&self.policy; 2])
    }
}

impl SearchRecord {
    fn from_result(found: &SearchResult) -> SearchRecord {
        let SearchSettings { method, c, reward, chance_sampling, best_by, expand, trees, in_flight, seed, memory } =
            found.settings;
        let plays = (0..found.report.root.choices.len()).map(|choice| {
            let play = found.play(choice);
            PlayRecord {
                moves: play.moves.to_owned(),
                visits: play.root_choice.visits,
                sum: play.root_choice.sum,
                squares: play.root_choice.squares,
                line: play.line_and_replies.line.iter().map(|step| [step.chance, step.choice]).collect(),
            }
        });
        SearchRecord {
            position_id: found.board.position_id().to_string(),
            roll: found.roll.to_string(),
            rules: found.rules.to_string(),
            policy: found.policy.clone(),
            method: method.to_string(),
            c,
            value: reward.to_string(),
            draw: chance_sampling.to_string(),
            choice: best_by.to_string(),
            expand,
            trees,
            in_flight,
            seed,
            memory,
            progressive_bias: found.progressive_bias.as_ref().map(ProgressiveBiasJson::from_bias),
            simulations: found.budget.simulations,
            time: found.budget.time.map(|time| time.as_secs_f64()),
            gap: found.budget.gap,
            held: [found.trees.start, found.trees.end],
            plays: plays.collect(),
            nodes: found.report.nodes,
            bytes: found.report.bytes,
            memory_refused: found.report.memory_refused,
            depth: found.report.depth,
            plies: found.report.plies,
            seconds: found.report.elapsed.as_secs_f64(),
            interrupted: found.report.interrupted,
        }
    }

    fn settings(&self) -> Result<SearchSettings, MemberError> {
        Ok(SearchSettings {
            method: member("method", self.method.parse())?,
            c: self.c,
            reward: member("value", self.value.parse())?,
            chance_sampling: member("draw", self.draw.parse())?,
            best_by: member("choice", self.choice.parse())?,
            expand: self.expand,
            trees: self.trees,
            in_flight: self.in_flight,
            seed: self.seed,
            memory: self.memory,
        })
    }

    /// The result of the search, checked.
    fn found(&self) -> Result<SearchResult, SearchRecordError> {
        let board = member("position_id", Board::from_position_id(&self.position_id))?;
        let rules: RuleSet = member("rules", self.rules.parse())?;
        let seconds = Duration::try_from_secs_f64;
        let request = SearchRequest {
            roll: Some(member("roll", self.roll.parse())?),
            rules,
            settings: self.settings()?,
            budget: Budget {
                simulations: self.simulations,
                time: member("time", self.time.map(seconds).transpose())?,
                gap: self.gap,
            },
            ..SearchRequest::default()
        };
        // Never run: it checks the settings and lists the plays. Policy, bias and tier have no effect on either.
        let task = request.prepare(&Position::from(board), Tier::best());
        let mut found = member("search", task)?.unsearched().clone();
        let [first, end] = self.held;
        if first >= end || end > self.trees {
            let reason = format!("{first}..{end} are not trees of {}", self.trees);
            return Err(MemberError::new("held", reason).into());
        }
        if self.plays.len() != found.plays.len() {
            return Err(MemberError::new("plays", "they are not the plays of the roll").into());
        }
        for (index, play) in self.plays.iter().enumerate() {
            found.report.root.choices[index] = RootChoice { visits: play.visits, sum: play.sum, squares: play.squares };
            let step = |&[chance, choice]: &[usize; 2]| LineStep { chance, choice };
            found.report.lines_and_replies[index] =
                LineAndReplies { line: play.line.iter().map(step).collect(), replies: Vec::new() };
            // After this, `line` may take every step for a play.
            let values: Vec<i64> = found.possible_values(index).collect();
            if !play.can_be(&values) || !found.can_go(index) {
                let reason = format!("the counts or the line of {} are impossible", play.moves);
                return Err(MemberError::new("plays", reason).into());
            }
        }
        let most = found.budget.simulations_of(&found.settings, first..end);
        let most = most.unwrap_or(Budget::MAX_PER_TREE * u64::from(end - first));
        let visits: u128 = self.plays.iter().map(|play| u128::from(play.visits)).sum();
        if visits > u128::from(most) {
            let reason = format!("they have {visits} visits, and these trees at most {most} simulations");
            return Err(MemberError::new("plays", reason).into());
        }
        Ok(SearchResult {
            policy: self.policy.clone(),
            progressive_bias: self.progressive_bias.as_ref().map(ProgressiveBiasJson::record).transpose()?,
            trees: first..end,
            report: SearchReport {
                nodes: self.nodes,
                bytes: self.bytes,
                memory_refused: self.memory_refused,
                depth: self.depth,
                plies: self.plies,
                elapsed: member("seconds", seconds(self.seconds))?,
                interrupted: self.interrupted,
                ..found.report
            },
            ..found
        })
    }
}

impl ProgressiveBiasJson {
    fn from_bias(record: &ProgressiveBias<String>) -> ProgressiveBiasJson {
        ProgressiveBiasJson {
            evaluator: record.heuristic.clone(),
            values: named::signature_of_policies([&record.heuristic; 2]),
            bias: record.bias,
            unprunes: record.unprunes,
        }
    }

    fn record(&self) -> Result<ProgressiveBias<String>, SearchRecordError> {
        let record = ProgressiveBias { heuristic: self.evaluator.clone(), bias: self.bias, unprunes: self.unprunes };
        let ours = ProgressiveBiasJson::from_bias(&record).values;
        if self.values != ours {
            let found = self.values.clone();
            return Err(SearchRecordError::Values { found, ours });
        }
        if !(0.0..=MAX_FACTOR).contains(&self.bias) {
            return Err(MemberError::new("progressive_bias", SettingsError::Bias(self.bias)).into());
        }
        Ok(record)
    }
}

impl PlayRecord {
    /// Whether simulations that end with some of these values can have these sums.
    fn can_be(&self, values: &[i64]) -> bool {
        // So that the products below fit 128 bits.
        const MAX_VISITS: u64 = 1 << 56;
        let [visits, squares] = [self.visits, self.squares].map(i128::from);
        let sum = i128::from(self.sum);
        let of_values = || values.iter().map(|&value| i128::from(value));
        let (Some(least), Some(most)) = (of_values().min(), of_values().max()) else {
            return false;
        };
        let least_square = of_values().map(|value| value * value).min().unwrap_or(0);
        // No value is outside of the least and the most, so the sum of the products of the distances from both is at
        // least 0. The mean of squares is at least the square of the mean.
        self.visits <= MAX_VISITS
            && (least * visits..=most * visits).contains(&sum)
            && squares + least * most * visits <= (least + most) * sum
            && squares >= least_square * visits
            && sum * sum <= squares * visits
    }
}

impl SearchResult {
    /// The record as one line of JSON, which [`SearchResult::from_json`] reads. It leaves out the replies.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json(SearchRecord::from_result(self))
    }

    /// Reads a record.
    ///
    /// # Errors
    /// [`SearchRecordError`] if the text is not the record of a search, is damaged, or is from another version or a
    /// program with other values.
    pub fn from_json(text: &str) -> Result<SearchResult, SearchRecordError> {
        record::from_json::<SearchRecord>(text)?.found()
    }

    /// Writes the record to a file, which is replaced as a whole: a reader finds the old contents or the new ones.
    ///
    /// # Errors
    /// [`FileError`] if the file or its folder cannot be written, or another process writes it.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        self.save_to(&Target::open(path, Existing::Replace)?)
    }

    /// Writes the record to a file that was opened before.
    ///
    /// # Errors
    /// [`FileError::Foreign`] if another program has put a file there meanwhile, [`FileError::Refused`] if the system
    /// fails to write it.
    pub fn save_to(&self, target: &Target) -> Result<(), FileError> {
        record::save(self.to_json(), target)
    }

    /// Reads the record in a file.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read, or [`SearchResult::from_json`] refuses it.
    pub fn load(path: &Path) -> Result<SearchResult, LoadError> {
        record::load(path, SearchResult::from_json)
    }
}
