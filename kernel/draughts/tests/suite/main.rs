//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite playouts::`
//! runs those of a file.

mod endgames;
mod game;
mod golden_copies;
mod pdn;
mod perft;
mod playouts;
mod plays;
mod positions;
#[path = "../support/mod.rs"]
mod support;
