//! Notices of what a test leaves out.

use std::io::Write;

/// Writes a line that is seen even when the test passes: the test harness would swallow `eprintln!`.
pub(crate) fn notice(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
