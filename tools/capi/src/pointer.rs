//! Pointers from the caller, checked as far as they can be.

use crate::failure::Failure;
use crate::status::Status;

/// Refuses NULL and what is not aligned.
pub(crate) fn check<T>(name: &str, pointer: *const T) -> Result<(), Failure> {
    let fault = if pointer.is_null() {
        "is NULL".to_owned()
    } else if !pointer.is_aligned() {
        format!(
            "is {pointer:p}, which is not aligned to {} bytes",
            align_of::<T>()
        )
    } else {
        return Ok(());
    };
    Err(Failure::new(
        Status::Pointer,
        format_args!("the pointer '{name}' {fault}"),
    ))
}

/// What a pointer points to.
///
/// # Safety
/// Unless it is NULL or not aligned, it points to a value that nobody changes during `'a`.
pub(crate) unsafe fn reference<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    check(name, pointer)?;
    // SAFETY: neither NULL nor misaligned, and the rest is the caller's promise.
    Ok(unsafe { &*pointer })
}

/// What a pointer points to, or nothing if it is NULL.
///
/// # Safety
/// That of [`reference`].
pub(crate) unsafe fn optional<'a, T>(
    name: &str,
    pointer: *const T,
) -> Result<Option<&'a T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise is the same.
    unsafe { reference(name, pointer) }.map(Some)
}

/// Stores a list in a buffer of `capacity` items, and its length in `count`.
///
/// # Safety
/// The buffer has room for `capacity` items, and `count` is NULL or points to a number; both may be written.
pub(crate) unsafe fn list<T>(
    items: &[T],
    name: &str,
    buffer: *mut T,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Failure>
where
    T: Copy,
{
    if !count.is_null() {
        check("count", count)?;
        // SAFETY: checked above, and may be written by the caller's promise.
        unsafe { count.write(items.len()) };
    }
    if capacity < items.len() {
        return Err(Failure::new(
            Status::Buffer,
            format_args!(
                "the buffer '{name}' has room for {capacity}, and {} are to be stored",
                items.len()
            ),
        ));
    }
    if items.is_empty() {
        return Ok(());
    }
    check(name, buffer)?;
    // SAFETY: the buffer has room for `capacity` items, which are at least these, and is not the library's.
    unsafe { buffer.copy_from_nonoverlapping(items.as_ptr(), items.len()) };
    Ok(())
}

/// Makes a handle of a value and stores it.
///
/// # Safety
/// Unless it is NULL or not aligned, `handle` may be written.
pub(crate) unsafe fn hand_over<T>(
    name: &str,
    handle: *mut *mut T,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    check(name, handle)?;
    let made = Box::into_raw(Box::new(make()?));
    // SAFETY: checked above, and may be written by the caller's promise.
    unsafe { handle.write(made) };
    Ok(())
}

/// Takes a handle back and drops what it stands for; NULL is nothing.
///
/// # Safety
/// The handle is NULL, or was made by [`hand_over`] and not taken back before.
pub(crate) unsafe fn take_back<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: it came from `Box::into_raw` in `hand_over`, once.
        drop(unsafe { Box::from_raw(handle) });
    }
}
