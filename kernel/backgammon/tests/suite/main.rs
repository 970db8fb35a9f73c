//! The tests of this package in one program, which is compiled and linked once: `cargo test --test suite playouts::`
//! runs those of a file.

mod batches;
mod dice;
mod evaluators;
mod formats;
mod games;
mod golden_copies;
mod notation;
mod paper_board;
mod paper_towers;
mod plain_plies;
mod playout_laws;
mod playouts;
mod plays;
mod policies;
mod portable_build;
mod possible;
mod probabilities;
mod reference;
mod rules;
mod sources;
mod specification;
#[path = "../support/mod.rs"]
mod support;
mod tiers;
