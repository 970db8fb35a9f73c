//! The results: in words, as JSON, as CSV, and as the cells of a table.

pub(crate) mod backgammon;
pub(crate) mod cells;
mod decision;
pub(crate) mod form;
pub(crate) mod game_decision;
pub(crate) mod game_rollout;
