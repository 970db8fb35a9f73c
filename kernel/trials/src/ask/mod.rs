//! What is asked for: how trials are divided among candidates and machines, and when they end.

pub(crate) mod allocation;
pub(crate) mod end_rules;
pub(crate) mod limits;
pub(crate) mod plan;
pub(crate) mod shard;
