//! The lines that a person writes.

use std::path::Path;

use tavli::run::Cancel;
use tavli_terminal::failure::Failure;
use tavli_terminal::line_reader::{Input, Lines, NextLine};

/// The longest line that may be a play or an order.
const MAX_LINE_BYTES: usize = 1000;

/// The standard input of a person.
#[derive(Default)]
pub(crate) struct Person {
    /// Read from the first question on: players alone leave the input to other programs.
    lines: Option<Lines>,
}

/// The next input of a person.
pub(crate) enum Said {
    /// A line, or why it could not be read.
    Line(Result<String, String>),
    /// Nothing more.
    End,
    /// Nothing until a signal came.
    Interrupted,
}

impl Person {
    /// Waits for the next line until it is cancelled.
    pub(crate) fn line(&mut self, cancel: &Cancel) -> Result<Said, Failure> {
        // Checked before each line: an endless input never waits.
        if cancel.is_cancelled() {
            return Ok(Said::Interrupted);
        }
        let lines = match self.lines.take() {
            Some(lines) => lines,
            None => Input::open(Path::new("-"))?.read()?,
        };
        let next = self.lines.insert(lines).next(|| cancel.is_cancelled())?;
        Ok(match next {
            NextLine::Line(line) => Said::Line(text(line)),
            NextLine::End => Said::End,
            NextLine::Idle => Said::Interrupted,
        })
    }
}

fn text(line: Vec<u8>) -> Result<String, String> {
    if line.len() > MAX_LINE_BYTES {
        return Err(format!("a line has at most {MAX_LINE_BYTES} bytes: write a play, or help"));
    }
    String::from_utf8(line).map_err(|_| "the line is not UTF-8: write a play, or help".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_and_other_bytes_are_refused() {
        assert_eq!(text(vec![b'x'; MAX_LINE_BYTES]), Ok("x".repeat(MAX_LINE_BYTES)));
        let error = text(vec![b'x'; MAX_LINE_BYTES + 1]).expect_err("too long");
        assert!(error.contains("at most 1000 bytes"), "{error}");
        let error = text(b"\xff".to_vec()).expect_err("no text");
        assert!(error.contains("not UTF-8"), "{error}");
    }
}
