//! What is played about a position, in any game: a rollout, or the decision which play of a roll to make.

use std::io::{self, Write};

use tavli::rollout::{EndReason, SaveError, Session};
use tavli::run::Workers;
use tavli_terminal::interrupt::NO_RESULT;

use super::output::cells::Cells;
use super::output::form::{Columns, Form};

/// The message of a rollout whose time was up before it had a result.
pub(super) const NO_TRIAL: &str = "the time was up before a trial had ended: give more with --seconds";

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
pub(super) fn check_has_trials(trials: u64, reason: EndReason) -> Result<(), &'static str> {
    match reason {
        _ if trials > 0 => Ok(()),
        EndReason::Cancelled => Err(NO_RESULT),
        EndReason::Time => Err(NO_TRIAL),
        _ => Ok(()),
    }
}
