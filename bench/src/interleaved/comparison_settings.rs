//! The settings of a measurement in turns, its progress and its result.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::precision::Precision;
use crate::finding::Compared;

/// How two builds are measured.
#[derive(Clone, Debug)]
pub struct ComparisonSettings {
    /// The file of the recipe.
    pub recipe: PathBuf,
    /// The signature that both builds must have; if it is empty, they must have the same.
    pub signature: String,
    /// The approximate time of a case in a run.
    pub time_of_case: Duration,
    /// The approximate time of a run. One that takes many times as long is ended.
    pub expected: Duration,
    /// Further options of `tavli bench`.
    pub options: Vec<OsString>,
    /// The time after which all runs are ended.
    pub limit: Duration,
    /// How precise the ratios must be.
    pub precision: Precision,
    /// The clock of the rates.
    pub clock: Clock,
}

/// The clock by which rates are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The processor time of the workers, which does not count while another program has the CPU, or while a worker
    /// waits.
    Processor,
    /// Wall-clock time.
    Wall,
}

/// How far a comparison is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ComparisonProgress {
    /// Rounds done.
    pub rounds: usize,
    /// Half the width of the widest interval, as a share; `None` while a case has no interval.
    pub width: Option<f64>,
    /// The share of the time limit that is over, 0..=1.
    pub fraction: f64,
    /// The estimated time left.
    pub left: Duration,
}

/// The result of a comparison of two builds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct InterleavedRuns {
    /// The build that was compared with.
    pub old: BuildInfo,
    /// The build that was compared.
    pub new: BuildInfo,
    /// The clock of the rates.
    pub clock: Clock,
    /// The confidence of all intervals together.
    pub confidence: f64,
    /// Ratios from `1 / (1 + margin)` to `1 + margin` count as the same.
    pub margin: f64,
    /// Half the width of the intervals asked for.
    pub width: f64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Why the comparison ended.
    pub end: End,
    /// The cases.
    pub cases: Vec<InterleavedCase>,
}

/// A build, as it described itself.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BuildInfo {
    /// Its name: a path or a revision.
    pub name: String,
    /// The number of its layouts.
    pub layouts: usize,
    /// The program that ran.
    #[serde(flatten)]
    pub program: RunProgram,
}

/// A program that ran, as it described itself.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RunProgram {
    /// Its version.
    pub version: String,
    /// The commit it was built from, if that is known.
    pub commit: Option<String>,
    /// The compiler.
    pub compiler: String,
    /// The target, the profile and the flags given by hand.
    pub flags: String,
    /// The instruction-set tier that ran.
    pub isa: String,
}

/// Why a comparison ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The intervals are as narrow as asked.
    Precise,
    /// Time was over.
    Time,
    /// There are as many rounds as can be evaluated.
    Rounds,
    /// It was cancelled.
    Cancelled,
}

/// A case of both builds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct InterleavedCase {
    /// The ratio, its interval and what it shows.
    #[serde(flatten)]
    pub compared: Compared,
    /// The number of rounds.
    pub rounds: usize,
    /// The autocorrelation of neighbouring rounds, -1..=1; `None` with too few rounds.
    pub autocorrelation: Option<f64>,
    /// The ratio of each round, in their order.
    pub ratios: Vec<f64>,
}

/// Why two builds were not compared.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InterleavedError {
    /// A program does not start.
    #[error("cannot run {name}: {source}")]
    Start {
        /// The build.
        name: String,
        /// The reason.
        source: io::Error,
    },
    /// A program failed.
    #[error("{name} failed ({status}): {said}")]
    Status {
        /// The build.
        name: String,
        /// Its exit status.
        status: String,
        /// The last line that it wrote to standard error.
        said: String,
    },
    /// The output of a program is not a record.
    #[error("{name} did not write a record of tavli bench: {reason}; give two builds of tavli")]
    Output {
        /// The build.
        name: String,
        /// The fault.
        reason: serde_json::Error,
    },
    /// A program played wrong games, or its run measured nothing.
    #[error("the verification of {name} FAILED: {reason}")]
    Verification {
        /// The build.
        name: String,
        /// The fault.
        reason: String,
    },
    /// The builds do different work.
    #[error("{old} and {new} do different work: {reason}")]
    Work {
        /// The build compared with.
        old: String,
        /// The build compared.
        new: String,
        /// The difference.
        reason: String,
    },
    /// A run takes far longer than it should.
    #[error(
        "a run of {name} was ended after {seconds} s, and {expected} s were expected; the machine is too busy, or the \
         program hangs"
    )]
    Hang {
        /// The build.
        name: String,
        /// The time it was given.
        seconds: u64,
        /// The time it should take.
        expected: f64,
    },
    /// The time was over before both builds had run once.
    #[error("no round was done in {0} s; allow more time")]
    NoRound(f64),
    /// It was cancelled before both builds had run once.
    #[error("interrupted before the first round: nothing compared, nothing verified")]
    Interrupted,
}
