//! `tavli rollout --positions`: each line of a file rolled out.

use std::io::{BufWriter, Write};
use std::path::Path;

use tavli::rollout::{EndReason, Session};
use tavli_terminal::answered_lines::Texts;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::line_reader::{Input, NextLine};
use tavli_terminal::output;

use super::csv_table::{CsvTable, SavedLine};
use crate::arguments::first_given;
use crate::layout::Layout;
use crate::rollout::output::form::{Columns, Form};
use crate::rollout::question::{NO_TRIAL, Question};
use crate::rollout::task::Task;

/// The lines of a file, as a game reads them.
pub(crate) trait Lines {
    /// The settings that decide the values of a table, as text.
    fn settings(&self) -> Result<String, Failure>;

    /// The columns that this table has, and the names of all its columns, between the number of the line and the
    /// checksum.
    fn columns(&self) -> (Columns, String);

    fn read(&self, line: &str) -> Result<Box<dyn Question>, String>;
}

/// Rolls out the positions of a file, whose lines are read as `begin` says.
pub(crate) fn run<R, L: Lines>(
    task: &Task<R>,
    path: &Path,
    begin: impl FnOnce() -> Result<L, Failure>,
) -> Result<(), Failure> {
    let is_json = task.layout == Layout::Json;
    if is_json && first_given(&task.save.given()).is_some() {
        return Err(Failure::usage("the saved table of --positions is CSV: leave out --json, or --save and --resume"));
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let input = Input::open(path)?;
    // Errors of the machine come before a file is made.
    let (workers, _) = task.machine.start()?;
    let session = Session { tier: task.machine.tier()?, cancel: cancel.clone(), checkpoint: None };
    let game = begin()?;
    let (columns, names) = game.columns();
    // Without a table each answer is a line of JSON.
    let table = (!is_json).then(|| CsvTable::open(task, &game.settings()?, &names));
    let mut table = table.transpose()?;
    let lines = input.read()?;
    // Lines that hold a position, or should: how many are done, and how many of these have no answer.
    let (mut done, mut without_answer, mut is_stopped) = (0_u64, 0_u64, false);
    let mut texts = Texts::default();
    for number in 1_u64.. {
        let line = match lines.next(|| cancel.is_cancelled())? {
            NextLine::Line(line) => line,
            NextLine::End => break,
            NextLine::Idle => {
                is_stopped = true;
                break;
            }
        };
        let Some(text) = texts.next(&line) else {
            continue;
        };
        // Checked here as well: bad lines have no rollout to cancel, and may come without end.
        if cancel.is_cancelled() {
            is_stopped = true;
            break;
        }
        let read = text.and_then(|text| game.read(text));
        let line_key = read.as_ref().ok().map(|question| question.line_key());
        let saved = table.as_mut().map(|table| table.find(number, line_key.as_deref())).transpose()?;
        let read = match saved.unwrap_or(SavedLine::Nothing) {
            SavedLine::Row => {
                done += 1;
                continue;
            }
            // Rows are in the order of their lines, so that this line can no longer get one.
            SavedLine::Gap => Err(NO_TRIAL.to_owned()),
            SavedLine::Nothing => read,
        };
        let answered = match read {
            Ok(mut question) => {
                let reason = question.play(&workers, &session).map_err(Failure::run)?;
                if reason == EndReason::Cancelled {
                    is_stopped = true;
                    break;
                }
                let answered = question.check_result(reason);
                match &mut table {
                    _ if answered.is_err() => {}
                    Some(table) => table.write(number, &question.row(columns).texts())?,
                    None => {
                        let mut output = BufWriter::new(output::stdout());
                        question.write(reason, Form::Line(number), &mut output)?;
                        output.flush()?;
                    }
                }
                answered.map_err(str::to_owned)
            }
            Err(message) => Err(message),
        };
        done += 1;
        if let Err(message) = answered {
            without_answer += 1;
            output::write_message(format_args!("error: line {number}: {message}"));
        }
    }
    table.map_or(Ok(()), |table| table.close(is_stopped))?;
    if is_stopped {
        let resume = if is_json { "" } else { "; a saved table is continued by --resume" };
        output::write_message(format_args!("interrupted; positions done: {done}{resume}"));
    }
    match without_answer {
        _ if is_stopped && done == 0 => Err(Failure::run(NO_RESULT)),
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}
