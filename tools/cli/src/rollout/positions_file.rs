//! `tavli rollout --positions`: each line of a file rolled out.

use std::path::Path;

use tavli::Roll;
use tavli::rollout::{Request, Rollout, StopReason};

use super::arguments::Arguments;
use super::csv_table::CsvTable;
use super::one_position;
use crate::arguments::position as position_of;
use crate::failure::Failure;
use crate::input::{Input, Next};
use crate::interrupt;
use crate::lines;
use crate::output;

/// Rolls out the positions of a file, best play only where a roll is given, and writes a table.
pub(super) fn run(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let input = Input::open(path)?;
    // What is wrong with the machine is said before a file is made.
    let (workers, _) = arguments.machine.start()?;
    let session = arguments.session(cancel.clone(), None)?;
    let mut table = CsvTable::open(arguments)?;
    let lines = input.read()?;
    let mut counted = Counted::default();
    for number in 1_u64.. {
        let line = match lines.next(|| !lines.is_file() && cancel.is_cancelled())? {
            Next::Line(line) => line,
            Next::End => break,
            Next::Idle => {
                counted.stopped_after = Some(counted.lines);
                break;
            }
        };
        let Some(text) = lines::text(&line) else {
            continue;
        };
        counted.lines += 1;
        if counted.stopped_after.is_some() {
            continue;
        }
        let rollout = text.and_then(|text| read(text, arguments));
        if table.has(number, rollout.as_ref().ok())? {
            continue;
        }
        match rollout {
            Ok(mut rollout) => {
                let reason = one_position::play(&mut rollout, &workers, &session);
                if reason.map_err(Failure::run)? == StopReason::Cancelled {
                    counted.stopped_after = Some(counted.lines - 1);
                    // The lines of a file are counted to its end; other input may have none.
                    if !lines.is_file() {
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
        let of = match lines.is_file() {
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
    let position = position_of(position).map_err(|error| error.to_string())?;
    let given = match roll {
        "" => None,
        roll => Some(roll.parse::<Roll>().map_err(|error| format!("{error}"))?),
    };
    let request = Request {
        roll: given,
        ..arguments.request().map_err(|error| error.to_string())?
    };
    let rollout = request.rollout_of_many(&position);
    rollout.map_err(|error| error.to_string())
}
