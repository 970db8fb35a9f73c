//! How sessions play until a rule holds: `session` by workers, `ranks` by several processes. Both are loops around a
//! `resumable_rollout`, whose driver says which trials come next; `on_workers` plays ranges of these.

pub(crate) mod on_workers;
pub(crate) mod progress;
pub(crate) mod ranks;
pub(crate) mod session;
pub(crate) mod session_clock;
