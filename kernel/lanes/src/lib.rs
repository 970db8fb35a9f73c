//! Many games in the lanes of vectors: what the batches of backgammon, Plakoto and Fevga share.
//!
//! A [`LanePool`] has the games in blocks, and gives the lanes of games that are over to others. Lanes that need more
//! code than others wait in [queues](WaitingLanes), a column of words for each of their vectors; [`TowerColumns`] and
//! [`Deltas`] have the plays that are drawn for them.
//!
//! Everything is inlined into the code of a batch, which is compiled for each instruction set.
#![deny(missing_docs)]
#![expect(missing_debug_implementations, reason = "games in lanes have no text")]

mod capacity;
mod columns;
mod pool;
mod towers;
mod waiting_lanes;

pub use capacity::{BLOCKS, BLOCKS_PER_PASS, DRAWN_TOGETHER, SELECTED_TOGETHER};
pub use columns::{Column, Deltas, assert_capacity, clamped_offset};
pub use pool::{LaneBlock, LaneFeed, LanePool, Leaving};
pub use towers::TowerColumns;
pub use waiting_lanes::{SubQueue, WaitingLanes};
