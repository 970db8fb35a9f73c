//! Rollouts of backgammon: what is asked, a saved one continued, the lines of a table, and how each is played.

pub(super) mod lines;
mod question;
pub(super) mod request;
mod saved_rollout;
