//! What a game is, for code that plays, searches, counts and prints games without knowing which game.
//!
//! A [`Game`] has positions, chances (rolls) and choices (plays), and plays out many positions as one batch. A
//! [`PlayableGame`] can also be read and written: its positions, chances and moves as text. Every program takes games
//! through these two traits, so that a new game is a crate that implements them and a line in the list of
//! `tavli::games`.
//!
//! [`PlayoutStart`] plays games from one position, perhaps cut off or recorded, and [`playouts_of_rows`] from many.
//! [`Tally`] counts how they ended, and [`PairScore`] adds up pairs of games on the same dice.
//! [`Game::perft`] counts the ways a game can go on. [`signature()`] is one number that changes if any playout does.
//! [`streams`] has the random numbers of every game's playouts. A [`Heuristic`] values positions for searches.
#![deny(missing_docs)]

mod estimate;
mod game;
mod heuristic;
mod nodes;
mod one_by_one;
mod pair_score;
mod playable_game;
mod playout_end;
mod playouts;
mod signature;
mod solved_positions;
pub mod streams;
mod tally;

pub use estimate::Estimate;
pub use game::{Game, GameSource, GameStart};
pub use heuristic::{Heuristic, POINT, WinProbabilities, in_points};
pub use nodes::Nodes;
pub use one_by_one::{Ply, draw, pick, play_out_by, play_out_one_by_one};
pub use pair_score::PairScore;
pub use playable_game::{
    BothHome, GameOutcome, GamePlay, GameTranscript, MovesError, NetError, PlayableGame, PositionError, ReadTurn,
    RulesError, START,
};
pub use playout_end::PlayoutEnd;
pub use playouts::{PlayoutStart, playouts_of_rows};
pub use signature::signature;
pub use solved_positions::{SolvedPositions, SolvedPositionsError, SolvedValue};
pub use tally::Tally;
