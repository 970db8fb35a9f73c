//! Positions as people paste them: IDs with labels or words around them, in either order, percent-encoded as in the
//! address of a page, or in a whole text that eXtreme Gammon or GNU Backgammon copies.
//!
//! An ID is known by its form: the 26 characters of a board and `:`; two lists of places and a cube, as in an OGID; 14
//! characters that are a Position ID; 12 that are a Match ID. Text must be an ID if a label such as `XGID=` or
//! `Position ID:` announces it, or a `:` joins it to an ID. All IDs of a text must be of one position.

use super::context::Context;
use super::fibs;
use super::match_id;
use super::ogid;
use super::xgid;
use crate::board::checkers::Board;
use crate::board::match_id::MatchId;
use crate::board::position::Position;
use crate::board::position_error::PositionError;
use crate::board::position_id::PositionId;
use crate::board::reading::Reading;
use crate::board::remark::Remark;
use crate::dice::Roll;

/// The labels of a Position ID, a Match ID or both, in lower case.
const LABELS: [&str; 8] =
    ["position id", "positionid", "gnuid", "gnu id", "gnubgid", "gnubg id", "match id", "matchid"];

/// The IDs of a text, each once.
#[derive(Default)]
struct IdInText<'a> {
    fibs: Vec<(&'a str, Reading)>,
    ogids: Vec<(&'a str, Reading)>,
    xgids: Vec<(&'a str, Reading)>,
    boards: Vec<(&'a str, Board)>,
    contexts: Vec<(&'a str, (Context, Option<Remark>))>,
    /// The words after the last ID.
    rest: Vec<&'a str>,
}

/// The position that the IDs in a text stand for; `None` if the text has none.
pub(super) fn find(text: &str) -> Option<Result<Reading, PositionError>> {
    let text = &percent_decoded(text);
    IdInText::search(text).and_then(|found| found.reading(text)).transpose()
}

impl<'a> IdInText<'a> {
    fn search(text: &'a str) -> Result<IdInText<'a>, PositionError> {
        check_labels(text)?;
        let mut found = IdInText::default();
        for token in text.split_whitespace() {
            // Any text may have the word `board:`. A line has 52 fields.
            if token.starts_with(fibs::PREFIX) && token.matches(':').count() > 10 {
                keep(&mut found.fibs, token, Reading::with_context(Position::from_fibs(token)?, None));
            }
        }
        let words: Vec<&str> = text.split(is_between).filter(|word| !word.is_empty()).collect();
        for (at, word) in words.iter().enumerate() {
            if found.add(word, words.get(at + 1).copied())? {
                found.rest = words[at + 1..].to_vec();
            }
        }
        Ok(found)
    }

    /// Adds the IDs of a word, and says whether there are any. `next` is the word behind it.
    fn add(&mut self, word: &'a str, next: Option<&'a str>) -> Result<bool, PositionError> {
        if let Some(start) = ogid::find(word) {
            // Its last fields may be empty.
            let text = word[start..].trim_end_matches([':', '/']);
            keep(&mut self.ogids, text, ogid::read(text)?);
            return Ok(true);
        }
        let mut start = 0;
        let mut parts: Vec<&str> = Vec::new();
        for part in word.split(':') {
            if xgid::is_board(part) && word[start + part.len()..].starts_with(':') {
                let text = word[start..].trim_end_matches(':');
                keep(&mut self.xgids, text, xgid::read(text)?);
                return Ok(true);
            }
            start += part.len() + 1;
            parts.push(part);
        }
        let board_at = parts.iter().position(|part| read_board(part).is_some());
        let context_at = parts.iter().position(|part| read_context(part).is_some());
        match (board_at, context_at) {
            (None, None) => return Ok(false),
            (None, Some(at)) => {
                // Whatever else is joined to a Match ID should be a Position ID.
                let others = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
                let other = others.filter_map(|at| parts.get(at)).find(|part| !is_label(part));
                if let Some(other) = other {
                    Board::from_position_id(other)?;
                }
            }
            (Some(at), _) => {
                let behind = match parts.get(at + 1) {
                    Some(&"") => next.map(|next| next.split(':').next().unwrap_or(next)),
                    behind => behind.copied(),
                };
                let before = at.checked_sub(1).map(|before| parts[before]);
                let before = before.filter(|part| !is_label(part));
                for joined in behind.into_iter().chain(before) {
                    match_id::read(joined)?;
                }
                if parts.len() > at + 2 {
                    return Err(PositionError::Unknown(word.to_owned()));
                }
            }
        }
        for part in parts {
            if let Some(board) = read_board(part) {
                keep(&mut self.boards, part, board);
            } else if let Some(context) = read_context(part) {
                keep(&mut self.contexts, part, context);
            }
        }
        Ok(true)
    }

    /// The one position that all IDs stand for.
    fn reading(&self, text: &str) -> Result<Option<Reading>, PositionError> {
        let differ = |one: &str, other: &str| PositionError::Several { one: one.to_owned(), other: other.to_owned() };
        let fibs = one_of(&self.fibs)?;
        let ogid = one_of(&self.ogids)?;
        let xgid = one_of(&self.xgids)?;
        let board = one_of(&self.boards)?;
        let context = one_of(&self.contexts)?;
        // A FIBS line and an OGID hold less than an XGID: they are compared with those of its position.
        for (other, written) in [(fibs, Position::fibs as fn(&Position) -> String), (ogid, Position::ogid)] {
            if let (Some((id, reading)), Some((line, of_line))) = (xgid, other)
                && written(&reading.position) != written(&of_line.position)
            {
                return Err(differ(id, line));
            }
        }
        if let (Some((id, reading)), Some((line, of_line))) = (ogid, fibs)
            && reading.position.fibs() != of_line.position.fibs()
        {
            return Err(differ(id, line));
        }
        let reading = match (xgid.or(ogid).or(fibs), board, context) {
            (Some((id, reading)), board, context) => {
                if let Some((other, _)) = board.filter(|(_, board)| board != reading.position.board()) {
                    return Err(differ(id, other));
                }
                let match_id: MatchId = reading.position.match_id();
                // Any board will do, as a Match ID has none.
                let of_context = |context: &Context| match Position::new(Board::START, *context) {
                    Ok(position) => position.match_id() == match_id,
                    Err(_) => false,
                };
                if let Some((other, _)) = context.filter(|(_, context)| !of_context(&context.0)) {
                    return Err(differ(id, other));
                }
                *reading
            }
            (None, Some((_, board)), Some((_, (context, remark)))) => {
                Reading::with_context(Position::checked(*board, *context), *remark)
            }
            (None, Some((_, board)), None) => Reading::from_board(*board),
            (None, None, Some((id, _))) => return Err(PositionError::NoBoard(id.to_string())),
            (None, None, None) => return Ok(None),
        };
        // In a text of several lines, a score or a count of pips may follow.
        match self.roll_behind() {
            Some(roll) if text.lines().count() == 1 && reading.position.roll() != Some(roll) => {
                Err(PositionError::RollBehind { text: text.to_owned(), roll })
            }
            _ => Ok(Some(reading)),
        }
    }

    /// The roll that stands behind the last ID, as in `4HPwATDgc/ABMA 31`.
    fn roll_behind(&self) -> Option<Roll> {
        let dice: String = match *self.rest {
            [a, b, ..] if a.len() == 1 && b.len() == 1 => [a, b].concat(),
            [a, ..] => a.replace('-', ""),
            [] => return None,
        };
        dice.parse().ok()
    }
}

/// Adds an ID, unless an earlier one says the same.
fn keep<'a, T: PartialEq>(found: &mut Vec<(&'a str, T)>, text: &'a str, value: T) {
    if found.iter().all(|(_, before)| *before != value) {
        found.push((text, value));
    }
}

/// The only ID, if there is one.
fn one_of<'a, T>(found: &'a [(&'a str, T)]) -> Result<Option<&'a (&'a str, T)>, PositionError> {
    match found {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        [(one, _), (other, _), ..] => Err(PositionError::Several { one: one.to_string(), other: other.to_string() }),
    }
}

/// Checks that an ID stands behind each label that ends with `=` or `:`.
fn check_labels(text: &str) -> Result<(), PositionError> {
    // ASCII alone, so that places in both texts are the same.
    let lower = text.to_ascii_lowercase();
    // The text after a label, up to the next character that no ID has.
    let announced = |end: usize| {
        let behind = text[end..].trim_start();
        let behind = behind.strip_prefix(['=', ':'])?;
        Some(behind.trim_start())
    };
    let id = |behind: &'_ str| behind.split(is_between).next().unwrap_or_default().to_owned();
    // Not the end of a word such as blogid, or of an ID: a Match ID may end with the letters of XGID.
    let begins_word = |at: usize| !lower[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/'));
    for (at, label) in lower.match_indices("xgid") {
        if begins_word(at)
            && let Some(behind) = announced(at + label.len())
        {
            let id = id(behind);
            if !id.split_once(':').is_some_and(|(board, _)| xgid::is_board(board)) {
                let token = behind.split_whitespace().next().unwrap_or_default();
                xgid::read(token)?;
            }
        }
    }
    for (at, label) in lower.match_indices("ogid") {
        if begins_word(at)
            && let Some(behind) = announced(at + label.len())
            && !ogid::is_ogid(&id(behind))
        {
            ogid::read(behind.split_whitespace().next().unwrap_or_default())?;
        }
    }
    for label in LABELS {
        for (at, label) in lower.match_indices(label) {
            let Some(behind) = announced(at + label.len()).filter(|_| begins_word(at)) else {
                continue;
            };
            let id = id(behind);
            let first = id.split(':').next().unwrap_or_default();
            if read_board(first).is_some() || read_context(first).is_some() {
                continue;
            }
            match label.starts_with("match") || first.len() == MatchId::CHARACTERS {
                true => drop(match_id::read(first)?),
                false => drop(Board::from_position_id(first)?),
            }
        }
    }
    Ok(())
}

/// Whether a character belongs to no ID.
fn is_between(character: char) -> bool {
    // A digit of any script makes another ID of the one before it. Letters of other scripts do not: Chinese and
    // Japanese have no spaces around an ID.
    !(character.is_ascii_alphanumeric() || character.is_numeric() || matches!(character, '+' | '/' | ':' | '-'))
}

/// Whether a text that a `:` joins to an ID is a label or empty.
fn is_label(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    let is_word = ["", "id", "position", "pos", "gnu", "gnubg"].contains(&&*lower);
    is_word || LABELS.contains(&&*lower)
}

fn read_board(text: &str) -> Option<Board> {
    (text.len() == PositionId::CHARACTERS).then(|| Board::from_position_id(text).ok())?
}

fn read_context(text: &str) -> Option<(Context, Option<Remark>)> {
    (text.len() == MatchId::CHARACTERS).then(|| match_id::read(text).ok())?
}

/// The text with the ASCII characters that `%` and two digits stand for, as in the address of a page.
fn percent_decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
            // IDs are ASCII. Other bytes are parts of characters.
            .filter(u8::is_ascii)
        {
            Some(byte) => {
                decoded.push(byte.into());
                decoded.push_str(&part[2..]);
            }
            None => {
                decoded.push('%');
                decoded.push_str(part);
            }
        }
    }
    decoded
}
