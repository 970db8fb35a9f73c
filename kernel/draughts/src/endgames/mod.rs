//! Endgames of two to five pieces, solved from their ends backwards: whether the side to move wins, and in how many
//! plies.
//!
//! The values are those of perfect play by English rules of captures, without a draw rule: the winner takes as few
//! plies as it can, the loser as many.
//!
//! ```
//! use tavli_base::NO_STOP;
//! use tavli_draughts::{EndgameValue, Endgames, Position};
//! let two = Endgames::solve(2, 1.try_into()?, NO_STOP, &mut |_| ())?;
//! let position: Position = "B:WK7:B5".parse()?;
//! assert_eq!(two.value(&position), Some(EndgameValue::Loss(6)));
//! assert_eq!(two.value(&Position::START), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod index;
mod solved;
mod solver;
mod table;

pub use solved::BytesError;
pub(crate) use solved::Solved;
pub use solver::{EndgameProgress, SolveError};
pub use table::{Counts, EndgameValue, Endgames, Material};
