//! The lines of a file of positions, or of standard input.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, select};
use tavli::text::without_mark;

use crate::failure::Failure;

/// The longest line that is read: a position, a roll, and all its plays.
pub const MAX_LINE_BYTES: usize = 1 << 16;

/// The most bytes of a longer line that are passed over; the lines after it are answered.
pub const MAX_PASSED_OVER: u64 = 1 << 28;

/// The most lines read ahead, of at most [`MAX_LINE_BYTES`] bytes.
const LINES_AHEAD: usize = 4096;
/// The time without a line after which the caller may give up.
const LINE_TIMEOUT: Duration = Duration::from_millis(50);

/// An open input.
#[derive(Debug)]
pub struct Input {
    path: PathBuf,
    source: Source,
}

/// Where lines come from.
#[derive(Debug)]
enum Source {
    Standard,
    File(File),
    /// A pipe or a device. Its reading thread opens it: opening a pipe waits for the writer.
    Stream,
}

/// Lines read by a separate thread, for which nobody has to wait.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    lines: Receiver<io::Result<Vec<u8>>>,
}

/// The next item of the input.
#[derive(Debug)]
pub enum NextLine {
    Line(Vec<u8>),
    End,
    /// No line came, and the caller gave up.
    Idle,
}

/// Reads a line without its end into `line`, up to `most` bytes; passes over the rest of a longer one, up to
/// `passed_over` bytes. Returns whether the line is whole, or `None` at the end of the input.
///
/// # Errors
/// The error of the input, or [`io::ErrorKind::InvalidData`] if a line has more bytes than are passed over.
pub fn read_line(
    input: &mut impl BufRead,
    most: usize,
    passed_over: u64,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    if input.take(most as u64 + 1).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|&mut last| last == b'\n').is_some() || line.len() <= most {
        return Ok(Some(true));
    }
    line.truncate(most);
    let passed = input.take(passed_over).skip_until(b'\n')?;
    if passed as u64 == passed_over {
        let text = format!("a line has more than {passed_over} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(Some(false))
}

/// The lines of a text without line feeds. Some spreadsheets end them by carriage returns alone.
fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.strip_suffix(b"\r").unwrap_or(text).split(|&byte| byte == b'\r')
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<Input, Failure> {
        let of_path = || match fs::metadata(path)?.is_file() {
            true => Ok(Source::File(File::open(path)?)),
            false => Ok(Source::Stream),
        };
        let source = match path == Path::new("-") {
            true => Source::Standard,
            false => of_path().map_err(|error| failure(path, &error))?,
        };
        Ok(Input { path: path.to_owned(), source })
    }

    pub fn read(self) -> Result<Lines, Failure> {
        let (sender, lines) = bounded(LINES_AHEAD);
        let path = self.path.clone();
        let open = move || -> io::Result<Box<dyn BufRead>> {
            Ok(match self.source {
                Source::Standard => Box::new(BufReader::new(io::stdin())),
                Source::File(file) => Box::new(BufReader::new(file)),
                Source::Stream => Box::new(BufReader::new(File::open(path)?)),
            })
        };
        let read = move || {
            let mut input = match open() {
                Ok(input) => input,
                // If nobody waits for lines any more, the error has no reader either.
                Err(error) => return sender.send(Err(error)).unwrap_or_default(),
            };
            let (mut line, mut is_first) = (Vec::new(), true);
            loop {
                match read_line(&mut input, MAX_LINE_BYTES, MAX_PASSED_OVER, &mut line) {
                    Ok(None) => break,
                    Ok(Some(_)) => {
                        let read = if is_first { without_mark(&line) } else { &line };
                        is_first = false;
                        for line in lines_of(read) {
                            if sender.send(Ok(line.to_vec())).is_err() {
                                return;
                            }
                        }
                    }
                    Err(error) => return sender.send(Err(error)).unwrap_or_default(),
                }
            }
        };
        let thread = thread::Builder::new().name("positions".to_owned());
        thread.spawn(read).map_err(|error| failure(&self.path, &error))?;
        Ok(Lines { path: self.path, lines })
    }
}

impl Lines {
    /// Waits for the next line until `done` has no sender any more, or the time is over.
    // Blocks instead of polling: frontends ask thousands of times, and an answer takes less than a millisecond.
    pub fn next_before(&self, done: &Receiver<Infallible>, time: Duration) -> Result<NextLine, Failure> {
        select! {
            recv(self.lines) -> line => match line {
                Ok(Ok(line)) => Ok(NextLine::Line(line)),
                Ok(Err(error)) => Err(failure(&self.path, &error)),
                Err(_) => Ok(NextLine::End),
            },
            recv(done) -> _ => Ok(NextLine::Idle),
            default(time) => Ok(NextLine::Idle),
        }
    }

    /// Whether no line has been read ahead: the next one may be long in coming.
    #[must_use]
    pub fn must_wait(&self) -> bool {
        self.lines.is_empty()
    }

    /// Waits for the next line until the caller `gives_up`.
    pub fn next(&self, gives_up: impl Fn() -> bool) -> Result<NextLine, Failure> {
        loop {
            match self.lines.recv_timeout(LINE_TIMEOUT) {
                Ok(Ok(line)) => return Ok(NextLine::Line(line)),
                Ok(Err(error)) => return Err(failure(&self.path, &error)),
                Err(RecvTimeoutError::Disconnected) => return Ok(NextLine::End),
                Err(RecvTimeoutError::Timeout) if gives_up() => return Ok(NextLine::Idle),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Runs `read`, which may wait for a pipe, on a thread of its own. `None` once the caller `gives_up`: the thread is
/// then left to itself.
pub fn unless<T: Send + 'static>(
    read: impl FnOnce() -> T + Send + 'static,
    gives_up: impl Fn() -> bool,
) -> io::Result<Option<T>> {
    let (sender, found) = bounded(1);
    // The caller may be gone.
    let read = move || sender.send(read()).unwrap_or_default();
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    loop {
        match found.recv_timeout(LINE_TIMEOUT) {
            Ok(found) => return Ok(Some(found)),
            Err(RecvTimeoutError::Timeout) if !gives_up() => {}
            Err(_) => return Ok(None),
        }
    }
}

/// Whether two paths lead to one file. Hard links count as different files: a file is replaced under one of its names
/// only.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        fs::canonicalize(path).ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    place(one).is_some_and(|one| place(other) == Some(one))
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    match path == Path::new("-") {
        true => Failure::run(format_args!("cannot read standard input: {error}")),
        false => Failure::unreadable(path, error),
    }
}
