//! Bear-off tables: one-sided, over the positions of a side alone, and two-sided, over pairs of positions.
//!
//! A [`OneSided`] table has for each position of up to 15 checkers the distribution of the number of rolls until all
//! checkers are off, and until the first is off, if the side minimises rolls. A [`TwoSided`] table has for each pair of
//! positions of a few checkers the equity of perfect play, with and without a cube. Both equal the tables of GNU
//! Backgammon bit for bit; `write_gnubg` and `from_gnubg` write and read its files. [`ExactWins`] is a two-sided table
//! without a cube in full precision. Players and rollouts use tables as known values of positions: [`OneSidedValues`]
//! and [`TwoSidedValues`].

mod error;
mod exact_wins;
mod gnubg;
mod one_sided;
mod one_sided_values;
mod pairs;
mod side_plays;
mod side_positions;
mod two_sided;
mod two_sided_values;

pub use error::{BearOffError, FileError};
pub use exact_wins::ExactWins;
pub use one_sided::{OneSided, RollDistribution};
pub use one_sided_values::OneSidedValues;
pub use side_positions::SidePositions;
pub use two_sided::{Holder, TwoSided};
pub use two_sided_values::TwoSidedValues;
