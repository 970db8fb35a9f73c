//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite rollout::` runs
//! those of a file.

mod duel;
mod evaluation;
mod file;
mod hypergammon;
mod ranks;
mod rollout;
mod search;
mod stopping;
#[path = "../support/mod.rs"]
mod support;
