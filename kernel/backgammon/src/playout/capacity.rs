//! How many games a batch plays at a time.

/// Blocks in play: enough to fill the queues, few enough for the caches (profiles/LOG.md, 2026-11-21, G).
pub(super) const BLOCKS: usize = 128;

/// The most lanes a vector has.
pub(super) const MAX_LANES: usize = 16;

/// Up to this many games are played in the late pool from beginning to end: two pools would be half empty for most of
/// the time.
pub(super) const FEW_GAMES: usize = 64;
