//! What several tests share: golden rows, the specification, effort, notices, tiers.

pub(crate) mod effort;
pub(crate) mod golden;
pub(crate) mod notice;
#[path = "../../specification.rs"]
#[allow(unreachable_pub, reason = "a single file that is not part of a library")]
pub(crate) mod specification;
pub(crate) mod specified;
pub(crate) mod threads;
pub(crate) mod tiers;
