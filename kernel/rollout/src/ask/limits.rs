//! How large a rollout can be, and the block that its trials are divided by.

// Sums over this number of trials fit their integers: products of points, at most 9 each, fit 64 bits, and cubes of
// values fit 128.
pub(crate) const MAX_TRIALS: u64 = 1 << 56;
pub(crate) const MAX_CANDIDATES: usize = 512;

/// The games in which each pair of first throws comes up once.
pub(crate) const TRIALS_PER_BLOCK: u64 = 36 * 36;
