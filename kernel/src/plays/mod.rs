//! Plays: the distinct positions a roll can lead to.

pub mod notation;
pub mod reference;
