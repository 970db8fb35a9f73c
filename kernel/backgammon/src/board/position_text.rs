//! Positions of text in any format.

use core::str::FromStr;

use super::fibs::{self};
use super::match_id::{self, MatchId};
use super::ogid;
use super::pasted;
use super::points::{self};
use super::position::Position;
use super::position_error::PositionError;
use super::position_id::PositionId;
use super::reading::Reading;
use super::xgid::{self};
use crate::board::checkers::Board;
use tavli_base::text::BYTE_ORDER_MARK;

impl Position {
    /// Reads a position in any format, as [`FromStr`] does, with a remark if the text says something that the position
    /// cannot have.
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
        // Without an ID in the text the first error says more.
        alone(text).or_else(|error| pasted::find(text).unwrap_or(Err(error)))
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        Position::read(text).map(|reading| reading.position)
    }
}

/// The position of a text that holds nothing else.
fn alone(text: &str) -> Result<Reading, PositionError> {
    let parts = text.split(':').count();
    if text.starts_with(fibs::PREFIX) {
        Ok(Reading::with_context(Position::from_fibs(text)?, None))
    } else if ogid::is_ogid(text) {
        // Before the XGID, which is told by its ten fields: an OGID may have as many.
        Ok(ogid::read(text)?)
    } else if text.starts_with(xgid::PREFIX) || parts == 10 {
        Ok(xgid::read(text)?)
    } else if let Some(list) = list(text) {
        Ok(Reading::from_board(points::read(list)?))
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
        let position = Position::checked(board, context);
        Ok(Reading::with_context(position, remark))
    } else if text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && text.contains(|c: char| c == ',' || c.is_whitespace())
    {
        // A Position ID may begin with a digit, too, but has no separators.
        Ok(Reading::from_board(points::read(text)?))
    } else if text.chars().count() == PositionId::CHARACTERS {
        Ok(Reading::from_board(Board::from_position_id(text)?))
    } else {
        Err(PositionError::Unknown(text.to_owned()))
    }
}

/// The numbers of a JSON list, as JSON and Python write the numbers of a position: alone, or as the member `points` of
/// an object, with its line or its braces.
fn list(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let list = match inside.trim().strip_prefix("\"points\"") {
        Some(member) => member.trim_start().strip_prefix(':')?.trim_end_matches(',').trim(),
        None => text,
    };
    let list = list.strip_prefix('[')?.strip_suffix(']')?;
    let may_be = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_whitespace() || matches!(byte, b'-' | b',');
    list.bytes().all(may_be).then_some(list)
}
