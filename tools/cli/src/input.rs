//! The lines of a file of positions, or of standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;

/// The most lines read ahead.
const LINES_AHEAD: usize = 4096;
/// The most bytes of a line.
const LONGEST_LINE: usize = 1 << 16;
/// The time without a line after which the caller may give up.
const PATIENCE: Duration = Duration::from_millis(50);

/// An open input.
pub(crate) struct Input {
    path: PathBuf,
    is_file: bool,
    input: Box<dyn BufRead + Send>,
}

/// Lines read by a separate thread, which nobody needs to wait for.
pub(crate) struct Lines {
    path: PathBuf,
    is_file: bool,
    lines: Receiver<io::Result<Vec<u8>>>,
}

/// The next item of the input.
pub(crate) enum Next {
    Line(Vec<u8>),
    End,
    /// No line came, and the caller gave up.
    Idle,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
        let (is_file, input): (bool, Box<dyn BufRead + Send>) = if path == Path::new("-") {
            (false, Box::new(BufReader::new(io::stdin())))
        } else {
            let file = File::open(path).map_err(|error| failure(path, &error))?;
            let kind = file.metadata().map_err(|error| failure(path, &error))?;
            (kind.is_file(), Box::new(BufReader::new(file)))
        };
        Ok(Input {
            path: path.to_owned(),
            is_file,
            input,
        })
    }

    /// Begins to read.
    pub(crate) fn read(self) -> Result<Lines, Failure> {
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        let mut input = self.input;
        let read = move || {
            for number in 1.. {
                let mut line = Vec::new();
                let sent = match read_line(&mut input, number, &mut line) {
                    Ok(false) => break,
                    Ok(true) => sender.send(Ok(line)),
                    Err(error) => sender.send(Err(error)),
                };
                if sent.is_err() {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("positions".to_owned());
        thread
            .spawn(read)
            .map_err(|error| failure(&self.path, &error))?;
        Ok(Lines {
            path: self.path,
            is_file: self.is_file,
            lines,
        })
    }
}

impl Lines {
    /// Whether the input is a file, which never makes the caller wait.
    pub(crate) fn is_file(&self) -> bool {
        self.is_file
    }

    /// Waits for the next line until the caller `gives_up`.
    pub(crate) fn next(&self, gives_up: impl Fn() -> bool) -> Result<Next, Failure> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(Ok(line)) => return Ok(Next::Line(line)),
                Ok(Err(error)) => return Err(failure(&self.path, &error)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Next::End),
                Err(RecvTimeoutError::Timeout) if gives_up() => return Ok(Next::Idle),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Reads line `number` without its end; returns whether there was one.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] if it is longer than any line that says something: the input may have no end.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    number: u64,
    line: &mut Vec<u8>,
) -> io::Result<bool> {
    line.clear();
    let read = input
        .take(LONGEST_LINE as u64 + 1)
        .read_until(b'\n', line)?;
    if line.pop_if(|&mut last| last == b'\n').is_none() && line.len() > LONGEST_LINE {
        let text = format!("line {number} has more than {LONGEST_LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(read > 0)
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::run(format_args!("cannot read {}: {error}", path.display()))
}
