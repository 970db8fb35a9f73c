//! Texts from and to the caller: UTF-8, ended by a zero byte.

use std::ffi::{CStr, c_char};

use tavli::text::Quoted;

use crate::failure::Failure;
use crate::pointer::{self, Buffer};
use crate::status::Status;

/// Reads a text.
///
/// # Safety
/// Unless it is NULL, it points to bytes up to and including a zero, which nobody changes during `'a`.
pub(crate) unsafe fn read<'a>(name: &str, text: *const c_char) -> Result<&'a str, Failure> {
    pointer::check(name, text)?;
    // SAFETY: the caller guarantees, during `'a`: `text`, which was checked, is an unchanged text that ends with a
    // zero.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|_| {
        let found = bytes.to_bytes().escape_ascii().to_string();
        let found = Quoted::new(&found).within(40);
        Failure::new(Status::Text, format_args!("{name} is not UTF-8 text: '{found}'"))
    })
}

/// Reads a text, or nothing if it is NULL.
///
/// # Safety
/// As for [`read`].
pub(crate) unsafe fn optional<'a>(name: &str, text: *const c_char) -> Result<Option<&'a str>, Failure> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller guarantees what `read` requires of `text`.
    unsafe { read(name, text) }.map(Some)
}

/// Stores a text and its closing zero in a buffer, and the bytes that this takes in the place of its length.
pub(crate) fn write(text: &str, buffer: Buffer<c_char>) -> Result<(), Failure> {
    let closed: Vec<c_char> = text.bytes().chain([0]).map(|byte| c_char::from_ne_bytes([byte])).collect();
    buffer.store(&closed)
}
