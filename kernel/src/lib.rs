//! Backgammon plays and random playouts, exact and fast.
#![deny(missing_docs)]

pub mod board;
mod dice;
mod outcome;
pub mod playout;
pub mod plays;
mod rules;
pub mod run;
mod simd;

pub use board::{
    BAR, Base64, Base64Error, Board, BoardError, Context, ContextError, Cube, Diagram, FibsError,
    GameState, MatchId, MatchIdError, MoveError, OFF, Player, Points, PointsError, Position,
    PositionError, PositionId, PositionIdError, Seat, Side, Stage, Stakes, XgidError,
};
pub use dice::{Roll, RollError};
pub use outcome::{Outcome, Win};
pub use playout::{Estimate, FirstRoll, Occupancy, PlayoutError, Playouts, Record, Results, Tally};
pub use rules::{Backgammon, McGammon, RuleSet, RuleSetError, Rules};
pub use simd::{Tier, TierError};
