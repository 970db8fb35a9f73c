//! Measurements of the tavli kernel: the inputs of the benchmarks, and what their results must be.
#![deny(missing_docs)]

pub mod checksum;
pub mod situations;

pub use checksum::Checksum;
pub use situations::{Category, Situation};
