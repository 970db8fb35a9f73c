//! Texts from and to the caller: UTF-8, ended by a zero byte.

use std::ffi::{CStr, c_char};

use crate::failure::Failure;
use crate::pointer;
use crate::status::Status;

/// Reads a text.
///
/// # Safety
/// Unless it is NULL, it points to bytes up to and including a zero, which nobody changes during `'a`.
pub(crate) unsafe fn read<'a>(name: &str, text: *const c_char) -> Result<&'a str, Failure> {
    pointer::check(name, text)?;
    // SAFETY: not NULL, and ended by a zero by the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|error| {
        Failure::new(
            Status::Text,
            format_args!("the text '{name}' is not UTF-8: {error}"),
        )
    })
}

/// Reads a text, or nothing if it is NULL.
///
/// # Safety
/// That of [`read`].
pub(crate) unsafe fn optional<'a>(
    name: &str,
    text: *const c_char,
) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise is the same.
    unsafe { read(name, text) }.map(Some)
}

/// Stores a text and its closing zero in a buffer of `capacity` bytes, and the bytes that this takes in `size`.
///
/// # Safety
/// The buffer has room for `capacity` bytes, and `size` is NULL or points to a number; both may be written.
pub(crate) unsafe fn write(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Result<(), Failure> {
    let closed: Vec<c_char> = text
        .bytes()
        .chain([0])
        .map(|byte| c_char::from_ne_bytes([byte]))
        .collect();
    // SAFETY: the caller's promise is the same.
    unsafe { pointer::list(&closed, "buffer", buffer, capacity, size) }
}
