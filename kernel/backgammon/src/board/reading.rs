//! A position that was read from text.

use super::position::Position;
use super::remark::Remark;
use crate::board::checkers::Board;

/// A position that was read from text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The position.
    pub position: Position,
    /// A remark if the text says something that the position cannot have.
    pub remark: Option<Remark>,
    /// Whether the text names the state around the board, its cube and score: a Match ID, an XGID, an OGID and a FIBS
    /// line do.
    pub has_context: bool,
}

impl Reading {
    /// A board alone.
    pub(super) fn from_board(board: Board) -> Reading {
        Reading { position: board.into(), remark: None, has_context: false }
    }

    /// A position of a text that names the state around its board.
    pub(super) const fn with_context(position: Position, remark: Option<Remark>) -> Reading {
        Reading { position, remark, has_context: true }
    }
}
