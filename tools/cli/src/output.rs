//! Standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;

/// Writes a line to standard error. If nobody reads it, that is not a failure.
pub(crate) fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a value as JSON over several lines, for a result that stands alone.
pub(crate) fn json(output: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, value)?;
    writeln!(output)
}

/// Writes a value as JSON on one line, for results that come one by one.
pub(crate) fn json_line(output: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    writeln!(output)
}
