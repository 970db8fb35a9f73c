//! A position in its game: the board and the state around it, read and written in any format.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use super::context::{Context, ContextError, Seat, Stage};
use super::fibs::{self, FibsError};
use super::match_id::{self, MatchId, MatchIdError};
use super::pasted;
use super::points::{self, PointsError};
use super::position_id::{PositionId, PositionIdError};
use super::xgid::{self, XgidError};
use super::{Board, Player, Side};
use crate::dice::Roll;
use crate::text::{BYTE_ORDER_MARK, Quoted};

/// A [`Board`] and the state of the game around it: cube, score, dice, and who sits where.
///
/// Reading recognises the format of the text:
///
/// | format | example |
/// |---|---|
/// | GNU Position ID | `4HPwATDgc/ABMA` |
/// | GNU Position ID and Match ID | `4HPwATDgc/ABMA:cAkAAAAAAAAE` |
/// | XGID, `XGID=` or not | `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10` |
/// | FIBS board line | `board:You:Opponent:9999:0:0:0:-2:0: ...` |
/// | 26 numbers, separated by spaces or commas | `0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0` |
///
/// A Position ID alone and the 26 numbers have the [default context](Context::default).
///
/// Position ID and Match ID may come in either order. Each ID may stand in other text: behind a label (`GNUID=`,
/// `Position ID:`, `xgid=`, in any case), among words, percent-encoded, or in the whole text that eXtreme Gammon or GNU
/// Backgammon copies. All IDs of a text must be of one position. A byte order mark before the text is passed over.
///
/// ```
/// use tavli_backgammon::{Position, Stage};
/// let position: Position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
/// assert_eq!(position.context().stage, Stage::Rolled("31".parse()?));
/// assert_eq!(position.position_id().as_str(), "4HPwATDgc/ABMA");
/// assert_eq!(position.match_id().as_str(), "cIkFAAAAAAAE");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A conversion keeps what both formats hold. The Match ID loses beavers and the largest cube. The XGID loses an
/// offered resignation and games not in progress. The FIBS line loses all of these and the Jacoby rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Position {
    board: Board,
    context: Context,
}

/// A position that was read from text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The position.
    pub position: Position,
    /// What the text says and the position does not.
    pub remark: Option<Remark>,
    /// Whether the text names the state around the board, its cube and score: a Match ID, an XGID and a FIBS line do.
    pub has_context: bool,
}

/// What a text says of a position and cannot be: reading passes over it, as GNU Backgammon does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// The text calls the game the Crawford game, in which one player is a single point from winning, and nobody is.
    NotCrawford {
        /// The points of the player on roll.
        score: u16,
        /// The points of his opponent.
        opponent_score: u16,
        /// The length of the match.
        length: u16,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Remark::NotCrawford {
            score,
            opponent_score,
            length,
        } = self;
        write!(
            f,
            "at {score}-{opponent_score} in a match of {length} nobody is one point from winning, so this is not read as \
             the Crawford game, although it is marked as such; GNU Backgammon reads it so"
        )
    }
}

impl Reading {
    /// A board alone.
    pub(super) fn of_board(board: Board) -> Reading {
        Reading {
            position: board.into(),
            remark: None,
            has_context: false,
        }
    }

    /// A position of a text that names the state around its board.
    pub(super) const fn with_context(position: Position, remark: Option<Remark>) -> Reading {
        Reading {
            position,
            remark,
            has_context: true,
        }
    }
}

/// Why text is not a position in any format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// It looks like a Position ID.
    #[error(transparent)]
    PositionId(#[from] PositionIdError),
    /// It looks like a Position ID and a Match ID, and the second is wrong.
    #[error(transparent)]
    MatchId(#[from] MatchIdError),
    /// It looks like an XGID.
    #[error(transparent)]
    Xgid(#[from] XgidError),
    /// It looks like a FIBS board line.
    #[error(transparent)]
    Fibs(#[from] FibsError),
    /// It looks like 26 numbers.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// It has IDs of two positions.
    #[error(
        "'{}' and '{}' are not of one position: leave one of them out",
        Quoted::new(one),
        Quoted::new(other)
    )]
    Several {
        /// One of the IDs.
        one: String,
        /// The other.
        other: String,
    },
    /// It has a roll behind an ID that has other dice, or none.
    #[error(
        "'{}' is a position and {roll}, which is not its roll: if it is the roll to play, write it apart from the \
         position, as an argument of its own or behind a tab",
        Quoted::new(text)
    )]
    RollBehind {
        /// The text.
        text: String,
        /// The roll.
        roll: Roll,
    },
    /// It has a Match ID only.
    #[error(
        "'{}' is a Match ID, which holds no checkers: write the Position ID with it, as in \
         4HPwATDgc/ABMA:cAkAAAAAAAAE",
        Quoted::new(.0)
    )]
    NoBoard(String),
    /// It looks like an OGID.
    #[error(
        "'{}' is an OGID, a format that is not read: write the position as an XGID or a GNU Position ID",
        Quoted::new(.0)
    )]
    Ogid(String),
    /// It looks like none of the formats.
    #[error(
        "'{}' is not a position; a position is a GNU Position ID (14 characters, such as 4HPwATDgc/ABMA), a Position ID and a Match ID (4HPwATDgc/ABMA:cAkAAAAAAAAE), an XGID (XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10), a FIBS board line (board:You:Opponent:...), or 26 numbers (the opponent's bar, points 1 to 24, the player's own bar)",
        Quoted::new(.0)
    )]
    Unknown(String),
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

    /// Reads a position in any format, as [`FromStr`] does, with a remark on what the text says and the position does not.
    ///
    /// ```
    /// use tavli_backgammon::{Position, Remark, Stakes};
    /// let reading = Position::read("XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10")?;
    /// let (score, opponent_score, length) = (4, 2, 7);
    /// assert_eq!(reading.position.context().stakes, Stakes::Match { length, crawford: false });
    /// assert_eq!(reading.remark, Some(Remark::NotCrawford { score, opponent_score, length }));
    /// # Ok::<(), tavli_backgammon::PositionError>(())
    /// ```
    ///
    /// # Errors
    /// [`PositionError`] names what the text looks like and what is wrong with it.
    pub fn read(text: &str) -> Result<Reading, PositionError> {
        let text = text.trim_start_matches(BYTE_ORDER_MARK).trim();
        alone(text).or_else(|error| pasted::find(text).unwrap_or(Err(error)))
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
            Stage::Rolled(roll) => Some(roll),
            _ => None,
        }
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
    pub(super) fn player(&self, player: Player) -> (&Side, u16) {
        match player {
            Player::OnRoll => (self.board.own(), self.context.score),
            Player::Opponent => (self.board.opponent(), self.context.opponent_score),
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
        Position {
            board,
            context: Context::default(),
        }
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        Position::read(text).map(|reading| reading.position)
    }
}

/// The position of a text that is nothing but one.
fn alone(text: &str) -> Result<Reading, PositionError> {
    let parts = text.split(':').count();
    if text.starts_with(fibs::PREFIX) {
        Ok(Reading::with_context(Position::from_fibs(text)?, None))
    } else if text.starts_with(xgid::PREFIX) || parts == 10 {
        Ok(xgid::read(text)?)
    } else if let Some((first, second)) = text.split_once(':')
        && parts == 2
    {
        let is_turned = first.len() == MatchId::CHARACTERS && second.len() == PositionId::CHARACTERS;
        let (position_id, match_id) = match is_turned {
            true => (second, first),
            false => (first, second),
        };
        let board = Board::from_position_id(position_id)?;
        let (context, remark) = match_id::read(match_id)?;
        let position = Position { board, context };
        Ok(Reading::with_context(position, remark))
    } else if text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && text.contains(|c: char| c == ',' || c.is_whitespace())
    {
        Ok(Reading::of_board(points::read(text)?))
    } else if text.chars().count() == PositionId::CHARACTERS {
        Ok(Reading::of_board(Board::from_position_id(text)?))
    } else {
        Err(PositionError::Unknown(text.to_owned()))
    }
}
