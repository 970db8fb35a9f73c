//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite plays::` runs
//! those of a file.

mod any_position;
mod nets;
mod perft;
mod playouts;
mod plays;
#[path = "../support/mod.rs"]
mod support;
mod tavli3d;
mod text;
