//! What several tests share: golden rows, machines, Position IDs, varied boards, promised games, ranks,
//! tiers, threads, effort, notices and statistics.
#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod boards;
pub(crate) mod effort;
pub(crate) mod golden;
pub(crate) mod machines;
pub(crate) mod notice;
pub(crate) mod position_id;
pub(crate) mod promise;
pub(crate) mod ranks;
pub(crate) mod statistics;
pub(crate) mod threads;
pub(crate) mod tiers;
