//! How large a rollout can be, and the block that its trials are divided by.

/// The most trials of a rollout.
// Sums over this number of trials fit their integers: products of points, at most 9 each, fit 64 bits, and cubes of
// values fit 128.
pub const MAX_TRIALS: u64 = 1 << 56;
/// The most candidates of a rollout.
pub const MAX_CANDIDATES: usize = 512;

/// The trials of a block, in which each pair of two throws of two dice comes up once where these are stratified.
pub const TRIALS_PER_BLOCK: u64 = 36 * 36;
