//! The lines of a frontend that speaks a protocol of lines, also while an answer is computed.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use tavli::run::Cancel;
use tavli::text::Quoted;
use tracing::debug;

use crate::failure::Failure;
use crate::line_reader::{Input, Lines, Next};
use crate::output;

/// The lines of a frontend.
pub(super) struct Frontend {
    lines: Lines,
    /// Lines that came while an answer was computed.
    waiting: VecDeque<Vec<u8>>,
    /// The switch of signals.
    cancel: Cancel,
}

/// The events that end work early.
#[derive(Clone, Copy)]
pub(super) struct Stops {
    /// Whether a line ends it.
    pub(super) by_line: fn(&[u8]) -> bool,
    /// The time after which it ends.
    pub(super) after: Option<Duration>,
    /// Whether the end of the input ends it: nobody is left to say stop.
    pub(super) at_end: bool,
}

impl Frontend {
    /// The lines of a file; - is standard input.
    pub(super) fn open(path: &Path, cancel: &Cancel) -> Result<Frontend, Failure> {
        Ok(Frontend {
            lines: Input::open(path)?.read()?,
            waiting: VecDeque::new(),
            cancel: cancel.clone(),
        })
    }

    /// The next line; `None` at the end of the input, and after a signal.
    pub(super) fn next(&mut self) -> Result<Option<String>, Failure> {
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let line = match self.waiting.pop_front() {
            Some(line) => line,
            None => match self.lines.next(|| self.cancel.is_cancelled())? {
                Next::Line(line) => line,
                Next::End | Next::Idle => return Ok(None),
            },
        };
        let text = String::from_utf8_lossy(&line).into_owned();
        debug!("< {}", Quoted::new(text.trim_end()));
        Ok(Some(text))
    }

    /// Takes the lines that wait, of which `is_asked` is true, and returns whether there were any.
    pub(super) fn take_waiting(&mut self, is_asked: fn(&[u8]) -> bool) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|line| !is_asked(line));
        self.waiting.len() < before
    }

    /// Runs `work` while reading lines. An event of `stops` throws the switch `stop`; other lines wait.
    pub(super) fn listen<T: Send>(
        &mut self,
        stop: &Cancel,
        stops: Stops,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, Failure> {
        thread::scope(|scope| {
            let (busy, done) = bounded(0);
            let working = thread::Builder::new().spawn_scoped(scope, move || {
                let _busy = busy;
                work()
            });
            let working = working.map_err(Failure::thread)?;
            if let Some(time) = stops.after {
                let (done, stop) = (done.clone(), stop.clone());
                let watch = move || {
                    if done.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                        stop.cancel();
                    }
                };
                let watching = thread::Builder::new().spawn_scoped(scope, watch);
                watching.map_err(Failure::thread)?;
            }
            loop {
                match self.lines.next_before(&done)? {
                    Next::Line(line) if (stops.by_line)(&line) => stop.cancel(),
                    Next::Line(line) => self.waiting.push_back(line),
                    Next::End if stops.at_end => {
                        stop.cancel();
                        break;
                    }
                    Next::End | Next::Idle => break,
                }
            }
            Ok(working.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }
}

/// Writes a line at once.
pub(super) fn say(line: &str) -> io::Result<()> {
    debug!("> {}", Quoted::new(line));
    let mut output = output::stdout();
    writeln!(output, "{line}")?;
    output.flush()
}
