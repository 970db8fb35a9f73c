//! The lines of a file of positions, or of standard input.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, select};
use tavli::text::without_mark;

use crate::failure::Failure;
use crate::lines;

/// The most lines read ahead, of at most [`lines::LONGEST`] bytes.
const LINES_AHEAD: usize = 4096;
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
        let (sender, lines) = bounded(LINES_AHEAD);
        let mut input = self.input;
        let read = move || {
            let mut line = Vec::new();
            for number in 1_u64.. {
                let item = match lines::read_line(&mut input, lines::LONGEST, &mut line) {
                    Ok(None) => break,
                    Ok(Some(_)) if number == 1 => Ok(without_mark(&line).to_vec()),
                    Ok(Some(_)) => Ok(line.clone()),
                    Err(error) => Err(error),
                };
                let is_end = item.is_err();
                if sender.send(item).is_err() || is_end {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("positions".to_owned());
        thread.spawn(read).map_err(|error| failure(&self.path, &error))?;
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

    /// Waits for the next line until `done` has no sender any more.
    // Not by looking again and again: frontends ask thousands of times, and an answer takes less than a millisecond.
    pub(crate) fn next_before(&self, done: &Receiver<Infallible>) -> Result<Next, Failure> {
        select! {
            recv(self.lines) -> line => match line {
                Ok(Ok(line)) => Ok(Next::Line(line)),
                Ok(Err(error)) => Err(failure(&self.path, &error)),
                Err(_) => Ok(Next::End),
            },
            recv(done) -> _ => Ok(Next::Idle),
        }
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

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::run(format_args!("cannot read {}: {error}", path.display()))
}
