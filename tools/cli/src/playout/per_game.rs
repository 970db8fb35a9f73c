//! `--per-game`: the outcome and length of each game, as CSV.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tavli::file::Target;
use tavli::run::{Cancel, PlayoutReport, Workers};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::line_reader;
use tavli_terminal::output::{self, Watched};
use tavli_terminal::progress::Bar;

use super::playing::PreparedRun;
use super::summary::Summary;
use crate::arguments::Overwrite;

/// The output for records: a file, or `-` for standard output.
pub(crate) struct PerGame {
    path: PathBuf,
    output: Box<dyn Write>,
    /// The file, locked against other processes.
    target: Option<Target>,
}

impl PerGame {
    /// Opens the output, which may wait for the reader of a pipe until it is cancelled, and writes the names of the
    /// columns.
    pub(crate) fn create(path: &Path, overwrite: Overwrite, cancel: &Cancel) -> Result<PerGame, Failure> {
        let mut records = PerGame { path: path.to_owned(), output: Box::new(output::stdout()), target: None };
        if !records.on_standard_output() {
            let is_stream = |found: fs::Metadata| !found.is_file() && !found.is_dir();
            if fs::metadata(path).is_ok_and(is_stream) {
                // A pipe or a device gets the records directly, and is not replaced.
                let name = path.to_owned();
                let open = move || File::options().write(true).open(name);
                let opened = line_reader::unless(open, || cancel.is_cancelled()).and_then(Option::transpose);
                let file = opened
                    .map_err(|error| Failure::usage(format_args!("cannot write to {}: {error}", path.display())))?
                    .ok_or_else(|| Failure::run(NO_RESULT))?;
                records.output = Box::new(Watched(file));
            } else {
                let target = overwrite.open(path)?;
                records.output = Box::new(target.write_on(0).map_err(Failure::unwritten)?);
                records.target = Some(target);
            }
        }
        let written = records.output.write_all(b"game,outcome,plies\n");
        written.map_err(|error| records.failure(&error))?;
        Ok(records)
    }

    pub(crate) fn on_standard_output(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Plays the games of a run, which `cancel` ends, and writes one line per game. A failure to write ends the run;
    /// the games played are reported in any case.
    pub(crate) fn play(
        &mut self,
        run: PreparedRun,
        cancel: &Cancel,
        workers: &Workers,
    ) -> (PlayoutReport<Summary>, Result<(), Failure>) {
        let bar = Bar::new();
        let mut output = Ending { output: &mut self.output, cancel, failure: None };
        let report =
            run(workers, &mut |progress| bar.show(progress), Some(&mut output)).expect("its failures are kept");
        let failure = output.failure;
        let written = failure.map_or_else(|| self.check_in_place(), |error| Err(self.failure(&error)));
        (report, written)
    }

    /// Checks that the file written can still be found.
    fn check_in_place(&self) -> Result<(), Failure> {
        let checked = self.target.as_ref().map_or(Ok(()), Target::check_in_place);
        checked.map_err(|error| {
            Failure::run(format_args!("{error}; if it is lost, the same command plays the same games"))
        })
    }

    fn failure(&self, error: &io::Error) -> Failure {
        if self.on_standard_output() {
            Failure::writing("standard output", error)
        } else {
            Failure::writing(self.path.display(), error)
        }
    }
}

/// An output that ends the run when it fails, and then drops all it is given.
struct Ending<'a> {
    output: &'a mut dyn Write,
    cancel: &'a Cancel,
    failure: Option<io::Error>,
}

impl Ending<'_> {
    fn attempt(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.failure.is_none()
            && let Err(error) = write(self.output)
        {
            self.failure = Some(error);
            self.cancel.cancel();
        }
    }
}

impl Write for Ending<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|output| output.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(|output| output.flush());
        Ok(())
    }
}

/// Appends the line of a game, which was cut off if it has no outcome.
pub(super) fn line(game: u64, outcome: Option<&str>, plies: u32, lines: &mut Vec<u8>) {
    push_decimal(lines, game);
    lines.push(b',');
    lines.extend_from_slice(outcome.unwrap_or("unfinished").as_bytes());
    lines.push(b',');
    push_decimal(lines, u64::from(plies));
    lines.push(b'\n');
}

/// Appends a number, several times as fast as formatting, which would take longer than the game.
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

    #[test]
    fn lines_are_written_as_formatted() {
        for game in [0, 9, 10, 12_345, u64::MAX] {
            let mut text = Vec::new();
            line(game, Some("lose_gammon"), 107, &mut text);
            assert_eq!(String::from_utf8(text).unwrap(), format!("{game},lose_gammon,107\n"));
        }
    }
}
