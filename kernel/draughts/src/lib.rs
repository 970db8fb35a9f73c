//! English draughts: positions, plays, random games in batches, solved endgames, and games in PDN.
//!
//! ```
//! use tavli_draughts::{Draughts, Position, Rules, plays};
//! use tavli_base::NO_STOP;
//! use tavli_game::{PlayableGame, PlayoutStart};
//! use tavli_simd::Tier;
//!
//! let position: Position = "B:W17,18,26,K30:B13,21".parse()?;
//! let moves: Vec<String> = plays(&position, Rules::ENGLISH).iter().map(|play| play.moves.to_string()).collect();
//! assert_eq!(moves, ["13x22x31"]);
//!
//! let game = Draughts::new(Rules::ENGLISH, Tier::best(), 1);
//! let tally = PlayoutStart::new(game.start()).run(&game, 0..10_000, NO_STOP)?;
//! assert_eq!([1, 0, -1].map(|points| tally.count(points)), [4871, 66, 5063]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod board;
mod endgames;
mod game;
mod heuristics;
mod pdn;
mod playout;
mod plays;
mod rules;

pub use board::{Position, PositionError, Side, Square};
pub use endgames::{BytesError, Counts, EndgameProgress, EndgameValue, Endgames, Material, SolveError};
pub use game::Draughts;
pub use plays::{MoveError, Moves, Play, move_sequences, plays};
pub use rules::{Captures, Draw, Rules};
