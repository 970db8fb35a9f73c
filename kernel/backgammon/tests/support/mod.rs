//! Helpers that several tests share: golden rows, Position IDs, varied boards, specified games, tiers, threads, effort,
//! notices and statistics.

pub(crate) mod boards;
pub(crate) mod golden;
pub(crate) mod position_id;
#[path = "../../specification.rs"]
#[allow(unreachable_pub, reason = "a single file that is not part of a library")]
pub(crate) mod specification;
pub(crate) mod specified;
pub(crate) mod statistics;

pub(crate) use tavli_testing::{effort, notice, threads, tiers};
