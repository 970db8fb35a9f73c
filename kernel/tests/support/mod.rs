//! What several tests share: golden rows, Position IDs, and varied boards.
#![allow(dead_code, reason = "each test uses its own part")]

pub(crate) mod boards;
pub(crate) mod golden;
pub(crate) mod position_id;
