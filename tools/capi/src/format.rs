//! The formats in which positions are written.

use tavli::Position;

use crate::failure::Failure;
use crate::status::Status;

/// A format in which a position is written. Reading detects the format of a text.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// GNU Position ID: 4HPwATDgc/ABMA. It holds the checkers alone.
    PositionId = 0,
    /// GNU Position ID and Match ID: 4HPwATDgc/ABMA:cAkAAAAAAAAE.
    MatchId = 1,
    /// XGID: XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10.
    Xgid = 2,
    /// FIBS board line: board:You:Opponent:9999:0:0: and so on.
    Fibs = 3,
    /// 26 numbers: 0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0. They are the checkers alone.
    Points = 4,
}

impl Format {
    const ALL: [Format; 5] = [Format::PositionId, Format::MatchId, Format::Xgid, Format::Fibs, Format::Points];

    /// The format with the caller's `number`.
    pub(crate) fn new(number: u32) -> Result<Format, Failure> {
        let format = Format::ALL.into_iter().find(|&format| format as u32 == number);
        format.ok_or_else(|| {
            Failure::new(Status::Position, format_args!("invalid format {number}: a format is a TavliFormat, 0 to 4"))
        })
    }

    /// A position in this format.
    pub(crate) fn text(self, position: &Position) -> String {
        match self {
            Format::PositionId => position.position_id().to_string(),
            Format::MatchId => format!("{}:{}", position.position_id(), position.match_id()),
            Format::Xgid => position.xgid(),
            Format::Fibs => position.fibs(),
            Format::Points => position.points().map(|number| number.to_string()).join(" "),
        }
    }
}
