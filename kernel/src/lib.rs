//! Backgammon plays and random playouts, exact and fast.
#![deny(missing_docs)]

pub mod board;
mod dice;
mod outcome;
pub mod plays;
mod rules;

pub use board::{BAR, Board, BoardError, MoveError, OFF, Player, Points, Side};
pub use dice::{Roll, RollError};
pub use outcome::{Outcome, Win};
pub use rules::{Backgammon, McGammon, RuleSet, RuleSetError, Rules};
