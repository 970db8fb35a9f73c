//! How many games are in play.

/// Blocks in play: enough to fill the queues, few enough for the caches.
pub(super) const BLOCKS: usize = 128;

/// The most lanes that a vector has.
pub(super) const MOST_LANES: usize = 16;
