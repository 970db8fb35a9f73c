//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite duel::` runs
//! the tests of a file.

mod bear_offs;
mod cube;
mod cube_duel;
mod duel;
mod evaluation;
mod exact_truth;
mod game_decision;
mod game_rollout;
mod playouts;
mod search;
mod stopping;
mod transcript;
