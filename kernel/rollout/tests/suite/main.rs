//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite allocation::`
//! runs the tests of a file.

mod allocation;
mod chunks;
mod cube;
mod decisions;
mod options;
mod playing;
mod possible_records;
mod ranks;
mod records;
mod statistics;
#[path = "../support/mod.rs"]
mod support;
mod truncation;
mod variance_reduction;
