//! Games that are played ply by ply: one, or thousands side by side.
//!
//! A [`Game`] is thrown for, shows its plays, and makes one of them. [`Games`] do the same as arrays, a ply of every
//! game at a time. Their dice are those of the [playouts](crate::playout): game `g` of seed `s` has the same throws
//! whoever plays it. A play that is picked by the ply's random fraction makes a game the playout of its number.

mod decisions;
mod game;
mod many;

pub use decisions::{Decisions, OverError, PickError};
pub use game::Game;
pub use many::{FinishedGame, Games, OngoingGame};

use thiserror::Error;

use crate::board::Player;

/// Why a play cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The dice are not thrown, or the game has ended.
    #[error("there is no roll to play: throw the dice first, unless the game has ended")]
    NoRoll,
    /// There are fewer plays.
    #[error("there are {plays} plays, numbered from 0: {index} is none of them")]
    Index {
        /// The index.
        index: usize,
        /// The number of plays.
        plays: usize,
    },
}

/// Whose turn it is after a number of plies.
pub(crate) const fn turn(plies: u32) -> Player {
    if plies.is_multiple_of(2) {
        Player::OnRoll
    } else {
        Player::Opponent
    }
}
