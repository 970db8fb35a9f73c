//! Why nothing was measured.

use tavli::named::NamedError;
use tavli::rollout::RolloutError;
use tavli::run::{GameNumbersError, PlacementError, WorkersError};
use tavli::search::SettingsError;
use tavli::{PlayoutError, Tier};
use thiserror::Error;

/// The most workers of a measurement. Every case keeps its workers, a worker has four mappings of memory, and Linux
/// lets a process have 65,530 (`vm.max_map_count`). A thread that finds none left for its alternate signal stack
/// (`sigaltstack`) aborts the process.
pub(super) const MAX_WORKERS: usize = 15_000;

/// Why a recipe was not measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A case cannot be measured on this machine.
    #[error("case '{case}': {source}")]
    Case {
        /// The case.
        case: String,
        /// The reason.
        source: CaseError,
    },
    /// The cases together have more workers than a process has room for.
    #[error(
        "the cases have {workers} workers in all, and a process holds {MAX_WORKERS} at most: measure fewer cases or \
         tiers, or with fewer threads"
    )]
    TooMany {
        /// The workers of all cases.
        workers: usize,
    },
    /// The build plays other games than the recipe expects.
    #[error(
        "the signature of tier {tier} is {found}, and the recipe expects {wanted}: this build plays other games, so \
         nothing was measured; use the version that the recipe is for, or correct its signature"
    )]
    Signature {
        /// The tier.
        tier: Tier,
        /// The signature of this build.
        found: String,
        /// The signature of the recipe.
        wanted: String,
    },
}

/// Why a case was not measured.
#[derive(Debug, Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum CaseError {
    /// Its workers cannot be placed.
    Placement(#[from] PlacementError),
    /// Its workers did not start.
    Workers(#[from] WorkersError),
    /// No game can be played from a position.
    Position(#[from] PlayoutError),
    /// The settings of its search are invalid for the workers.
    Settings(#[from] SettingsError),
    /// Its players are not part of this build.
    Players(#[from] NamedError),
    /// A decision cannot be rolled out.
    Rollout(#[from] RolloutError),
    /// The machine is so fast, or the time so long, that the game numbers do not suffice.
    Games(#[from] GameNumbersError),
}

impl CaseError {
    /// The error of the case of this name.
    pub(super) fn in_case(self, case: &str) -> MeasureError {
        MeasureError::Case { case: case.to_owned(), source: self }
    }
}
