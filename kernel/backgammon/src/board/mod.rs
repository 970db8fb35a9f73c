//! The board: one cache line, both sides in their own frame.
//!
//! A [`SideCheckers`] numbers its points 1 to 24 in the direction it bears off, 25 is its bar and 0 is off the board,
//! so both players use the same tables, and a change of turn swaps two halves. A point `p` of one side is the point
//! `25 - p` of the other.
//!
//! The five operations of the McGammon paper (section 2.2) are [`Board::content`], [`SideCheckers::points`],
//! [`Board::may_move`], [`SideCheckers::all_home`] and [`Board::move_checker`]; the paper's sorted lists of occupied
//! points are bit masks here: sorted lists with constant-time first, last, membership and update.

mod base64;
mod checkers;
mod context;
mod diagram;
mod fibs;
mod match_id;
mod ogid;
mod pasted;
mod planes;
mod points;
mod position;
mod position_error;
mod position_id;
mod position_text;
mod reading;
mod remark;
mod side;
mod side_checkers;
mod svg;
mod xgid;

pub use base64::{Base64, Base64Error};
pub use checkers::{Board, BoardError, MoveError};
pub use context::{Context, ContextError, Cube, GameState, MAX_CUBE_LOG2, MAX_POINTS, Seat, Stakes, TurnStage};
pub use diagram::Diagram;
pub use fibs::FibsError;
pub use match_id::{MatchId, MatchIdError};
pub use ogid::OgidError;
pub use planes::Planes;
pub use points::PointsError;
pub use position::{OtherRollError, Position};
pub use position_error::PositionError;
pub use position_id::{PositionId, PositionIdError};
pub use reading::Reading;
pub use remark::Remark;
pub use side::Side;
pub use side_checkers::{BAR, CHECKERS, OFF, PointSet, SideCheckers};
pub(crate) use side_checkers::{BAR_BIT, HOME, POINTS};
pub use svg::Svg;
pub use xgid::XgidError;
