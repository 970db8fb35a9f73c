//! Backgammon: positions and their formats, the plays of a roll, games ply by ply, policies, and uniform playouts in
//! batches.
//!
//! The crate `tavli` re-exports all of this, and adds runs, players and nets, searches, rollouts and duels. This crate
//! uses no threads, files or serialisation, so it compiles for any target.
//!
//! ```
//! use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
//! let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 42)?;
//! let tally = playouts.run(Tier::best(), 0..1000, NO_STOP)?.tally;
//! assert_eq!((tally.wins(), tally.longest), (519, 293));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod backgammon_game;
pub mod board;
mod dice;
mod evaluation_conditions;
mod evaluator;
pub mod evaluators;
mod known_values;
mod outcome;
pub mod playout;
pub mod plays;
pub mod policies;
mod possible_outcomes;
mod probabilities;
mod rules;
pub mod stepping;

pub use backgammon_game::{BackgammonGame, PlayersError};
pub use board::{
    BAR, Base64, Base64Error, Board, BoardError, Context, ContextError, Cube, Diagram, FibsError, GameState, MatchId,
    MatchIdError, MoveError, OFF, OgidError, OtherRollError, Planes, PointSet, PointsError, Position, PositionError,
    PositionId, PositionIdError, Reading, Remark, Seat, Side, SideCheckers, Stakes, Svg, TurnStage, XgidError,
};
pub use dice::{Roll, RollError};
pub use outcome::{Outcome, Win};
pub use playout::profile;
pub use playout::{
    Dice, Estimate, FirstRoll, GameEnd, Occupancy, OtherFirstRollError, PlayoutError, Playouts, Results, Tally, Throw,
};
pub use plays::{Moves, Play, Plays, perft};
pub use rules::{AllHome, BearOff, Goal, RuleSet, RuleSetError};
pub use tavli_base::{NO_STOP, Stopped, UnknownNameError, named_values, parsed_values, text};
pub use tavli_simd::{Tier, TierError};
