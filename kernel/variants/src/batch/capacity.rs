//! How many games are in play.

/// Blocks in play: enough to fill the queues, few enough for the caches. As in backgammon's batch, where fewer left
/// vectors of doubles less full, and more gained nothing (profiles/LOG.md, 2026-11-21, G, and 2026-11-25, J).
pub(super) const BLOCKS: usize = 128;

/// The most lanes that a vector has.
pub(super) const MAX_LANES: usize = 16;
