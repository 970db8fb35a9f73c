//! What is played about a position, in any game: a rollout, or the decision which play of a roll to make.

use std::io::{self, Write};

use serde::Serialize;
use tavli::rollout::{EndReason, SaveError, Session};
use tavli::run::Workers;
use tavli_terminal::interrupt::NO_RESULT;
use tavli_terminal::output;

use super::cells::Cells;
use crate::layout::Layout;
use crate::run_description::RunDescription;

/// The message of a rollout whose time was up before it had a result.
pub(super) const NO_TRIAL: &str = "the time was up before a trial had ended: give more with --seconds";

/// The columns that only some tables have.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    pub(super) cube: bool,
    pub(super) decision: bool,
}

/// How a result is written.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// As the layout says, with the description of the machine that played it.
    Whole(Layout, Option<&'a RunDescription>),
    /// As JSON on one line: the answer to the line of this number.
    Line(u64),
}

/// A rollout, or a decision, about one position or about a line of a file.
pub(crate) trait Question {
    /// A remark for people, if its evaluator has not learned the rules.
    fn remark(&self) -> Option<String>;

    /// Plays it for a session, with a progress bar, and returns why the session ended.
    fn play(&mut self, workers: &Workers, session: &Session) -> Result<EndReason, SaveError>;

    /// Fails, with a message, if the session ended without a result.
    fn check_result(&self, reason: EndReason) -> Result<(), &'static str>;

    /// Writes the result, and why its session ended.
    fn write(&self, reason: EndReason, form: Form<'_>, output: &mut dyn Write) -> io::Result<()>;

    /// The cells by which a row identifies its line.
    fn line_key(&self) -> String;

    /// The row of a table between the number of its line and its checksum: the position, and its best play.
    fn row(&self, columns: Columns) -> Cells;
}

/// Fails, with a message, if a session ended without trials.
pub(super) fn has_trials(trials: u64, reason: EndReason) -> Result<(), &'static str> {
    match reason {
        _ if trials > 0 => Ok(()),
        EndReason::Cancelled => Err(NO_RESULT),
        EndReason::Time => Err(NO_TRIAL),
        _ => Ok(()),
    }
}

/// Writes JSON: a document, or the answer to a line.
pub(super) fn write_json(form: Form<'_>, answer: &impl Serialize, output: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct LineJson<Answer> {
        line: u64,
        #[serde(flatten)]
        answer: Answer,
    }

    match form {
        Form::Line(line) => output::json_line(output, &LineJson { line, answer }),
        Form::Whole(..) => output::json(output, answer),
    }
}
