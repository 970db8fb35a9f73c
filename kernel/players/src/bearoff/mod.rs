//! Bear-offs, exactly: tables over all positions of a side alone, and of both sides.
//!
//! A [`OneSided`] table holds for each position of up to 15 checkers in how many rolls a side that hurries bears all of
//! them off, and its first. A [`TwoSided`] table holds for each pair of positions of a few checkers what perfect play is
//! worth, with and without a cube. Both are those of GNU Backgammon, bit for bit: `write_gnubg` and `from_gnubg` write and
//! read its files. [`ExactWins`] is the latter without a cube, in full precision. Players and rollouts
//! use [`TableEnds`] of it and [`OneSidedEnds`] of the former.

mod ends;
mod error;
mod exact_wins;
mod gnubg;
mod one_sided;
mod one_sided_ends;
mod pairs;
mod plays;
mod positions;
mod two_sided;

pub use ends::TableEnds;
pub use error::{FileError, TableError};
pub use exact_wins::ExactWins;
pub use one_sided::{OneSided, Rolls};
pub use one_sided_ends::OneSidedEnds;
pub use positions::SidePositions;
pub use two_sided::{Holder, TwoSided};
