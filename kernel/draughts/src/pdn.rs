//! Games as text: PDN, the Portable Draughts Notation.

use core::fmt::Write;

use tavli_base::text::{Quoted, bare};
use tavli_game::GameTranscript;
use thiserror::Error;

use crate::board::{Position, PositionError, Side};
use crate::plays::{CROSSES, MoveError, Play, plays, points};
use crate::rules::{Captures, Rules};

/// The number of English draughts among the games that PDN is for. Draughts by other rules have none.
const GAME_TYPE: &str = "21";

/// The tag that names rules other than English draughts. PDN defines none, so only this project reads it.
const RULES: &str = "Rules";

/// The most characters of a line of moves.
const MAX_LINE_CHARACTERS: usize = 80;

/// The ends of a game in PDN. White's points come first, although Black moves first.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The ends of a game as PDN 3.0 may have them: two points for a win, and none for both.
const RESULTS_OF_TWO_POINTS: [&str; 4] = ["2-0", "0-2", "1-1", "0-0"];

/// Why a text is not a game of draughts in PDN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum PdnError {
    #[error("'{0}' is not a tag of a game: write a name and a text in quotes, as in [Black \"name\"]")]
    Tag(String),
    #[error("a game of type {0}: English draughts has the GameType {GAME_TYPE}")]
    GameType(String),
    #[error("a game by the rules '{0}': the tag {RULES} has one of {names}", names = Rules::NAMES.join(", "))]
    Rules(String),
    #[error("the tag {name} is there twice, as '{first}' and as '{second}': keep one")]
    Twice { name: &'static str, first: String, second: String },
    #[error("the tag SetUp says that the game does not begin from the start, and there is no tag FEN: add one")]
    NoStart,
    #[error("a comment or a variation of the game does not end: close each {{ and (")]
    Open,
    #[error("there is more than one game: give the text of one")]
    Several,
    #[error("the text has no play of a game: write some, as in 1. 11-15 23-19, or tags and a result after them")]
    Nothing,
    #[error("the FEN of the game: {0}")]
    Start(#[from] PositionError),
    #[error("play {number} of the game: {error}")]
    Play { number: usize, error: MoveError },
    #[error("play {number} of the game, '{text}', comes after its end")]
    Over { number: usize, text: String },
    #[error("line {line}: {error}")]
    Line { line: usize, error: Box<PdnError> },
}

/// A game that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReadGame {
    /// Its last position, with the quiet plies that the rules count by which it is read.
    pub(crate) position: Position,
    /// The last position, with those that the rules of the game count.
    played: Position,
    /// The rules by which it was played.
    pub(crate) rules: Rules,
}

/// The tags that tell how a game begins, and by which rules.
#[derive(Debug)]
struct Tags {
    start: Position,
    fen: Option<String>,
    rules: Option<String>,
    has_set_up: bool,
    /// Whether there is any tag.
    is_any: bool,
}

impl Tags {
    const NONE: Tags = Tags { start: Position::START, fen: None, rules: None, has_set_up: false, is_any: false };

    /// Adds a tag. Names are read in small letters and capitals.
    fn add(&mut self, name: &str, value: String) -> Result<(), PdnError> {
        self.is_any = true;
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        match () {
            () if is("FEN") => {
                self.start = value.parse()?;
                once("FEN", &mut self.fen, value)
            }
            () if is(RULES) => match Rules::named(value.trim()) {
                Some(_) => once(RULES, &mut self.rules, value),
                None => Err(PdnError::Rules(Quoted::new(&value).to_string())),
            },
            () if is("GameType") && value.split(',').next().map(str::trim) != Some(GAME_TYPE) => {
                Err(PdnError::GameType(Quoted::new(&value).to_string()))
            }
            () if is("SetUp") => {
                self.has_set_up = value.trim() == "1";
                Ok(())
            }
            () => Ok(()),
        }
    }

    /// The position in which the game begins.
    fn start(&self) -> Result<Position, PdnError> {
        match self.has_set_up && self.fen.is_none() {
            true => Err(PdnError::NoStart),
            false => Ok(self.start),
        }
    }

    /// The rules of the game, if a tag names them.
    fn rules(&self) -> Option<Rules> {
        Rules::named(self.rules.as_deref()?.trim())
    }
}

/// Keeps the text of a tag, unless it contradicts the text that is there.
fn once(name: &'static str, kept: &mut Option<String>, value: String) -> Result<(), PdnError> {
    match kept.take_if(|first| first.trim() != value.trim()) {
        None => {
            *kept = Some(value);
            Ok(())
        }
        Some(first) => {
            let [first, second] = [first, value].map(|text| Quoted::new(&text).to_string());
            Err(PdnError::Twice { name, first, second })
        }
    }
}

/// Whether a text is a game rather than a FEN: it begins with a tag, a number, a comment or an escaped line.
pub(crate) fn is_game(text: &str) -> bool {
    bare(text).starts_with(|first: char| first.is_ascii_digit() || "[{;(%".contains(first))
}

/// Reads a game to its last position. All plays are made and checked: by these rules, or by those that its tag names.
pub(crate) fn read(text: &str, rules: Rules) -> Result<ReadGame, PdnError> {
    let text = bare(text);
    let mut rest = text;
    read_rest(text, &mut rest, rules).map_err(|error| match text.contains('\n') {
        true => {
            PdnError::Line { line: text[..text.len() - rest.len()].matches('\n').count() + 1, error: Box::new(error) }
        }
        false => error,
    })
}

/// Reads a game as [`read`]. After an error `rest` begins where it was found.
fn read_rest(text: &str, rest: &mut &str, rules: Rules) -> Result<ReadGame, PdnError> {
    let (mut tags, mut game, mut number, mut has_ended) = (Tags::NONE, None, 0, false);
    // The first jumps of a capture that is written jump by jump, where they stand, and the error if they are all.
    let mut jumps: Option<(String, &str, PdnError)> = None;
    loop {
        *rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            if let Some((_, place, error)) = jumps {
                *rest = place;
                return Err(error);
            }
            let has_game = number > 0 || tags.fen.is_some() || tags.is_any && has_ended;
            return match has_game {
                true => game.map_or_else(|| ReadGame::begun(&tags, rules), Ok),
                false => Err(PdnError::Nothing),
            };
        };
        let is_in_front = text[..text.len() - rest.len()].chars().next_back().is_none_or(|c| c == '\n');
        // The next tag, comment, variation or word.
        let end = match first {
            '[' => {
                if has_ended || number > 0 {
                    return Err(PdnError::Several);
                }
                let (name, value, behind) = tag(rest)?;
                tags.add(name, value)?;
                *rest = behind;
                continue;
            }
            '{' => rest.find('}').ok_or(PdnError::Open)? + 1,
            '(' => variation(rest).ok_or(PdnError::Open)?,
            ';' => rest.find('\n').unwrap_or(rest.len()),
            // A line that programs pass over.
            '%' if is_in_front => rest.find('\n').unwrap_or(rest.len()),
            _ => rest
                .find(|c: char| c.is_whitespace() || "[{;()".contains(c))
                .unwrap_or(rest.len())
                // A `)` alone would be a word without characters, and never be passed.
                .max(first.len_utf8()),
        };
        let (word, behind) = rest.split_at(end);
        // Without the move number, which may touch the move, and without marks such as `!?`.
        let play = word.rsplit('.').next().unwrap_or(word).trim_end_matches(['!', '?']);
        let is_result = RESULTS.contains(&word) || RESULTS_OF_TWO_POINTS.contains(&word);
        let is_comment = matches!(first, '{' | '(' | ';' | '$') || first == '%' && is_in_front;
        if !(is_comment || is_result || play.is_empty()) {
            if has_ended {
                return Err(PdnError::Several);
            }
            let begun = game.map_or_else(|| ReadGame::begun(&tags, rules), Ok)?;
            let mut play = play.to_owned();
            let mut place = *rest;
            if let Some((before, start, error)) = jumps.take() {
                place = start;
                play = joined(&before, &play).ok_or_else(|| {
                    *rest = start;
                    error
                })?;
            } else {
                number += 1;
            }
            match begun.after(&play, number, rules) {
                Ok(after) => game = Some(after),
                Err(error @ PdnError::Play { error: MoveError::NotAPlay { .. }, .. }) if play.contains(CROSSES) => {
                    game = Some(begun);
                    jumps = Some((play, place, error));
                }
                Err(error) => return Err(error),
            }
        }
        has_ended |= is_result;
        *rest = behind;
    }
}

/// A capture as one text, from its first jumps and a text that goes on where they end, as in `11x18 18x25`.
fn joined(jumps: &str, then: &str) -> Option<String> {
    let (start, further) = then.split_once(CROSSES)?;
    (jumps.rsplit(CROSSES).next() == Some(start)).then(|| format!("{jumps}x{further}"))
}

impl ReadGame {
    /// A game before its first play, by the rules of its tag, or else by these.
    fn begun(tags: &Tags, rules: Rules) -> Result<ReadGame, PdnError> {
        let position = tags.start()?;
        Ok(ReadGame { played: position, rules: tags.rules().unwrap_or(rules), position })
    }

    /// The game after a play, whose number is `number`. The rules `counting` count the quiet plies of the position.
    fn after(&self, play: &str, number: usize, counting: Rules) -> Result<ReadGame, PdnError> {
        let ReadGame { position, played, rules } = *self;
        if points(&played, rules).is_some() {
            let text = Quoted::new(play).to_string();
            return Err(PdnError::Over { number, text });
        }
        let play = Play::read(play, &played, rules).map_err(|error| PdnError::Play { number, error })?;
        let is_king = played.kings() & play.moves.squares()[0].set() != 0;
        let quiet = match counting.draw.counts(play.moves.is_capture(), is_king) {
            true => position.quiet().saturating_add(1),
            false => 0,
        };
        Ok(ReadGame { position: play.position.with_quiet(quiet), played: play.position, rules })
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
pub(crate) fn text(record: &GameTranscript<'_, Position>, rules: Rules) -> String {
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
    // Draughts without compulsory captures is no game of PDN's list: another program would stop where a capture is
    // declined.
    if rules.captures == Captures::Compulsory {
        tag("GameType", GAME_TYPE);
    }
    if let Some(name) = rules.name().filter(|_| rules != Rules::ENGLISH) {
        tag(RULES, name);
    }
    if record.start != Position::START {
        tag("SetUp", "1");
        tag("FEN", &record.start.to_string());
    }
    text.push('\n');
    let mut column = 0;
    for word in moves {
        if column > 0 {
            let fits = column + 1 + word.len() <= MAX_LINE_CHARACTERS;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push_str("\n\n");
    text
}
