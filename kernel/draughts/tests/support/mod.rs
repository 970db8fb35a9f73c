//! Helpers that several tests share: golden rows, specified positions, varied positions, tiers, effort, notices.

pub(crate) mod golden;
pub(crate) mod positions;
#[path = "../../specification.rs"]
#[allow(unreachable_pub, dead_code, reason = "a single file that is not part of a library")]
pub(crate) mod specification;
pub(crate) mod specified;

pub(crate) use tavli_testing::{effort, tiers};
