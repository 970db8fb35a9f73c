//! Why a command failed, and its exit status.

use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::ContextKind;
use tavli::file::FileError;

use crate::numbers::remedy;
use crate::output;

/// The reason why a command ends without success.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are invalid: exit status 2.
    Usage(String),
    /// The command failed while running: exit status 1.
    Run(String),
    /// The command failed, and has reported it: exit status 1.
    Reported,
    /// A comparison does not show whether its condition holds: exit status 3.
    Undecided(String),
    /// The arguments cannot be read (exit status 2), or ask for help (0).
    Arguments(clap::Error),
    /// Another process of the job failed and reports it: the same exit status.
    Elsewhere(u8),
    /// The reader of the output has closed it: exit status 0.
    ClosedPipe,
}

impl Failure {
    pub fn usage(message: impl Display) -> Failure {
        Failure::Usage(message.to_string())
    }

    pub fn run(message: impl Display) -> Failure {
        Failure::Run(message.to_string())
    }

    /// Arguments that cannot be read, or ask for help. An error about a number has the remedy in place of std's words.
    pub fn arguments(error: clap::Error) -> Failure {
        let of_number = || {
            let remedy = remedy(error.source()?)?;
            let (value, argument) = (error.get(ContextKind::InvalidValue)?, error.get(ContextKind::InvalidArg)?);
            Some(format!("invalid value '{value}' for '{argument}': {remedy}"))
        };
        match of_number() {
            Some(message) => Failure::Usage(message),
            None => Failure::Arguments(error),
        }
    }

    /// A file that the arguments name, and that cannot be read or used.
    pub fn unreadable(path: &Path, reason: impl Display) -> Failure {
        Failure::usage(format_args!("cannot read {}: {reason}", path.display()))
    }

    /// A file named by the arguments that cannot be written, found when it is opened, before any work.
    pub fn unwritable(error: FileError) -> Failure {
        match error {
            FileError::Exists { .. } => Failure::usage(format_args!("{error}; --force replaces it")),
            error if error.kind() == io::ErrorKind::NotFound => {
                Failure::usage(format_args!("{error}; make its folder, or name another file"))
            }
            error => Failure::usage(error),
        }
    }

    /// A file that could be opened, and then not be written.
    pub fn unwritten(error: FileError) -> Failure {
        Failure::run(error)
    }

    /// A failure to write to `target`.
    pub fn writing(target: impl Display, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Run(format!("cannot write to {target}: {error}")),
        }
    }

    /// The failure to start a thread.
    pub fn thread(error: io::Error) -> Failure {
        Failure::Run(format!("cannot start a thread: {error}; ask for fewer threads"))
    }

    pub fn status(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Run(_) | Failure::Reported => 1,
            Failure::Undecided(_) => 3,
            Failure::Arguments(error) => error.exit_code() as u8,
            Failure::Elsewhere(status) => *status,
            Failure::ClosedPipe => 0,
        }
    }

    /// Reports the failure and returns the exit status.
    pub fn report(self) -> ExitCode {
        match &self {
            Failure::Usage(message) => {
                output::write_message(format_args!("error: {message}\n\nFor more information, try '--help'."))
            }
            Failure::Run(message) => output::write_message(format_args!("error: {message}")),
            Failure::Undecided(message) => output::write_message(format_args!("undecided: {message}")),
            Failure::Arguments(error) if error.use_stderr() => {
                output::write_message(error.render().to_string().trim_end());
            }
            Failure::Arguments(error) => {
                let printed = error.print().and_then(|()| io::stdout().flush());
                // Help that was asked for is the output of the command. If nobody reads an error, that changes nothing.
                if let (Err(unwritten), false) = (printed, error.use_stderr()) {
                    return Failure::from(unwritten).report();
                }
            }
            Failure::Reported | Failure::Elsewhere(_) | Failure::ClosedPipe => {}
        }
        ExitCode::from(self.status())
    }
}

impl Display for Failure {
    /// The message, without the exit status.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Run(message) | Failure::Undecided(message) => f.write_str(message),
            Failure::Arguments(error) => error.fmt(f),
            Failure::Reported | Failure::Elsewhere(_) | Failure::ClosedPipe => Ok(()),
        }
    }
}

impl From<io::Error> for Failure {
    /// A failure to write to standard output.
    fn from(error: io::Error) -> Failure {
        Failure::writing("standard output", &error)
    }
}
