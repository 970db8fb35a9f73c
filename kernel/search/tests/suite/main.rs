//! The searches against independent truth: exact values, a tree in plain code, and each other.

mod bear_offs;
mod expectimax;
mod profile;
mod reproducibility;
mod specification;
mod tic_tac_toe;
