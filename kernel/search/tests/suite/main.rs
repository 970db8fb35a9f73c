//! The searches against independent truth: exact values, a tree in plain code, and each other.

mod alpha_beta;
mod bear_offs;
mod expectimax;
mod game_with_tables;
mod look_ahead;
mod profile;
mod proofs;
mod reproducibility;
mod specification;
mod tic_tac_toe;
mod without_dice;
