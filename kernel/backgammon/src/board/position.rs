//! A position in its game: the board and the state around it, read and written in any format.

use thiserror::Error;

use super::context::{Context, ContextError, Seat, TurnStage};
use super::position_id::PositionId;
use crate::board::checkers::Board;
use crate::board::side::Side;
use crate::board::side_checkers::SideCheckers;
use crate::dice::Roll;

/// A [`Board`] and the state of the game around it: cube, score, dice, and who sits where.
///
/// Reading recognises the format of the text:
///
/// | format | example |
/// |---|---|
/// | GNU Position ID | `4HPwATDgc/ABMA` |
/// | GNU Position ID and Match ID | `4HPwATDgc/ABMA:cAkAAAAAAAAE` |
/// | XGID, `XGID=` or not | `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10` |
/// | OGID, `OGID=` or not | `11ccccchhhjjjjj:66666888dddddoo:N0N:13:W:R:0:0:0:0` |
/// | FIBS board line | `board:You:Opponent:9999:0:0:0:-2:0: ...` |
/// | 26 numbers, separated by spaces or commas | `0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0` |
///
/// A Position ID alone and the 26 numbers, which may be a JSON list or its member `points`, have the [default
/// context](Context::default).
///
/// Position ID and Match ID may come in either order. Each ID may stand in other text: behind a label (`GNUID=`,
/// `Position ID:`, `xgid=`, in any case), among words, percent-encoded, or in the whole text that eXtreme Gammon or GNU
/// Backgammon copies. All IDs of a text must be of one position. A byte order mark before the text is passed over.
///
/// ```
/// use tavli_backgammon::{Position, TurnStage};
/// let position: Position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
/// assert_eq!(position.context().stage, TurnStage::Rolled("31".parse()?));
/// assert_eq!(position.position_id().as_str(), "4HPwATDgc/ABMA");
/// assert_eq!(position.match_id().as_str(), "cIkFAAAAAAAE");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A conversion keeps what both formats hold. The Match ID loses beavers and the largest cube. The XGID loses an
/// offered resignation and games not in progress. The FIBS line and the OGID lose all of these and the Jacoby rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Position {
    board: Board,
    context: Context,
}

/// A roll that differs from the dice of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the position has the roll {own}, not {given}; leave one of them out")]
#[non_exhaustive]
pub struct OtherRollError {
    /// The roll of the position.
    pub own: Roll,
    /// The roll that was given.
    pub given: Roll,
}

impl Position {
    /// A position from a board and the state around it.
    ///
    /// # Errors
    /// [`ContextError`] if the state contradicts itself.
    pub fn new(board: Board, context: Context) -> Result<Position, ContextError> {
        context.check()?;
        Ok(Position { board, context })
    }

    /// A position of a state that was checked.
    pub(super) const fn checked(board: Board, context: Context) -> Position {
        Position { board, context }
    }

    /// The checkers, as the player on roll sees them.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The state of the game around the board.
    #[must_use]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// The roll that the player on roll has thrown and must play; `None` if the dice are not rolled.
    #[must_use]
    pub const fn roll(&self) -> Option<Roll> {
        match self.context.stage {
            TurnStage::Rolled(roll) => Some(roll),
            _ => None,
        }
    }

    /// The position before its roll, and before a double that is offered.
    #[must_use]
    pub fn before_roll(&self) -> Position {
        let mut context = self.context;
        context.stage = TurnStage::ToRoll;
        // The opponent then has no double to answer, and `Context::check` compares the two.
        context.decision = context.awaited();
        Position { board: self.board, context }
    }

    /// The roll to play: the given one, or the position's own.
    ///
    /// # Errors
    /// [`OtherRollError`] if the two differ.
    pub fn roll_or(&self, given: Option<Roll>) -> Result<Option<Roll>, OtherRollError> {
        match (self.roll(), given) {
            (Some(own), Some(given)) if own != given => Err(OtherRollError { own, given }),
            (own, given) => Ok(given.or(own)),
        }
    }

    /// The GNU Position ID of the board.
    #[must_use]
    pub fn position_id(&self) -> PositionId {
        self.board.position_id()
    }

    /// The 26 numbers of the board.
    #[must_use]
    pub fn points(&self) -> [i8; 26] {
        self.board.points()
    }

    /// The checkers of a player, in his frame, and his score.
    pub(super) fn player(&self, player: Side) -> (&SideCheckers, u16) {
        match player {
            Side::OnRoll => (self.board.own(), self.context.score),
            Side::Opponent => (self.board.opponent(), self.context.opponent_score),
        }
    }

    /// The checkers as the bottom player sees them.
    pub(super) fn bottom_board(&self) -> Board {
        match self.context.seat {
            Seat::Bottom => self.board,
            Seat::Top => self.board.swapped(),
        }
    }
}

impl From<Board> for Position {
    /// The board in a money game, dice not rolled.
    fn from(board: Board) -> Position {
        Position { board, context: Context::default() }
    }
}
