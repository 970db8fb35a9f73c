//! XGID: the position and match line of eXtreme Gammon.
//!
//! `XGID=` and ten fields separated by colons:
//!
//! | field | meaning |
//! |---|---|
//! | board | 26 characters: the bar of the top player, points 1 to 24 as the bottom player counts, the bar of the bottom player; `-` is empty, `A` to `O` are 1 to 15 checkers of the bottom player, `a` to `o` of the top player |
//! | cube | as a power of 2 |
//! | owner | 1 the bottom player, -1 the top player, 0 nobody |
//! | turn | 1 the bottom player is on roll, -1 the top player |
//! | dice | `00` not rolled, two digits, `D` he has doubled, `B` and been beavered, `R` and raccooned |
//! | score | points of the bottom player |
//! | score | points of the top player |
//! | rules | in a match 1 in the Crawford game, else 0; for money 1 with the Jacoby rule plus 2 with beavers |
//! | length | of the match, 0 for money |
//! | limit | the largest cube, as a power of 2 |
//!
//! It does not hold an offered resignation, nor games that have not begun or are over: an XGID is read as a game in
//! progress, so a score that has won the match is refused.

use core::fmt::Write;

use thiserror::Error;

use super::context::{Context, ContextError, Cube, MAX_CUBE_LOG2, MAX_POINTS, Seat, Stakes, TurnStage};
use crate::board::checkers::{Board, BoardError};
use crate::board::position::Position;
use crate::board::reading::Reading;
use crate::board::side_checkers::{BAR, CHECKERS};
use crate::dice::Roll;
use tavli_base::text::Quoted;

/// The start of an XGID, which is optional when one is read.
pub(super) const PREFIX: &str = "XGID=";

/// Why text is not an XGID.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum XgidError {
    /// The wrong number of fields.
    #[error(
        "not an XGID: it must have 10 fields separated by ':' (board:cube:owner:turn:dice:score:score:rules:length:limit), not {found}"
    )]
    Fields {
        /// The number found.
        found: usize,
    },
    /// A board field of the wrong length.
    #[error("not an XGID: the board field must have 26 characters, not {found}")]
    BoardLength {
        /// The number found.
        found: usize,
    },
    /// A character that is not a number of checkers.
    #[error(
        "not an XGID: character {position} of the board is '{}'; it must be '-', A to O, or a to o",
        character.escape_debug()
    )]
    BoardCharacter {
        /// The character.
        character: char,
        /// Its number, from 1.
        position: usize,
    },
    /// The wrong side's checkers on a bar.
    #[error(
        "not an XGID: '{character}' on the bar of the {seat} player; the bar of the top player (character 1) holds lower case, that of the bottom player (character 26) upper case"
    )]
    Bar {
        /// The character.
        character: char,
        /// Whose bar it is on: top or bottom.
        seat: &'static str,
    },
    /// An invalid field.
    #[error("not an XGID: the {field} is '{}'; it must be {expected}", Quoted::new(text))]
    Field {
        /// The name of the field.
        field: &'static str,
        /// Its text.
        text: String,
        /// The values allowed.
        expected: &'static str,
    },
    /// The checkers are not a position.
    #[error("not a position: {0}")]
    Board(#[from] BoardError),
    /// The state contradicts itself.
    #[error("not the state of a game: {0}")]
    Context(#[from] ContextError),
}

impl Position {
    /// The position of an XGID, with or without the leading `XGID=`, in any case. The player on roll is the top player
    /// (lower case) when the turn is -1. The mark of the Crawford game does not count where nobody is one point from
    /// winning, or both are, and a turned cube does not count in the Crawford game; [`Position::read`] remarks on them.
    ///
    /// # Errors
    /// [`XgidError`] names the wrong field, or the contradiction.
    ///
    /// ```
    /// use tavli_backgammon::{Position, Side};
    /// let position = Position::from_xgid("XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8")?;
    /// assert_eq!(position.position_id().as_str(), "jM/gDQDYzeAJIA");
    /// assert_eq!(position.context().cube.owner, Some(Side::Opponent));
    /// # Ok::<(), tavli_backgammon::XgidError>(())
    /// ```
    pub fn from_xgid(text: &str) -> Result<Position, XgidError> {
        read(text).map(|reading| reading.position)
    }

    /// The XGID, with the leading `XGID=`.
    ///
    /// ```
    /// use tavli_backgammon::{Board, Position};
    /// assert_eq!(
    ///     Position::from(Board::START).xgid(),
    ///     "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    /// );
    /// ```
    #[must_use]
    pub fn xgid(&self) -> String {
        let context = self.context();
        let mut text = String::from(PREFIX);
        for number in self.bottom_board().points() {
            text.push(match number {
                0 => '-',
                1.. => (b'A' + number.unsigned_abs() - 1).into(),
                _ => (b'a' + number.unsigned_abs() - 1).into(),
            });
        }
        let sign = |seat| match seat {
            Seat::Bottom => 1,
            Seat::Top => -1,
        };
        let owner = context.cube.owner.map_or(0, |owner| sign(owner.seat(context.seat)));
        let dice = match context.stage {
            TurnStage::ToRoll => "00".to_owned(),
            TurnStage::Rolled(roll) => roll.to_string(),
            TurnStage::Doubled => "D".to_owned(),
            TurnStage::Beavered => "B".to_owned(),
            TurnStage::Raccooned => "R".to_owned(),
        };
        let (rules, length) = match context.stakes {
            Stakes::Money { jacoby, beavers } => (u8::from(jacoby) + 2 * u8::from(beavers), 0),
            Stakes::Match { length, crawford } => (crawford.into(), length),
        };
        write!(
            text,
            ":{}:{owner}:{}:{dice}:{}:{}:{rules}:{length}:{}",
            context.cube.log2,
            sign(context.seat),
            context.score_at(Seat::Bottom),
            context.score_at(Seat::Top),
            context.cube.max_log2,
        )
        .expect("a String takes any text");
        text
    }
}

/// The position of an XGID, and a remark if the XGID says something that the position cannot have.
pub(super) fn read(text: &str) -> Result<Reading, XgidError> {
    let has_prefix = text
        // An index might fall inside a character, and panic.
        .get(..PREFIX.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
    let fields = if has_prefix { &text[PREFIX.len()..] } else { text };
    let fields: Vec<&str> = fields.split(':').collect();
    let found = fields.len();
    let [board, cube, owner, turn, dice, bottom, top, rules, length, limit] =
        <[&str; 10]>::try_from(fields).map_err(|_| XgidError::Fields { found })?;

    let [bottom_counts, top_counts] = read_board(board)?;
    let seat = match turn {
        "1" => Seat::Bottom,
        "-1" => Seat::Top,
        _ => return Err(wrong("turn", turn, "1 (bottom player) or -1 (top player)")),
    };
    let owner = match owner {
        "0" => None,
        "1" => Some(Seat::Bottom.player(seat)),
        "-1" => Some(Seat::Top.player(seat)),
        _ => {
            return Err(wrong("cube owner", owner, "1 (bottom player), -1 (top player) or 0 (nobody)"));
        }
    };
    let stage = read_dice(dice)?;
    let powers = "a power of 2 from 0 to 15";
    let cube = Cube {
        log2: number("cube", cube, MAX_CUBE_LOG2.into(), powers)? as u8,
        owner,
        max_log2: number("cube limit", limit, MAX_CUBE_LOG2.into(), powers)? as u8,
    };
    let points = "a number from 0 to 32767";
    let length = number("match length", length, MAX_POINTS, points)?;
    let bottom = number("score of the bottom player", bottom, MAX_POINTS, points)?;
    let top = number("score of the top player", top, MAX_POINTS, points)?;
    let stakes = if length == 0 {
        let rules = number("rules field", rules, 3, "0 to 3 for money")?;
        Stakes::Money { jacoby: rules & 1 != 0, beavers: rules & 2 != 0 }
    } else {
        let rules = number("rules field", rules, 1, "0 or 1 (Crawford) in a match")?;
        Stakes::Match { length, crawford: rules == 1 }
    };
    let ((own, score), (opponent, opponent_score)) = match seat {
        Seat::Bottom => ((bottom_counts, bottom), (top_counts, top)),
        Seat::Top => ((top_counts, top), (bottom_counts, bottom)),
    };
    let mut context = Context { seat, stage, cube, stakes, score, opponent_score, ..Context::default() };
    // An XGID does not name the player who decides.
    context.decision = context.awaited();
    let remark = context.remark_on_text();
    let position = Position::new(Board::new(&own, &opponent)?, context)?;
    Ok(Reading::with_context(position, remark))
}

/// Whether text has the form of the board of an XGID.
pub(super) fn is_board(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| matches!(byte, b'-' | b'A'..=b'O' | b'a'..=b'o'))
}

fn wrong(field: &'static str, text: &str, expected: &'static str) -> XgidError {
    XgidError::Field { field, text: text.to_owned(), expected }
}

/// A field of decimal digits, at most `max`.
fn number(field: &'static str, text: &str, max: u16, expected: &'static str) -> Result<u16, XgidError> {
    // `parse` alone would take a sign.
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && number <= max => Ok(number),
        _ => Err(wrong(field, text, expected)),
    }
}

fn read_dice(text: &str) -> Result<TurnStage, XgidError> {
    match text {
        "00" => Ok(TurnStage::ToRoll),
        "D" => Ok(TurnStage::Doubled),
        "B" => Ok(TurnStage::Beavered),
        "R" => Ok(TurnStage::Raccooned),
        _ => match text.parse::<Roll>() {
            Ok(roll) => Ok(TurnStage::Rolled(roll)),
            Err(_) => Err(wrong("dice field", text, "00 (not rolled), two dice such as 31, D, B or R")),
        },
    }
}

/// The counts of the bottom and the top player, each in his own frame.
fn read_board(text: &str) -> Result<[[u8; 26]; 2], XgidError> {
    let found = text.chars().count();
    if found != 26 {
        return Err(XgidError::BoardLength { found });
    }
    let (mut bottom, mut top) = ([0; 26], [0; 26]);
    for (point, character) in text.chars().enumerate() {
        // Does not underflow: the ranges of the patterns begin at these letters.
        let count_from = |first: char| (character as u32 - first as u32 + 1) as u8;
        match (character, point) {
            ('-', _) => {}
            ('A'..='O', 0) => {
                return Err(XgidError::Bar { character, seat: "top" });
            }
            ('a'..='o', 25) => {
                return Err(XgidError::Bar { character, seat: "bottom" });
            }
            ('A'..='O', _) => bottom[point] = count_from('A'),
            ('a'..='o', _) => top[usize::from(BAR) - point] = count_from('a'),
            _ => {
                return Err(XgidError::BoardCharacter { character, position: point + 1 });
            }
        }
    }
    Ok([bottom, top])
}

// The letters end where the checkers do.
const _: () = assert!(b'A' + CHECKERS - 1 == b'O' && b'a' + CHECKERS - 1 == b'o');
