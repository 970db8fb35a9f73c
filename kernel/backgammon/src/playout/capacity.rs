//! How many games a batch plays at a time.

/// Blocks in play: enough to fill the queues, few enough for the caches.
pub(super) const BLOCKS: usize = 128;

/// The most lanes a vector has.
pub(super) const MOST_LANES: usize = 16;

/// So few games are played in the late pool from beginning to end.
pub(super) const FEW: usize = 64;
