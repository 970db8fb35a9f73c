//! `tavli rollout --positions`: each line of a file rolled out.

use std::io::Write;
use std::path::Path;

use tavli::Roll;
use tavli::rollout::{Rollout, StopReason};
use tavli_terminal::answered_lines::{self, Texts};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::line_reader::{Input, NextLine};
use tavli_terminal::output;
use tavli_terminal::remarks::reading;

use super::arguments::{NO_TRIAL, has_result};
use super::csv_table::{CsvTable, Found};
use super::line_requests::LineRequests;
use super::remark::remark_on_each;
use super::resolved::BackgammonRollout;
use super::{one_position, result};
use crate::layout::Layout;

/// Where the results of lines go.
enum Answers {
    /// Into a table, best play only where a roll is given.
    Table(Box<CsvTable>),
    /// To standard output, as a line of JSON each.
    Json,
}

impl Answers {
    fn open(resolved: &BackgammonRollout, requests: &LineRequests) -> Result<Answers, Failure> {
        match resolved.arguments.layout() {
            Layout::Json => Ok(Answers::Json),
            Layout::Csv | Layout::Text(_) => {
                CsvTable::open(resolved.arguments, requests).map(|table| Answers::Table(Box::new(table)))
            }
        }
    }

    /// What an earlier session has left of this line.
    fn find(&mut self, number: u64, rollout: Option<&Rollout>) -> Result<Found, Failure> {
        match self {
            Answers::Table(table) => table.find(number, rollout),
            Answers::Json => Ok(Found::Nothing),
        }
    }

    fn write(&mut self, number: u64, rollout: &Rollout, reason: StopReason) -> Result<(), Failure> {
        match self {
            Answers::Table(table) => table.write(number, rollout),
            Answers::Json => {
                let mut output = output::stdout();
                output::json_line(&mut output, &result::of_line(number, rollout, reason))?;
                Ok(output.flush()?)
            }
        }
    }

    fn close(self, interrupted: bool) -> Result<(), Failure> {
        match self {
            Answers::Table(table) => table.close(interrupted),
            Answers::Json => Ok(()),
        }
    }
}

/// Rolls out the positions of a file.
pub(super) fn run(resolved: &BackgammonRollout, path: &Path) -> Result<(), Failure> {
    let arguments = resolved.arguments;
    if arguments.layout() == Layout::Json && arguments.saves() {
        return Err(Failure::usage(
            "the saved table of --positions is CSV: leave out --json, or --save and --resume",
        ));
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let input = Input::open(path)?;
    // What is wrong with the machine is said before a file is made.
    let (workers, _) = arguments.machine.start()?;
    let session = arguments.session(cancel.clone(), None)?;
    let requests = resolved.requests_of_lines()?;
    remark_on_each(&requests);
    let mut answers = Answers::open(resolved, &requests)?;
    let lines = input.read()?;
    let mut counted = Counted::default();
    let mut texts = Texts::default();
    for number in 1_u64.. {
        let line = match lines.next(|| !lines.is_file() && cancel.is_cancelled())? {
            NextLine::Line(line) => line,
            NextLine::End => break,
            NextLine::Idle => {
                counted.stopped_after = Some(counted.lines);
                break;
            }
        };
        let Some(text) = texts.next(&line) else {
            continue;
        };
        // Checked here as well: bad lines have no rollout to cancel, and may come without end.
        if counted.stopped_after.is_none() && cancel.is_cancelled() {
            counted.stopped_after = Some(counted.lines);
            if !lines.is_file() {
                break;
            }
        }
        counted.lines += 1;
        if counted.stopped_after.is_some() {
            continue;
        }
        let rollout = text.and_then(|text| read(text, resolved, &requests));
        let rollout = match answers.find(number, rollout.as_ref().ok())? {
            Found::Row => continue,
            // Rows are in the order of their lines, so that this line can no longer get one.
            Found::Gap => Err(NO_TRIAL.to_owned()),
            Found::Nothing => rollout,
        };
        let answered = match rollout {
            Ok(mut rollout) => {
                let reason = one_position::play(&mut rollout, &workers, &session).map_err(Failure::run)?;
                if reason == StopReason::Cancelled {
                    counted.stopped_after = Some(counted.lines - 1);
                    // The lines of a file are counted to its end; other input may have none.
                    if !lines.is_file() {
                        break;
                    }
                    continue;
                }
                match has_result(&rollout, reason) {
                    Ok(()) => answers.write(number, &rollout, reason).map(Ok)?,
                    Err(message) => Err(message.to_owned()),
                }
            }
            Err(message) => Err(message),
        };
        if let Err(message) = answered {
            counted.lines_without_answer += 1;
            output::write_message(format_args!("error: line {number}: {message}"));
        }
    }
    answers.close(counted.stopped_after.is_some())?;
    if let Some(after) = counted.stopped_after {
        let of = match lines.is_file() {
            true => format!(" of {}", counted.lines),
            false => String::new(),
        };
        let resume = match arguments.layout() {
            Layout::Json => "",
            Layout::Csv | Layout::Text(_) => "; a saved table is continued by --resume",
        };
        output::write_message(format_args!("interrupted; positions done: {after}{of}{resume}"));
    }
    match counted.lines_without_answer {
        _ if counted.stopped_after == Some(0) => Err(Failure::run(NO_RESULT)),
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}

/// Lines of the input that hold a position, or should.
#[derive(Default)]
struct Counted {
    lines: u64,
    lines_without_answer: u64,
    /// How many came before an interrupt.
    stopped_after: Option<u64>,
}

/// The rollout of a line.
fn read(line: &str, resolved: &BackgammonRollout, requests: &LineRequests) -> Result<Rollout, String> {
    let (position, given) = answered_lines::position_and_roll(line)?;
    let reading = reading(position, requests.of_roll.settings.rules).map_err(|error| error.to_string())?;
    let given = given.map(str::parse::<Roll>).transpose();
    let given = given.map_err(|error| error.to_string())?;
    resolved.rollout_of_many(requests, &reading, given)
}
