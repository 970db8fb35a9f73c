//! Helpers that several tests share: golden rows, the specification, effort, notices, tiers.

pub(crate) mod golden;
#[path = "../../specification.rs"]
#[allow(unreachable_pub, reason = "a single file that is not part of a library")]
pub(crate) mod specification;
pub(crate) mod specified;

pub(crate) use tavli_testing::{effort, threads, tiers};
