//! Why nothing was measured.

use tavli::run::{GameNumbersError, PlacementError, WorkersError};
use tavli::{PlayoutError, Tier};
use thiserror::Error;

use super::choices::ChoicesError;
use super::searches::SearchesError;

/// The most workers of a measurement. Every case keeps its workers, a worker has four mappings of memory, and Linux
/// lets a process have 65,530 (`vm.max_map_count`). A thread that finds none left for its alternate signal stack
/// (`sigaltstack`) aborts the process.
pub(super) const MOST_WORKERS: usize = 15_000;

/// Why a recipe was not measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// The workers of a case cannot be placed.
    #[error("case '{case}': {source}")]
    Placement {
        /// The case.
        case: String,
        /// The reason.
        source: PlacementError,
    },
    /// Workers did not start.
    #[error("case '{case}': {source}")]
    Workers {
        /// The case.
        case: String,
        /// The reason.
        source: WorkersError,
    },
    /// The cases together have more workers than a process has room for.
    #[error(
        "the cases have {workers} workers in all, and a process holds {MOST_WORKERS} at most: measure fewer cases or \
         tiers, or with fewer threads"
    )]
    TooMany {
        /// The workers of all cases.
        workers: usize,
    },
    /// A position without games.
    #[error("case '{case}': {source}")]
    Playouts {
        /// The case.
        case: String,
        /// The reason.
        source: PlayoutError,
    },
    /// A search cannot be set up.
    #[error("case '{case}': {source}")]
    Searches {
        /// The case.
        case: String,
        /// The reason.
        source: SearchesError,
    },
    /// Decisions cannot be measured.
    #[error("case '{case}': {source}")]
    Choices {
        /// The case.
        case: String,
        /// The reason.
        source: ChoicesError,
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
    /// The machine is so fast, or the time so long, that the game numbers do not suffice.
    #[error("case '{case}': {source}")]
    Games {
        /// The case.
        case: String,
        /// The reason.
        source: GameNumbersError,
    },
}
