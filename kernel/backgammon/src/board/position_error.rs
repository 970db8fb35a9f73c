//! Why text is no position.

use thiserror::Error;

use super::fibs::FibsError;
use super::match_id::MatchIdError;
use super::ogid::OgidError;
use super::points::PointsError;
use super::position_id::PositionIdError;
use super::xgid::XgidError;
use crate::dice::Roll;
use tavli_base::text::Quoted;

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
    #[error("'{}' and '{}' are not of one position: leave one of them out", Quoted::new(one), Quoted::new(other))]
    Several {
        /// One of the IDs.
        one: String,
        /// The other.
        other: String,
    },
    /// It has a roll behind an ID that has other dice, or none.
    #[error(
        "'{}' is a position and {roll}, which is not its roll: leave the roll out, or, if it is to be played, write it \
         apart from the position, as an argument, a member or a column of its own",
        Quoted::new(text)
    )]
    RollBehind {
        /// The text.
        text: String,
        /// The roll that was read from its end.
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
    #[error(transparent)]
    Ogid(#[from] OgidError),
    /// It looks like none of the formats.
    #[error(
        "'{}' is not a position; a position is a GNU Position ID (14 characters, such as 4HPwATDgc/ABMA), a Position ID and a Match ID (4HPwATDgc/ABMA:cAkAAAAAAAAE), an XGID (XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10), an OGID (11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:0:0:0:0), a FIBS board line (board:You:Opponent:...), or 26 numbers (the opponent's bar, points 1 to 24, the player's own bar)",
        Quoted::new(.0)
    )]
    Unknown(String),
}
