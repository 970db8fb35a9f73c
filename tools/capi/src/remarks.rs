//! Remarks of calls that succeed.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Display;

use tavli::Position;
use tavli::text::{Quoted, printable};

use crate::failure::Failure;

thread_local! {
    /// The remarks of the last call on this thread, a line each.
    static REMARKS: RefCell<CString> = RefCell::default();
}

/// Forgets the remarks of the call before.
pub(crate) fn forget() {
    // On a thread that is ending nobody asks for remarks any more.
    let _ = REMARKS.try_with(|remarks| {
        if !remarks.borrow().is_empty() {
            remarks.take();
        }
    });
}

/// Adds a remark of the call on this thread. A remark that the call has made before, such as on another of many
/// positions, is not repeated.
pub(crate) fn remark(text: impl Display) {
    let text = printable(text);
    let _ = REMARKS.try_with(|remarks| {
        let mut lines = remarks.take().into_bytes();
        if !lines.split(|&byte| byte == b'\n').any(|line| line == text.as_bytes()) {
            if !lines.is_empty() {
                lines.push(b'\n');
            }
            lines.extend(text.into_bytes());
        }
        // Zeros are not printable characters.
        remarks.replace(CString::new(lines).unwrap_or_default());
    });
}

/// The position of a text. Remarks on contradictions in the text.
pub(crate) fn position(text: &str) -> Result<Position, Failure> {
    let reading = Position::read(text)?;
    if let Some(found) = reading.remark {
        remark_on(text, found);
    }
    Ok(reading.position)
}

/// Adds a remark on a text.
pub(crate) fn remark_on(text: &str, found: impl Display) {
    remark(format_args!("'{}': {found}", Quoted::new(text.trim())));
}

/// The remarks of the last call on this thread that could fail, a line each, in the words of the command; an empty text
/// if there are none. A call that succeeds remarks on a text that contradicts itself, such as one with a mark of the
/// Crawford game at a score that has none, on a game of draughts that was played by other rules, on a cube and score
/// that a TavliAnyPosition does not keep, on values by a player that has not learned the rules, and on a search with
/// too few simulations. The text is valid until the next call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_last_remarks() -> *const c_char {
    REMARKS.try_with(|remarks| remarks.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
