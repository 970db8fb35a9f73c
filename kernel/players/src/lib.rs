//! Players of backgammon: by name or file, by nets, by looking ahead, and by exact tables of bear-offs.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod bearoff;
mod crc32;
mod greedy;
mod known_values_chain;
mod look_ahead;
mod luck;
mod move_filters;
pub mod named;
pub mod net;
mod player;
mod plays_with_cube;
mod with_known_values;

pub use greedy::Greedy;
pub use look_ahead::LookAhead;
pub use luck::{Luck, LuckShares};
pub use move_filters::MoveFilters;
pub use plays_with_cube::cubeful_evaluator;
pub use with_known_values::with_known_values;
