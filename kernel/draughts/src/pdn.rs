//! Games as text: PDN, the Portable Draughts Notation.

use core::fmt::Write;

use tavli_game::GameRecord;
use tavli_game::text::Quoted;
use thiserror::Error;

use crate::board::{Position, PositionError, Side};
use crate::plays::{MoveError, Play, plays, points};
use crate::rules::Rules;

/// The number of English draughts among the games that PDN is for.
const GAME_TYPE: &str = "21";

/// The most characters of a line of moves.
const LINE: usize = 80;

/// The ends of a game in PDN. White's points come first, although Black moves first.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Why a text is not a game of English draughts in PDN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum PdnError {
    #[error("'{0}' is no tag of a game: write a name and a text in quotes, as in [Black \"name\"]")]
    Tag(String),
    #[error("a game of type {0}: English draughts has the GameType {GAME_TYPE}")]
    GameType(String),
    #[error("a comment or a variation of the game does not end: close each {{ and (")]
    Open,
    #[error("there is more than one game: give the text of one")]
    Several,
    #[error("the FEN of the game: {0}")]
    Start(#[from] PositionError),
    #[error("play {number} of the game: {error}")]
    Play { number: usize, error: MoveError },
    #[error("play {number} of the game, '{text}', comes after its end")]
    Over { number: usize, text: String },
}

/// Whether a text is a game rather than a FEN: it begins with a tag or a number.
pub(crate) fn is_game(text: &str) -> bool {
    text.trim_start()
        .starts_with(|first: char| first == '[' || first.is_ascii_digit())
}

/// The last position of a game, whose plays are all made and checked.
pub(crate) fn last_position(text: &str, rules: Rules) -> Result<Position, PdnError> {
    let (mut position, mut number, mut has_ended) = (Position::START, 0, false);
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Ok(position);
        };
        // The next tag, comment, variation or word.
        let end = match first {
            '[' => {
                if has_ended || number > 0 {
                    return Err(PdnError::Several);
                }
                let (name, value, behind) = tag(rest)?;
                match name {
                    "FEN" => position = value.parse()?,
                    "GameType" if value.split(',').next().map(str::trim) != Some(GAME_TYPE) => {
                        return Err(PdnError::GameType(Quoted::new(&value).to_string()));
                    }
                    _ => {}
                }
                rest = behind;
                continue;
            }
            '{' => rest.find('}').ok_or(PdnError::Open)? + 1,
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '(' => variation(rest).ok_or(PdnError::Open)?,
            _ => rest
                .find(|c: char| c.is_whitespace() || "[{;()".contains(c))
                .unwrap_or(rest.len())
                .max(first.len_utf8()),
        };
        let (word, behind) = rest.split_at(end);
        rest = behind;
        if matches!(first, '{' | ';' | '(' | '$') {
            continue;
        }
        if RESULTS.contains(&word) {
            has_ended = true;
            continue;
        }
        // Without the move number, which may touch the move, and without marks such as `!?`.
        let play = word.rsplit('.').next().unwrap_or(word).trim_end_matches(['!', '?']);
        if play.is_empty() {
            continue;
        }
        if has_ended {
            return Err(PdnError::Several);
        }
        number += 1;
        if points(&position, rules).is_some() {
            let text = Quoted::new(play).to_string();
            return Err(PdnError::Over { number, text });
        }
        let play = Play::read(play, &position, rules).map_err(|error| PdnError::Play { number, error })?;
        position = play.position;
    }
}

/// The name and the text of the tag at the beginning, and the rest after it.
fn tag(text: &str) -> Result<(&str, String, &str), PdnError> {
    let line = text.lines().next().unwrap_or(text);
    let error = || PdnError::Tag(Quoted::new(line).to_string());
    let (name, quoted) = text[1..].split_once('"').ok_or_else(error)?;
    let (mut value, mut is_escaped) = (String::new(), false);
    for (at, c) in quoted.char_indices() {
        match c {
            '"' if !is_escaped => {
                let behind = quoted[at + 1..].trim_start().strip_prefix(']').ok_or_else(error)?;
                return Ok((name.trim(), value, behind));
            }
            '\n' => break,
            '\\' if !is_escaped => is_escaped = true,
            _ => {
                value.push(c);
                is_escaped = false;
            }
        }
    }
    Err(error())
}

/// The length of the variation at the beginning, which may have others in it.
fn variation(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The text of a game, with a blank line behind it.
pub(crate) fn text(record: &GameRecord<'_, Position>, rules: Rules) -> String {
    let mut position = record.start;
    let first = position.side();
    let of = |side: Side| record.players[usize::from(side != first)];
    let mut moves = Vec::new();
    let mut number = 1;
    for (ply, &(_, choice)) in record.turns.iter().enumerate() {
        let play = plays(&position, rules)[choice];
        match position.side() {
            Side::Black => moves.push(format!("{number}.")),
            Side::White if ply == 0 => moves.push(format!("{number}...")),
            Side::White => {}
        }
        moves.push(play.moves.to_string());
        number += u32::from(position.side() == Side::White);
        position = play.position;
    }
    let result = match (points(&position, rules), position.side()) {
        (None, _) => RESULTS[3],
        (Some(0), _) => RESULTS[2],
        (Some(1..), Side::White) | (Some(..0), Side::Black) => RESULTS[0],
        (Some(_), _) => RESULTS[1],
    };
    moves.push(result.to_owned());

    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', r"\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("strings take all");
    };
    tag("Black", of(Side::Black));
    tag("White", of(Side::White));
    tag("Result", result);
    tag("GameType", GAME_TYPE);
    if record.start != Position::START {
        tag("SetUp", "1");
        tag("FEN", &record.start.to_string());
    }
    text.push('\n');
    let mut column = 0;
    for word in moves {
        if column > 0 {
            let fits = column + 1 + word.len() <= LINE;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push_str("\n\n");
    text
}
