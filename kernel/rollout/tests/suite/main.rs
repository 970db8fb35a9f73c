//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite luck::` runs
//! those of a file.

mod allocation;
mod cube;
mod decisions;
mod horizon;
mod luck;
mod pieces;
mod playing;
mod ranks;
mod records;
mod statistics;
#[path = "../support/mod.rs"]
mod support;
