//! Two builds measured in turns: short runs of both, in fresh processes and in random order, round by round.
//!
//! Changes of the machine affect both builds of a round alike, or one of them by the toss of a coin. A fresh process
//! gets other addresses. So the spread of the rounds, not of the repetitions within a process, shows how sure a ratio
//! is.

mod build;
mod comparison_settings;
mod precision;
mod process;
mod rounds;
mod short_run;

use std::time::Instant;

use tavli::run::Cancel;

pub use build::{Build, BuildError};
pub use comparison_settings::{
    BuildInfo, Clock, ComparisonProgress, ComparisonSettings, End, InterleavedCase, InterleavedError, InterleavedRuns,
    RunProgram,
};
pub use precision::{Looks, Precision};
use rounds::BuildRounds;

/// Measures two builds in turns until the intervals of all cases are as narrow as asked, time is over, or `cancel` ends
/// it. Calls `progress` after each round.
///
/// # Errors
/// [`InterleavedError`] if a build cannot be run, plays wrong games, or does different work from the other build; or if
/// not a single round was played.
pub fn run_interleaved(
    old: &Build,
    new: &Build,
    settings: &ComparisonSettings,
    cancel: &Cancel,
    mut progress: impl FnMut(ComparisonProgress),
) -> Result<InterleavedRuns, InterleavedError> {
    let mut rounds = BuildRounds::new([old, new], settings, cancel, Instant::now());
    loop {
        match rounds.play()? {
            Some(end) => return rounds.result(end),
            None => progress(rounds.progress()),
        }
    }
}
