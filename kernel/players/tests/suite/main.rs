//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite bearoff::`
//! runs those of a file.

mod bearoff;
mod look_ahead;
mod net;
mod one_sided_values;
mod player_files;
#[path = "../support/mod.rs"]
mod support;
