//! `tavli rollout --positions`: each line of a file rolled out.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use tavli::rollout::{Ended, Request, Rollout};
use tavli::{Position, Roll};

use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::rollout::{self, Arguments};
use crate::table::Table;

/// Lines that are read ahead.
const LINES_AHEAD: usize = 64;
/// The time after which a request to end is heard while no line comes.
const PATIENCE: Duration = Duration::from_millis(50);

/// Rolls out the positions of a file, best play only where a roll is given, and writes a table.
pub(crate) fn run(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let reading =
        |error: io::Error| Failure::run(format_args!("cannot read {}: {error}", path.display()));
    let mut is_file = false;
    let input: Box<dyn BufRead + Send> = if path == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(path).map_err(reading)?;
        is_file = file.metadata().map_err(reading)?.is_file();
        Box::new(BufReader::new(file))
    };
    let mut table = Table::open(arguments)?;
    let (workers, _) = arguments.machine.start()?;
    let session = arguments.session(cancel.clone(), None);
    let lines = read_ahead(input).map_err(reading)?;
    let mut counted = Counted::default();
    for number in 1_u64.. {
        let line = match next(&lines, || !is_file && cancel.is_cancelled()) {
            Next::Line(line) => line.map_err(reading)?,
            Next::End => break,
            Next::Idle => {
                counted.stopped_after = Some(counted.lines);
                break;
            }
        };
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        counted.lines += 1;
        if counted.stopped_after.is_some() {
            continue;
        }
        let rollout = str::from_utf8(line)
            .map_err(|_| "it is not UTF-8 text".to_owned())
            .and_then(|text| read(text, arguments));
        if table.has(number, rollout.as_ref().ok())? {
            continue;
        }
        match rollout {
            Ok(mut rollout) => {
                let ended = rollout::play(&mut rollout, &workers, &session);
                if ended.map_err(Failure::run)? == Ended::Cancelled {
                    counted.stopped_after = Some(counted.lines - 1);
                    // The lines of a file are counted to its end; other input may have none.
                    if !is_file {
                        break;
                    }
                    continue;
                }
                table.write(number, &rollout)?;
            }
            Err(message) => {
                counted.bad_lines += 1;
                output::complain(format_args!("error: line {number}: {message}"));
            }
        }
    }
    table.close(counted.stopped_after.is_some())?;
    if let Some(after) = counted.stopped_after {
        let of = match is_file {
            true => format!(" of {}", counted.lines),
            false => String::new(),
        };
        output::complain(format_args!(
            "interrupted; positions done: {after}{of}; a saved table is continued by --resume"
        ));
    }
    match counted.bad_lines {
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}

/// Reads the lines of the input on a thread of its own, which nobody needs to wait for.
fn read_ahead(input: Box<dyn BufRead + Send>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
    let read = move || {
        for line in input.split(b'\n') {
            if sender.send(line).is_err() {
                break;
            }
        }
    };
    thread::Builder::new()
        .name("positions".to_owned())
        .spawn(read)?;
    Ok(lines)
}

/// What comes from the input.
enum Next {
    Line(io::Result<Vec<u8>>),
    End,
    /// No line comes, and the run is to end.
    Idle,
}

/// Waits for the next line until the run is to end.
fn next(lines: &Receiver<io::Result<Vec<u8>>>, is_to_end: impl Fn() -> bool) -> Next {
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => return Next::Line(line),
            Err(RecvTimeoutError::Disconnected) => return Next::End,
            Err(RecvTimeoutError::Timeout) if is_to_end() => return Next::Idle,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Lines of the input that hold a position, or should.
#[derive(Default)]
struct Counted {
    lines: u64,
    bad_lines: u64,
    /// How many came before an interrupt.
    stopped_after: Option<u64>,
}

/// The rollout of a line.
fn read(line: &str, arguments: &Arguments) -> Result<Rollout, String> {
    let (position, roll) = match line.split_once('\t') {
        Some((position, rest)) => (position, rest.split('\t').next().unwrap_or_default().trim()),
        None => (line, ""),
    };
    let position: Position = position.parse().map_err(|error| format!("{error}"))?;
    let given = match roll {
        "" => None,
        roll => Some(roll.parse::<Roll>().map_err(|error| format!("{error}"))?),
    };
    let request = Request {
        roll: given,
        ..arguments.request()
    };
    let rollout = request.rollout_of_many(&position);
    rollout.map_err(|error| error.to_string())
}
