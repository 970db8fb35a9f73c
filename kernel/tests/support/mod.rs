//! What several tests share: golden rows, Position IDs, varied boards, tiers, effort, notices and
//! statistics.
#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod boards;
pub(crate) mod effort;
pub(crate) mod golden;
pub(crate) mod notice;
pub(crate) mod position_id;
pub(crate) mod statistics;
pub(crate) mod tiers;
