//! Lines that a session writes.

use std::io::{self, Write};

use tavli::text::Quoted;
use tracing::debug;

use crate::output;

/// An answer that is an error: its code and its text.
pub(super) struct Refusal(pub(super) &'static str, pub(super) String);

/// Writes a line at once.
pub(super) fn say(line: &str) -> io::Result<()> {
    debug!("> {}", Quoted::new(line));
    let mut output = output::stdout();
    writeln!(output, "{line}")?;
    output.flush()
}

impl Refusal {
    /// The line that says so.
    pub(super) fn line(self) -> String {
        let Refusal(code, text) = self;
        format!("error {code} {text}")
    }
}

/// The refusal of a value.
pub(super) fn bad_value(text: impl ToString) -> Refusal {
    Refusal("bad_value", text.to_string())
}
