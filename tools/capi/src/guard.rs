//! The guard around every call: errors become a status, and no panic goes on into C.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::Failure;
use crate::remarks;
use crate::status::Status;

thread_local! {
    /// The reason of the last call on this thread that failed.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Runs the body of a call, and returns its status.
///
/// After a panic no half-changed state is read again: the lock of a rollout is poisoned, and nothing else that calls
/// share changes.
pub(crate) fn guarded(body: impl FnOnce() -> Result<(), Failure>) -> Status {
    remarks::forget();
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let message = format!("a fault in the library: {}", reason(&*panic));
            // The payload may be of any type, and dropping it may panic as well.
            std::mem::forget(panic);
            Failure::new(Status::Panic, message)
        }
    };
    remarks::forget();
    remember(failure.message);
    failure.status
}

/// The message of a panic.
fn reason(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it does not say which")
}

fn remember(message: String) {
    let text = CString::new(message).unwrap_or_else(|error| {
        let mut bytes = error.into_vec();
        bytes.retain(|&byte| byte != 0);
        CString::new(bytes).unwrap_or_default()
    });
    // On a thread that is ending nobody asks for the reason any more.
    let _ = LAST_ERROR.try_with(|last| last.replace(text));
}

/// Why the last call on this thread that failed did so, in words; an empty text before the first. It is valid
/// until the next call on this thread fails, and calls that succeed leave it as it is.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;
    use std::panic::panic_any;

    fn last_error() -> String {
        // SAFETY: `tavli_last_error` points to a text that ends with a zero and stays until the next failure here.
        let text = unsafe { CStr::from_ptr(tavli_last_error()) };
        text.to_str().expect("UTF-8").to_owned()
    }

    #[test]
    fn panics_become_a_status() {
        assert_eq!(last_error(), "");
        assert_eq!(guarded(|| panic!("deliberate")), Status::Panic);
        assert_eq!(last_error(), "a fault in the library: deliberate");
        assert_eq!(guarded(|| panic!("deliberate {}", 2)), Status::Panic);
        assert_eq!(last_error(), "a fault in the library: deliberate 2");
        assert_eq!(guarded(|| panic_any(3)), Status::Panic);
        assert_eq!(last_error(), "a fault in the library: it does not say which");
    }

    #[test]
    fn the_last_error_is_kept_and_each_thread_has_its_own() {
        assert_eq!(guarded(|| Err(Failure::new(Status::Index, "a\0b"))), Status::Index);
        assert_eq!(guarded(|| Ok(())), Status::Ok);
        assert_eq!(last_error(), "a\\u{0}b");
        let other = std::thread::spawn(last_error);
        assert_eq!(other.join().expect("no panic"), "");
    }
}
