//! The error of a play that cannot be made.

use thiserror::Error;

/// Why a play cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The dice are not thrown, or the game has ended.
    #[error("there is no roll to play: throw the dice first, unless the game has ended")]
    NoRoll,
    /// There are fewer plays.
    #[error("index {index} is out of range: there are {plays} plays, numbered from 0")]
    Index {
        /// The index.
        index: usize,
        /// The number of plays.
        plays: usize,
    },
}
