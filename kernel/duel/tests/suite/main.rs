//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite cube_duel::`
//! runs the tests of a file.

mod cube_duel;
mod duel;
