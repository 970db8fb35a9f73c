//! The plays of a position: counted, listed, picked and written.
//!
//! A play is a distinct position. `specification.rs` fixes the order of the plays:
//!
//! 1. steps, by direction and then by square;
//! 2. captures of one piece, in the same way; then captures of two, by the direction of the second jump, then of the
//!    first, then by square; and so on.
//!
//! So plays of up to two jumps are sets of squares, one set for each way, and their numbers are counts of bits
//! ([`Chains`](chains::Chains)). Longer captures, one in five hundred positions of random games, are followed jump by
//! jump ([`CaptureList`]).

mod capture_list;
mod captures;
mod chains;
mod choice;
mod count;
mod masks;
mod perft;
mod pick;
mod play;

pub(crate) use capture_list::CaptureList;
pub(crate) use captures::capture;
pub(crate) use choice::{Drawn, choose, cumulative, pick_listed};
pub(crate) use count::count;
pub(crate) use masks::{Masks, Pieces};
pub(crate) use perft::perft;
pub(crate) use pick::{SimplePlays, nth, points};
pub(crate) use play::CROSSES;
pub use play::{MoveError, Moves, Play, move_sequences, plays};
