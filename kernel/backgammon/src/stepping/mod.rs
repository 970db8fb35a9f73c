//! Games that are played ply by ply: one, or thousands side by side.
//!
//! A [`SteppedGame`] is thrown for, shows its plays, and makes one of them. [`Games`] do the same as arrays, a ply of
//! every game at a time. Their dice are those of the [playouts](crate::playout): game `g` of seed `s` has the same
//! throws whoever plays it. A play that is picked by the ply's random fraction makes a game the playout of its number.

mod games_side_by_side;
mod play_error;
mod roll_batch;
mod stepped_game;

pub use games_side_by_side::{EndedGame, Games, OngoingGame};
pub use play_error::PlayError;
pub use roll_batch::{OverError, PickError, RollBatch};
pub use stepped_game::SteppedGame;
