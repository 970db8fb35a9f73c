//! Why a command did not succeed, and the exit status that says so.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use crate::output;

/// The end of a command that did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments ask for what cannot be: exit status 2.
    Usage(String),
    /// Something failed while running: exit status 1.
    Run(String),
    /// It failed, and was reported where it happened: exit status 1.
    Reported,
    /// The reader of the output has gone away, which is no error: exit status 0.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn usage(message: impl Display) -> Failure {
        Failure::Usage(message.to_string())
    }

    pub(crate) fn run(message: impl Display) -> Failure {
        Failure::Run(message.to_string())
    }

    /// A failure to write to `target`.
    pub(crate) fn writing(target: impl Display, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Run(format!("cannot write to {target}: {error}")),
        }
    }

    /// Reports the failure and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Usage(message) => {
                output::complain(format_args!(
                    "error: {message}\n\nFor more information, try '--help'."
                ));
                ExitCode::from(2)
            }
            Failure::Run(message) => {
                output::complain(format_args!("error: {message}"));
                ExitCode::FAILURE
            }
            Failure::Reported => ExitCode::FAILURE,
            Failure::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

impl From<io::Error> for Failure {
    /// A failure to write to standard output.
    fn from(error: io::Error) -> Failure {
        Failure::writing("standard output", &error)
    }
}
