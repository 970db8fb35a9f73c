//! Tic-tac-toe: the smallest game that has all that the programs ask of a [`Game`](tavli_game::Game), and a pattern for
//! new ones.
//!
//! ```
//! use tavli_base::NO_STOP;
//! use tavli_game::{Game, PlayableGame, PlayoutStart};
//! use tavli_simd::Tier;
//! use tavli_tictactoe::TicTacToe;
//!
//! let game = TicTacToe::by_rules("standard", Tier::best(), 1)?;
//! let position = game.read("XX-/OO-/--- X")?;
//! assert_eq!(game.moves(&position, 0, 0), "c3");
//! assert_eq!(game.points(&game.result(&position, 0, 0)), Some(-1)); // O has lost
//!
//! let tally = PlayoutStart::new(game.start()).run(&game, 0..10_000, NO_STOP)?;
//! assert_eq!([1, 0, -1].map(|points| tally.count(points)), [5810, 1294, 2896]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod board;
mod game;

pub use board::{Board, Mark};
pub use game::TicTacToe;
