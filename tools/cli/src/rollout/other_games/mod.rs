//! Rollouts and decisions in other games: what is asked, the lines of a table, and how each is played.

pub(super) mod lines;
mod question;
pub(super) mod request;
