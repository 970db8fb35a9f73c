//! The searches against independent truth: exact values, a tree in plain code, and each other.

mod aided_game;
mod alpha_beta;
mod bear_offs;
mod expectimax;
mod look_ahead;
mod profile;
mod proofs;
mod reproducibility;
mod specification;
mod tic_tac_toe;
mod without_dice;
