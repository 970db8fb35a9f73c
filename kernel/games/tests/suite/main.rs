//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite bear_offs::`
//! runs the tests of a file.

mod bear_offs;
mod exact_truth;
mod game_decision;
mod game_rollout;
mod playouts;
