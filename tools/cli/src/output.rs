//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Deref;

use serde::Serialize;
use tavli::Board;
use tavli::text::Quoted;

/// Characters of a line of a message at most, and lines of a message: what texts from outside have beyond them is left
/// out.
const MOST_CHARACTERS: usize = 2000;
const MOST_LINES: usize = 100;

/// The bytes of a long line of JSON: the decisions at 81 scores.
const LINE: usize = 1 << 14;

/// Writes a message to standard error. All errors and remarks go through here, with control characters escaped, since
/// texts from outside may hold some. If nobody reads it, that is not a failure.
pub(crate) fn complain(message: impl Display) {
    let _ = writeln!(io::stderr(), "{}", shown(&message.to_string()));
}

/// A message without characters that a terminal would obey, and without the middle of long lines.
fn shown(message: &str) -> String {
    let mut lines = message.split('\n');
    let mut shown: Vec<String> = lines
        .by_ref()
        .take(MOST_LINES)
        .map(|line| Quoted::new(line).within(MOST_CHARACTERS).to_string())
        .collect();
    if lines.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join("\n")
}

/// Writes a value as JSON over several lines, for a result that stands alone.
pub(crate) fn json(output: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, value)?;
    writeln!(output)
}

/// A value as JSON, on one line or over several, without an end of the line behind it.
pub(crate) fn json_text(value: &impl Serialize, is_line: bool) -> io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(LINE);
    match is_line {
        true => serde_json::to_writer(&mut text, value)?,
        false => serde_json::to_writer_pretty(&mut text, value)?,
    }
    Ok(text)
}

/// Writes a value as JSON on one line, for results that come one by one.
pub(crate) fn json_line(output: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut line = json_text(value, true)?;
    line.push(b'\n');
    output.write_all(&line)
}

/// The text of a position, under the key that results of its game have for it.
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PositionJson {
    /// Of backgammon.
    #[serde(rename = "position_id")]
    Id(String),
    /// Of another game.
    #[serde(rename = "position")]
    Text(String),
}

impl PositionJson {
    pub(crate) fn of_board(board: Board) -> PositionJson {
        PositionJson::Id(board.position_id().to_string())
    }

    pub(crate) fn into_text(self) -> String {
        match self {
            PositionJson::Id(text) | PositionJson::Text(text) => text,
        }
    }
}

impl Deref for PositionJson {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            PositionJson::Id(text) | PositionJson::Text(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_lines_but_no_controls_and_an_end() {
        assert_eq!(shown("error: a\n\nb"), "error: a\n\nb");
        assert_eq!(shown("\u{1b}]0;x\u{7}\r"), r"\u{1b}]0;x\u{7}\r");
        let long = shown(&"x".repeat(1_000_000));
        assert_eq!(long.chars().count(), MOST_CHARACTERS + 1);
        let lines = shown(&"x\n".repeat(1000));
        assert_eq!(lines.lines().count(), MOST_LINES + 1);
        assert!(lines.ends_with("x\n…"));
    }
}
