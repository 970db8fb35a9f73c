//! `tavli rollout --positions`: each line of a file rolled out.

use std::io::Write;
use std::path::Path;

use tavli::rollout::{EndReason, Session};
use tavli::run::Workers;
use tavli_terminal::answered_lines::Texts;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt::{self, NO_RESULT};
use tavli_terminal::line_reader::{Input, NextLine};
use tavli_terminal::output;

use super::arguments::{NO_TRIAL, RolloutArguments};
use super::csv_table::{CsvTable, SavedLine};
use crate::layout::Layout;

/// The lines of a game: how they are read and answered.
pub(super) trait LineGame {
    /// The rollout of a line.
    type LineRollout;

    /// The settings that decide the values of a table, as text.
    fn settings(&self) -> Result<String, Failure>;

    /// The names of a row's columns, between the number of the line and the checksum.
    fn columns(&self) -> Vec<u8>;

    fn read(&self, line: &str) -> Result<Self::LineRollout, String>;

    /// The cells by which a row identifies its line.
    fn line_key(&self, rollout: &Self::LineRollout) -> String;

    /// Answers a line by its JSON, or by the cells of its row.
    fn answer(
        &self,
        number: u64,
        rollout: Self::LineRollout,
        is_json: bool,
        workers: &Workers,
        session: &Session,
    ) -> Result<Answer, Failure>;
}

/// The answer to a line.
pub(super) struct Answer {
    /// Why its session ended.
    pub(super) reason: EndReason,
    /// Its text, or why there is none.
    pub(super) text: Result<Vec<u8>, &'static str>,
}

/// Where the results of lines go.
enum Answers {
    /// Into a table, only the best play if a roll is given.
    Table(Box<CsvTable>),
    /// To standard output, as a line of JSON each.
    Json,
}

impl Answers {
    fn open(arguments: &RolloutArguments, lines: &impl LineGame) -> Result<Answers, Failure> {
        match arguments.layout() {
            Layout::Json => Ok(Answers::Json),
            Layout::Csv | Layout::Text(_) => {
                let table = CsvTable::open(arguments, &lines.settings()?, &lines.columns());
                table.map(|table| Answers::Table(Box::new(table)))
            }
        }
    }

    /// What an earlier session left of this line: its row, a gap, or nothing.
    fn find(&mut self, number: u64, line_key: Option<&str>) -> Result<SavedLine, Failure> {
        match self {
            Answers::Table(table) => table.find(number, line_key),
            Answers::Json => Ok(SavedLine::Nothing),
        }
    }

    fn write(&mut self, number: u64, text: &[u8]) -> Result<(), Failure> {
        match self {
            Answers::Table(table) => table.write(number, text),
            Answers::Json => {
                let mut output = output::stdout();
                output.write_all(text)?;
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

/// Rolls out the positions of a file; `begin` says how.
pub(super) fn run<L: LineGame>(
    arguments: &RolloutArguments,
    path: &Path,
    begin: impl FnOnce() -> Result<L, Failure>,
) -> Result<(), Failure> {
    if arguments.layout() == Layout::Json && arguments.saves() {
        return Err(Failure::usage("the saved table of --positions is CSV: leave out --json, or --save and --resume"));
    }
    let cancel = interrupt::cancel_on_interrupt()?;
    let input = Input::open(path)?;
    // Errors of the machine come before a file is made.
    let (workers, _) = arguments.machine.start()?;
    let session = arguments.session(cancel.clone(), None)?;
    let game = begin()?;
    let mut answers = Answers::open(arguments, &game)?;
    let is_json = matches!(answers, Answers::Json);
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
        let line_key = read.as_ref().ok().map(|read| game.line_key(read));
        let read = match answers.find(number, line_key.as_deref())? {
            SavedLine::Row => {
                done += 1;
                continue;
            }
            // Rows are in the order of their lines, so that this line can no longer get one.
            SavedLine::Gap => Err(NO_TRIAL.to_owned()),
            SavedLine::Nothing => read,
        };
        let answered = match read {
            Ok(read) => {
                let Answer { reason, text } = game.answer(number, read, is_json, &workers, &session)?;
                if reason == EndReason::Cancelled {
                    is_stopped = true;
                    break;
                }
                match text {
                    Ok(text) => answers.write(number, &text).map(Ok)?,
                    Err(message) => Err(message.to_owned()),
                }
            }
            Err(message) => Err(message),
        };
        done += 1;
        if let Err(message) = answered {
            without_answer += 1;
            output::write_message(format_args!("error: line {number}: {message}"));
        }
    }
    answers.close(is_stopped)?;
    if is_stopped {
        let resume = match arguments.layout() {
            Layout::Json => "",
            Layout::Csv | Layout::Text(_) => "; a saved table is continued by --resume",
        };
        output::write_message(format_args!("interrupted; positions done: {done}{resume}"));
    }
    match without_answer {
        _ if is_stopped && done == 0 => Err(Failure::run(NO_RESULT)),
        0 => Ok(()),
        _ => Err(Failure::Reported),
    }
}
