//! The exceptions: a name for each kind of mistake, and the library's message.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use tavli::file::FileError;
use tavli::file::record::LoadError;
use tavli::text::{Quoted, printable};

create_exception!(tavli, TavliError, PyValueError, "The base of the errors of this package.");
create_exception!(tavli, PositionError, TavliError, "A value is not a position, or no game starts from it.");
create_exception!(tavli, RollError, TavliError, "A value is not a roll of two dice.");
create_exception!(tavli, PlayError, TavliError, "A play is not one of the roll.");
create_exception!(tavli, SettingsError, TavliError, "A setting has an invalid value.");
create_exception!(tavli, RolloutError, TavliError, "A rollout cannot be made or changed as asked.");
create_exception!(
    tavli,
    RecordError,
    TavliError,
    "A text, file or pickle does not hold what it should, or cannot be continued."
);
create_exception!(tavli, MergeError, TavliError, "Shards of a rollout or a search do not make a whole.");

create_exception!(
    tavli,
    PositionWarning,
    PyUserWarning,
    "A text says something impossible about a position, which reading ignored; or games ignore its cube and score."
);

create_exception!(
    tavli,
    PlayerWarning,
    PyUserWarning,
    "A player values positions under rules that it has not learned."
);

create_exception!(tavli, SearchWarning, PyUserWarning, "A search has too few simulations to compare the plays.");

/// A failure of the library as the exception that `make` makes of its message.
pub(crate) fn raise<A: Display>(make: fn(String) -> PyErr) -> impl Fn(A) -> PyErr {
    move |error| make(printable(error))
}

/// A failure of the library to read a text, as the exception that `make` makes of its message, which names the text.
pub(crate) fn raise_of<A: Display>(make: fn(String) -> PyErr, text: &str) -> impl Fn(A) -> PyErr {
    let text = format!("'{}'", Quoted::new(text.trim()).within(100));
    move |error| {
        let error = error.to_string();
        make(printable(match error.contains(&text) {
            true => error,
            false => format!("{text}: {error}"),
        }))
    }
}

/// The exception of a bad setting.
pub(crate) fn bad_setting(message: impl Display) -> PyErr {
    SettingsError::new_err(printable(message))
}

/// A refusal of the system: an OSError of the class for its number.
fn system(path: &Path, source: &io::Error) -> PyErr {
    let reason = source.to_string();
    match source.raw_os_error() {
        Some(number) => {
            // Python writes the number itself.
            let reason = reason.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, reason, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(printable(format_args!("{}: {reason}", path.display()))),
    }
}

/// The exception of a file that cannot be written.
pub(crate) fn not_written(error: &FileError) -> PyErr {
    match error {
        FileError::Refused { path, source } => system(path, source),
        error => PyOSError::new_err(error.to_string()),
    }
}

/// The exception of a saved record that cannot be used.
pub(crate) fn not_loaded<E: Error + 'static>(error: &LoadError<E>) -> PyErr {
    match error {
        LoadError::Read { path, source } => not_read(path, source, error),
        _ => RecordError::new_err(error.to_string()),
    }
}

/// The exception of a file that cannot be read: a RecordError if the file is not text.
fn not_read(path: &Path, source: &io::Error, error: impl Display) -> PyErr {
    match source.kind() {
        io::ErrorKind::InvalidData => RecordError::new_err(error.to_string()),
        _ => system(path, source),
    }
}

/// The result of a call, or the exception that was raised meanwhile, with the result so far.
pub(crate) fn unless_raised<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    raised: PyResult<()>,
    result: T,
) -> PyResult<T> {
    match raised {
        Ok(()) => Ok(result),
        Err(error) => Err(with_result(py, error, result)),
    }
}

/// The exception that ended a call, with the result so far as its attribute `result`.
pub(crate) fn with_result<'py>(py: Python<'py>, error: PyErr, result: impl IntoPyObject<'py>) -> PyErr {
    // An exception that takes no attributes is raised as it is.
    let _ = error.value(py).setattr("result", result);
    error
}
