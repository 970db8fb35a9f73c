//! Notices of what a test leaves out.

use std::io::Write;

/// Prints a line even if the test passes: the test harness would swallow `eprintln!`.
pub fn notice(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
