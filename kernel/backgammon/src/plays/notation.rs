//! Plays in words: `13/8 6/5`, `bar/20*`, `6/off(2)`, written and read.

use super::moves::CANNOT_MOVE;

use thiserror::Error;

use crate::board::{BAR, Board, OFF};
use crate::dice::Roll;
use crate::plays::play::Play;
use crate::plays::roll_plays::Plays;
use crate::rules::RuleSet;
use tavli_base::text::Quoted;

pub use super::moves::{CheckerMove, Moves};

/// The reason why a text is not a play of a roll.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// Something that is not a move.
    #[error("at character {position}: expected {expected}; a play reads like '13/8 6/5*' or 'bar/20 6/off(2)'")]
    Syntax {
        /// The place in the text, counted in characters from 1.
        position: usize,
        /// The text that would be valid there.
        expected: &'static str,
    },
    /// A move that does not go towards the mover's home.
    #[error("at character {position}: checkers move down, not from {from} to {to}")]
    Direction {
        /// The place of the move in the text, counted in characters from 1.
        position: usize,
        /// Where it would start; 25 is the bar.
        from: u8,
        /// Where it would end; 0 is off the board.
        to: u8,
    },
    /// Moves that are not a play of this roll.
    #[error("'{}' is not a play of {roll} here; {}", Quoted::new(text), describe_plays(plays))]
    NoSuchPlay {
        /// The text.
        text: String,
        /// The roll that it does not play.
        roll: Roll,
        /// The legal plays; empty if the game is over.
        plays: Vec<Moves>,
    },
    /// Plays that differ only by what they hit.
    #[error("'{}' can be {}: mark the hits with '*'", Quoted::new(text), join(alternatives, " or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The plays it can be.
        alternatives: Vec<Moves>,
    },
}

fn describe_plays(plays: &[Moves]) -> String {
    match plays {
        [] => String::from("the game is over"),
        [only] if only.steps().is_empty() => String::from("no checker can move"),
        [only] => format!("the only one is {only}"),
        [first, ..] => format!("there are {} others, such as {first}", plays.len()),
    }
}

fn join(plays: &[Moves], separator: &str) -> String {
    let texts: Vec<String> = plays.iter().map(Moves::to_string).collect();
    texts.join(separator)
}

/// The play a text means: the position after it, with the next player on roll.
///
/// Only the ends of the checkers count, so any order of the moves, separate steps, chains
/// (`24/20/18`) and repeats (`6/5(2)`) mean the same play. Points are numbered from the mover's side;
/// `bar` or `25` is his bar, `off` or `0` off the board, in any case of letters; blanks or commas
/// separate moves. A play without any move is `cannot move`, `no move` or `pass`.
///
/// The mark `*` of a hit may be left out. It distinguishes plays that differ only by what they hit. Without it the
/// play is the one that hits on the named points only, if it exists.
///
/// ```
/// use tavli_backgammon::{Board, Roll, RuleSet, plays::notation};
/// let roll = Roll::new(4, 2)?;
/// let play = notation::parse_play(&Board::START, roll, "8/4 6/4", RuleSet::Backgammon)?;
/// assert_eq!(notation::parse_play(&Board::START, roll, "6/4, 8/4", RuleSet::Backgammon), Ok(play));
/// assert_eq!(play.opponent().count(4), 2);
///
/// let error = notation::parse_play(&Board::START, roll, "8/4 6/3", RuleSet::Backgammon).unwrap_err();
/// assert!(error.to_string().starts_with("'8/4 6/3' is not a play of 42 here;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotationError`] names the place where the text is not a move, or says that it is not a play of this roll, or lists
/// the plays that it can be.
pub fn parse_play(board: &Board, roll: Roll, text: &str, rules: RuleSet) -> Result<Board, NotationError> {
    let meant = Movement::parse(text)?;
    let blot = |point: u8| board.content(point) == -1;
    let named_hits =
        (1..=24).filter(|&point| blot(point)).fold(0, |hits, point| hits | (meant.landings & (1 << point)));

    let plays = Plays::new(board, roll, rules).to_vec();
    let boards: Vec<Board> = plays.iter().map(Play::board).collect();
    let moves_to = |after: &Board| Moves::between(board, roll, after);
    let hits_of = |after: &Board| {
        (1..=24)
            // The position is seen by the opponent, who has lost the blot if the point is empty.
            .filter(|&point| blot(point) && after.own().count(BAR - point) == 0)
            .fold(0_u32, |hits, point| hits | (1 << point))
    };
    let mut candidates: Vec<&Board> = boards
        .iter()
        .filter(|after| {
            (1..=BAR).all(|point| {
                let (was, is) = (board.own().count(point), after.opponent().count(point));
                meant.change[usize::from(point)] == i32::from(is) - i32::from(was)
            }) && (meant.marks | named_hits) & !hits_of(after) == 0
        })
        .collect();
    if candidates.len() > 1
        && let Some(exact) = candidates.iter().find(|after| hits_of(after) == meant.marks | named_hits)
    {
        candidates = vec![exact];
    }

    match candidates[..] {
        [play] => Ok(*play),
        [] => Err(NotationError::NoSuchPlay {
            text: text.to_owned(),
            roll,
            plays: boards.iter().filter_map(moves_to).collect(),
        }),
        _ => Err(NotationError::Ambiguous {
            text: text.to_owned(),
            alternatives: candidates.into_iter().filter_map(moves_to).collect(),
        }),
    }
}

/// The movement in a text: how many checkers each point gains, and where they land and hit.
#[derive(Default)]
struct Movement {
    change: [i32; 26],
    landings: u32,
    marks: u32,
}

impl Movement {
    fn parse(text: &str) -> Result<Movement, NotationError> {
        let mut movement = Movement::default();
        // ASCII alone, so that places in messages are those of the text.
        let lower = text.to_ascii_lowercase();
        if [CANNOT_MOVE, "no move", "pass"].contains(&lower.trim()) {
            return Ok(movement);
        }
        let mut reader = Reader { text: &lower, at: 0 };
        reader.skip_separators();
        loop {
            movement.read_checker(&mut reader)?;
            let end = reader.at;
            reader.skip_separators();
            if reader.rest().is_empty() {
                return Ok(movement);
            }
            if reader.at == end {
                return Err(reader.expected("'/', '*', '(' or a blank before the next move"));
            }
        }
    }

    /// One move such as `24/20*/18(2)`.
    fn read_checker(&mut self, reader: &mut Reader<'_>) -> Result<(), NotationError> {
        let start = reader.at;
        let from = reader.point("a point 1 to 24 or 'bar' (25)", 1..=BAR)?;
        if !reader.take('/') {
            return Err(reader.expected("'/' and the point the checker moves to"));
        }
        let mut to = from;
        loop {
            let origin = to;
            to = reader.point("a point 1 to 24 or 'off' (0)", OFF..=24)?;
            if to >= origin {
                return Err(NotationError::Direction { position: reader.position(start), from: origin, to });
            }
            self.landings |= 1 << to;
            if to != OFF && reader.take('*') {
                self.marks |= 1 << to;
            }
            if !reader.take('/') {
                break;
            }
        }
        let times = reader.times()?;
        self.change[usize::from(from)] -= times;
        if to != OFF {
            self.change[usize::from(to)] += times;
        }
        Ok(())
    }
}

/// A place in a text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Characters from 1, for messages.
    fn position(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }

    fn expected(&self, expected: &'static str) -> NotationError {
        NotationError::Syntax { position: self.position(self.at), expected }
    }

    fn skip_separators(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
    }

    fn take(&mut self, mark: char) -> bool {
        let taken = self.rest().starts_with(mark);
        if taken {
            self.at += mark.len_utf8();
        }
        taken
    }

    /// A point by number or name, within the range given.
    fn point(&mut self, expected: &'static str, range: core::ops::RangeInclusive<u8>) -> Result<u8, NotationError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let point = match &rest[..end] {
            "bar" => Some(BAR),
            "off" => Some(OFF),
            number => number.parse().ok(),
        };
        match point.filter(|point| range.contains(point)) {
            Some(point) => {
                self.at += end;
                Ok(point)
            }
            None => Err(self.expected(expected)),
        }
    }

    /// How often a move is made: `(1)` to `(4)`, or once.
    fn times(&mut self) -> Result<i32, NotationError> {
        match *self.rest().as_bytes() {
            [b'(', digit @ b'1'..=b'4', b')', ..] => {
                self.at += 3;
                Ok(i32::from(digit - b'0'))
            }
            [b'(', ..] => Err(self.expected("how often the move is made, '(2)' to '(4)'")),
            _ => Ok(1),
        }
    }
}
