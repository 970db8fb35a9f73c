//! The outcome and length of each game, as CSV.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tavli::run::{Report, Run, Workers};
use tavli::{Outcome, Record};

use crate::failure::Failure;
use crate::progress::Bar;

/// Where records go: a file, or `-` for standard output.
pub(crate) struct Records {
    path: PathBuf,
    output: Box<dyn Write>,
}

impl Records {
    /// Opens the output and writes the names of the columns.
    pub(crate) fn create(path: &Path) -> Result<Records, Failure> {
        let mut records = Records {
            path: path.to_owned(),
            output: Box::new(io::stdout()),
        };
        if !records.on_standard_output() {
            let file = File::create(path).map_err(|error| {
                Failure::run(format_args!("cannot create {}: {error}", path.display()))
            })?;
            records.output = Box::new(file);
        }
        let written = records.output.write_all(b"game,outcome,plies\n");
        written.map_err(|error| records.failure(&error))?;
        Ok(records)
    }

    pub(crate) fn on_standard_output(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Plays the games of a run and writes a line for each.
    pub(crate) fn play(&mut self, run: &Run, workers: &Workers) -> Result<Report, Failure> {
        let bar = Bar::new();
        run.play_recorded(
            workers,
            |progress| bar.show(progress),
            line,
            &mut self.output,
        )
        .map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        if self.on_standard_output() {
            Failure::writing("standard output", error)
        } else {
            Failure::writing(self.path.display(), error)
        }
    }
}

/// Appends the line of a game.
fn line(record: &Record, lines: &mut Vec<u8>) {
    let outcome = record.outcome.map_or("unfinished", Outcome::name);
    push_decimal(lines, record.game);
    lines.push(b',');
    lines.extend_from_slice(outcome.as_bytes());
    lines.push(b',');
    push_decimal(lines, u64::from(record.plies));
    lines.push(b'\n');
}

/// Appends a number: several times as fast as formatting, which would take longer than the game.
fn push_decimal(text: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tavli::Board;

    #[test]
    fn lines_are_written_as_formatted() {
        for game in [0, 9, 10, 12_345, u64::MAX] {
            let record = Record {
                game,
                outcome: Some(Outcome::LoseGammon),
                plies: 107,
                board: Board::START,
            };
            let mut text = Vec::new();
            line(&record, &mut text);
            assert_eq!(
                String::from_utf8(text).unwrap(),
                format!("{game},lose_gammon,107\n")
            );
        }
    }
}
