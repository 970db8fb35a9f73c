//! The version of the library.

use std::ffi::{CStr, c_char};

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no zero bytes"),
};

/// The version of the library that is linked, such as "0.1.0"; the header's is TAVLI_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_version() -> *const c_char {
    VERSION.as_ptr()
}
