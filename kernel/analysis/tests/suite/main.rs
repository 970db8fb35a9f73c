//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite cube::` runs
//! the tests of a file.

mod cube;
mod evaluation;
mod search;
mod transcript;
