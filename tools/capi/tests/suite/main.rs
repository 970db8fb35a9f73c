//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite search::`
//! runs those of a file.

mod any_position;
mod bad_input;
mod cube;
mod equality;
mod header;
mod many;
mod parity;
mod players;
mod policies;
mod readme;
mod remarks;
mod safety;
mod search;
#[path = "../support/mod.rs"]
mod support;
mod threads;
