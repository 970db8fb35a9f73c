//! `tavli rollout` of one position, or of the plays of one roll, in any game.

use std::io::{BufWriter, Write};

use tavli::rollout::{Checkpoint, EndReason, Rollout, SaveError, Session};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;

use super::output::form::Form;
use super::question::Question;
use super::task::Task;
use crate::run_header::RunHeader;

impl<Request> Task<Request> {
    /// Plays, and writes the result.
    pub(super) fn play(&self, mut question: Box<dyn Question>, checkpoint: Option<Checkpoint>) -> Result<(), Failure> {
        if let Some(remark) = question.remark() {
            output::remark(format_args!("remark: {remark}"));
        }
        let (workers, header) = self.machine.start()?;
        // Set up after the rollout is read: until then a signal ends the program, while the bear-off table of a player
        // is solved.
        let cancel = interrupt::cancel_on_interrupt()?;
        let session = Session { tier: self.machine.tier()?, cancel, checkpoint };
        let played = question.play(&workers, &session);
        self.write(&*question, played, &header)
    }

    /// Writes the result of a session of a rollout, whether or not it could be saved.
    pub fn finish(
        &self,
        rollout: &Rollout,
        played: Result<EndReason, SaveError>,
        header: &RunHeader,
    ) -> Result<(), Failure> {
        self.write(rollout, played, header)
    }

    fn write(
        &self,
        question: &dyn Question,
        played: Result<EndReason, SaveError>,
        header: &RunHeader,
    ) -> Result<(), Failure> {
        let write = |reason| {
            let mut output = BufWriter::new(output::stdout());
            question.write(reason, Form::Whole(self.layout, Some(header)), &mut output)?;
            Ok::<(), Failure>(output.flush()?)
        };
        match played {
            Ok(reason) => {
                write(reason)?;
                question.check_result(reason).map_err(Failure::run)
            }
            Err(error) => {
                error.reason.map_or(Ok(()), write)?;
                Err(Failure::run(error))
            }
        }
    }
}
