//! The lines of a frontend that speaks a line-based protocol; they are read while an answer is computed, too.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, TryRecvError, bounded};
use tavli::run::Cancel;
use tavli::text::Quoted;
use tavli_terminal::failure::Failure;
use tavli_terminal::line_reader::{Input, Lines, NextLine};
use tavli_terminal::output;
use tracing::debug;

/// The time that work has after `quit`, so that quick answers to the last lines of a script are complete.
const TIME_AFTER_QUIT: Duration = Duration::from_secs(1);
/// The time that work has in any case, so that there is an answer.
const MIN_TIME: Duration = Duration::from_millis(10);
/// Time between two checks whether somebody reads the answers.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// After this time a line that waits is answered by a note that it waits. A script in one piece, whose answers come
/// sooner, gets no note.
const TIME_TO_NOTE: Duration = Duration::from_millis(100);
/// The most lines that wait while an answer is computed; later ones are read afterwards.
const MAX_WAITING: usize = 4096;

/// The lines of a frontend.
pub(super) struct Frontend {
    lines: Lines,
    /// Lines that came while an answer was computed.
    waiting: VecDeque<Line>,
    /// When work ends, once `quit` has come.
    end: Option<Instant>,
    /// The switch that signals throw.
    cancel: Cancel,
}

/// A line of a frontend.
pub(super) struct Line {
    pub(super) text: String,
    /// Whether the line was waiting when the frontend said stop; a question is then no longer answered.
    pub(super) was_cancelled_by_stop: bool,
}

/// What to do with a line that comes while an answer is computed.
pub(super) enum LineAction {
    /// The work ends early.
    Stop,
    /// The work ends soon, and the session with it.
    Quit,
    /// A question that is answered at once.
    Answer(String),
    /// The line waits for the end of the work.
    Queue,
    /// The line waits, and this line says so: nobody should wait without knowing for what.
    QueueWithNote(String),
}

/// The events that end work early, besides `stop`, `quit` and an output that nobody reads.
#[derive(Clone, Copy)]
pub(super) struct Stops {
    /// The time after which work ends.
    pub(super) after: Option<Duration>,
    /// Whether the end of the input ends work: nobody is left to say stop.
    pub(super) at_end: bool,
}

impl Frontend {
    /// The lines of a file; - is standard input.
    pub(super) fn open(path: &Path, cancel: &Cancel) -> Result<Frontend, Failure> {
        Ok(Frontend { lines: Input::open(path)?.read()?, waiting: VecDeque::new(), end: None, cancel: cancel.clone() })
    }

    /// The next line; `None` at the end of the input, after a signal, and when nobody reads the answers.
    pub(super) fn next(&mut self) -> Result<Option<Line>, Failure> {
        let is_over = || self.cancel.is_cancelled() || !output::has_reader();
        if is_over() {
            return Ok(None);
        }
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        match self.lines.next(is_over)? {
            NextLine::Line(line) => Ok(Some(received(&line))),
            NextLine::End | NextLine::Idle => Ok(None),
        }
    }

    /// Runs `work` while reading lines; `action` says what to do with each. Stop, quit and an event of `stops` throw
    /// the switch `stop`. A line is answered at once only if none waits before it. If the work still runs
    /// [`TIME_TO_NOTE`] after the first line that waits with a note, this note is written.
    pub(super) fn listen<T: Send>(
        &mut self,
        stop: &Cancel,
        stops: Stops,
        action: impl Fn(&str) -> LineAction,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, Failure> {
        thread::scope(|scope| {
            let (busy, done) = bounded(0);
            let working = thread::Builder::new().spawn_scoped(scope, move || {
                let _busy = busy;
                work()
            });
            let working = working.map_err(Failure::thread)?;
            let begun = Instant::now();
            // A time beyond the clock's range sets no limit.
            let limit = stops.after.and_then(|after| begun.checked_add(after));
            let mut is_read = true;
            let mut note: Option<(Instant, String)> = None;
            let mut listen = || -> Result<(), Failure> {
                while done.try_recv() != Err(TryRecvError::Disconnected) {
                    let end = [limit, self.end.map(|end| end.max(begun + MIN_TIME))];
                    let left = end.into_iter().flatten().min();
                    let left = left.map_or(POLL_INTERVAL, |end| end.saturating_duration_since(Instant::now()));
                    if left.is_zero() || !output::has_reader() {
                        stop.cancel();
                    }
                    if let Some((_, text)) = note.take_if(|(due, _)| *due <= Instant::now() && !stop.is_cancelled()) {
                        say(&text)?;
                    }
                    let time = if left.is_zero() { POLL_INTERVAL } else { left.min(POLL_INTERVAL) };
                    // Lines after `quit` are not read.
                    if !is_read || self.end.is_some() || self.waiting.len() >= MAX_WAITING {
                        let _ended: Result<_, RecvTimeoutError> = done.recv_timeout(time);
                        continue;
                    }
                    match self.lines.next_before(&done, time)? {
                        NextLine::Line(line) => self.hear(received(&line), stop, &action, &mut note)?,
                        NextLine::End => {
                            is_read = false;
                            if stops.at_end {
                                stop.cancel();
                            }
                        }
                        NextLine::Idle => {}
                    }
                }
                Ok(())
            };
            let listened = listen();
            if listened.is_err() {
                stop.cancel();
            }
            let result = working.join().unwrap_or_else(|panic| resume_unwind(panic));
            listened.map(|()| result)
        })
    }

    /// Obeys a line that comes while an answer is computed.
    fn hear(
        &mut self,
        line: Line,
        stop: &Cancel,
        action: impl Fn(&str) -> LineAction,
        note: &mut Option<(Instant, String)>,
    ) -> Result<(), Failure> {
        match action(&line.text) {
            LineAction::Stop => {
                stop.cancel();
                for line in &mut self.waiting {
                    line.was_cancelled_by_stop = true;
                }
            }
            LineAction::Quit => {
                self.end = Some(Instant::now() + TIME_AFTER_QUIT);
                self.waiting.push_back(line);
            }
            LineAction::Answer(answer) if self.waiting.is_empty() => say(&answer)?,
            LineAction::QueueWithNote(text) => {
                // One note for the lines that come together.
                note.get_or_insert_with(|| (Instant::now() + TIME_TO_NOTE, text));
                self.waiting.push_back(line);
            }
            LineAction::Answer(_) | LineAction::Queue => self.waiting.push_back(line),
        }
        Ok(())
    }
}

fn received(line: &[u8]) -> Line {
    let text = String::from_utf8_lossy(line).into_owned();
    debug!("< {}", Quoted::new(text.trim_end()));
    Line { text, was_cancelled_by_stop: false }
}

/// Writes a line at once, whole even if another thread writes one.
pub(super) fn say(line: &str) -> io::Result<()> {
    debug!("> {}", Quoted::new(line));
    let _whole = io::stdout().lock();
    let mut output = output::stdout();
    writeln!(output, "{line}")?;
    output.flush()
}
