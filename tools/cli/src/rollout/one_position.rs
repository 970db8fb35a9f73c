//! `tavli rollout` of one position, or of the plays of one roll.

use tavli::rollout::{EndReason, Rollout, SaveError, Session};
use tavli::run::Workers;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::output;
use tavli_terminal::progress::Bar;

use super::resolved::ResolvedArguments;

pub(super) fn run(resolved: &ResolvedArguments) -> Result<(), Failure> {
    let arguments = resolved.arguments;
    let (mut rollout, checkpoint) = resolved.begin()?;
    if let Some(remark) = rollout.remark() {
        output::remark(format_args!("remark: {remark}"));
    }
    let (workers, header) = arguments.machine.start()?;
    // Set up after the rollout is read: until then a signal ends the program, while the bear-off table of a player is
    // solved.
    let cancel = interrupt::cancel_on_interrupt()?;
    let session = arguments.session(cancel, checkpoint)?;
    let played = play(&mut rollout, &workers, &session);
    arguments.finish(&rollout, played, &header)
}

/// Plays a rollout with a progress bar.
pub(super) fn play(rollout: &mut Rollout, workers: &Workers, session: &Session) -> Result<EndReason, SaveError> {
    let bar = Bar::new();
    session.play(rollout, workers, |progress| bar.show_rollout(progress))
}
