//! Rollouts of backgammon, as the command plays and writes them.

use std::io::{self, Write};

use tavli::rollout::{EndReason, Rollout, SaveError, Session};
use tavli::run::Workers;
use tavli_terminal::progress::Bar;

use crate::rollout::output::backgammon;
use crate::rollout::output::cells::Cells;
use crate::rollout::output::form::{Columns, Form};
use crate::rollout::question::{Question, check_has_trials};

impl Question for Rollout {
    fn remark(&self) -> Option<String> {
        self.remark()
    }

    fn play(&mut self, workers: &Workers, session: &Session) -> Result<EndReason, SaveError> {
        let bar = Bar::new();
        session.play(self, workers, |progress| bar.show_rollout(progress))
    }

    fn check_result(&self, reason: EndReason) -> Result<(), &'static str> {
        match reason {
            // A decision has an answer when its time is up: the play of the highest value.
            EndReason::Time if self.decision().is_some() => Ok(()),
            _ => check_has_trials(self.summary().trials, reason),
        }
    }

    fn write(&self, reason: EndReason, form: Form<'_>, output: &mut dyn Write) -> io::Result<()> {
        backgammon::write(self, reason, form, output)
    }

    fn line_key(&self) -> String {
        let roll = self.roll().map_or_else(String::new, |roll| roll.to_string());
        let cube = self.cube().map_or_else(String::new, |cube| format!(",{cube}"));
        format!("{},{roll}{cube}", self.position().position_id())
    }

    fn row(&self, columns: Columns) -> Cells {
        backgammon::table_row(Some(self), columns)
    }
}
