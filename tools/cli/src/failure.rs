//! Why a command did not succeed, and the exit status that says so.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use tavli::file::FileError;

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
    /// The arguments could not be read, or ask for help, which is no error.
    Arguments(clap::Error),
    /// A process that runs with this one failed, and reports it: the same exit status.
    Elsewhere(u8),
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

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Run(_) | Failure::Reported => 1,
            Failure::Arguments(error) => error.exit_code() as u8,
            Failure::Elsewhere(status) => *status,
            Failure::ClosedPipe => 0,
        }
    }

    /// Reports the failure and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match &self {
            Failure::Usage(message) => output::complain(format_args!(
                "error: {message}\n\nFor more information, try '--help'."
            )),
            Failure::Run(message) => output::complain(format_args!("error: {message}")),
            Failure::Arguments(error) => {
                // Nobody may be reading, which is no reason to fail otherwise.
                let _ = error.print();
            }
            Failure::Reported | Failure::Elsewhere(_) | Failure::ClosedPipe => {}
        }
        ExitCode::from(self.status())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        match error {
            FileError::Exists { .. } => {
                Failure::usage(format_args!("{error}; --force replaces it"))
            }
            error => Failure::run(error),
        }
    }
}

impl From<io::Error> for Failure {
    /// A failure to write to standard output.
    fn from(error: io::Error) -> Failure {
        Failure::writing("standard output", &error)
    }
}
