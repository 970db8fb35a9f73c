//! Lines of an input, answered in batches.

use tavli::run::Cancel;

use crate::answered_lines::Texts;
use crate::failure::Failure;
use crate::line_reader::{Lines, NextLine};
use crate::output;

/// Lines that are answered in batches.
#[derive(Debug)]
pub struct Batches<'a> {
    lines: Lines,
    texts: Texts,
    cancel: &'a Cancel,
    /// Lines read, and bad ones among them.
    number: u64,
    bad_lines: u64,
}

impl<'a> Batches<'a> {
    /// The batches of lines, until `cancel` ends them.
    #[must_use]
    pub fn new(lines: Lines, cancel: &'a Cancel) -> Batches<'a> {
        Batches { lines, texts: Texts::default(), cancel, number: 0, bad_lines: 0 }
    }

    /// What `read` makes of the numbers and the texts of the next lines, `most` at most, and whether they are the last.
    /// If no line comes for a while, returns those read so far, so that a program at the other end gets its answer.
    /// Lines that `read` refuses are reported.
    pub fn next<T>(
        &mut self,
        most: usize,
        read: impl Fn(u64, &str) -> Result<T, String>,
    ) -> Result<(Vec<T>, bool), Failure> {
        let mut batch = Vec::new();
        // Bad lines do not fill the batch, and may come without end.
        while batch.len() < most && !self.cancel.is_cancelled() {
            let is_enough = || !batch.is_empty() || self.cancel.is_cancelled();
            let line = match self.lines.next(is_enough)? {
                NextLine::Line(line) => line,
                NextLine::End => return Ok((batch, true)),
                NextLine::Idle => break,
            };
            self.number += 1;
            let Some(text) = self.texts.next(&line) else {
                continue;
            };
            match text.and_then(|text| read(self.number, text)) {
                Ok(read) => batch.push(read),
                Err(message) => {
                    self.bad_lines += 1;
                    output::write_message(format_args!("error: line {}: {message}", self.number));
                }
            }
        }
        Ok((batch, false))
    }

    /// Fails if there were bad lines, which have no answers.
    pub fn have_answers(&self) -> Result<(), Failure> {
        match self.bad_lines {
            0 => Ok(()),
            _ => Err(Failure::Reported),
        }
    }
}
