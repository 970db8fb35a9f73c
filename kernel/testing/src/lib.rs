//! What the tests of several packages share. It knows no game.

pub mod effort;
pub mod golden;
pub mod machines;
pub mod notice;
pub mod random;
pub mod threads;
pub mod tiers;
