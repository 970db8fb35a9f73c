//! Ctrl-C: the first one ends the run with its result so far, the second one ends the program.

use std::process;

use tavli::run::Cancel;

use crate::failure::Failure;

/// The exit status of a program ended by Ctrl-C: 128 plus the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// A switch that Ctrl-C, or a request to terminate, throws. To be made once.
pub(crate) fn cancel_on_interrupt() -> Result<Cancel, Failure> {
    let cancel = Cancel::new();
    let switch = cancel.clone();
    ctrlc::set_handler(move || {
        if switch.is_cancelled() {
            process::exit(INTERRUPTED);
        }
        switch.cancel();
    })
    .map_err(|error| Failure::run(format_args!("cannot listen for Ctrl-C: {error}")))?;
    Ok(cancel)
}
