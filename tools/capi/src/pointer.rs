//! Pointers from the caller, with all checks that are possible.

use std::alloc::Layout;
use std::ptr::NonNull;

use crate::failure::Failure;
use crate::status::Status;

/// Whether a pointer is neither NULL nor misaligned.
pub(crate) fn is_sound<T>(pointer: *const T) -> bool {
    !pointer.is_null() && pointer.is_aligned()
}

/// Refuses NULL and misaligned pointers.
pub(crate) fn check<T>(name: &str, pointer: *const T) -> Result<(), Failure> {
    if is_sound(pointer) {
        return Ok(());
    }
    let fault = if pointer.is_null() {
        "is NULL".to_owned()
    } else {
        format!("is {pointer:p}, which is not aligned to {} bytes", align_of::<T>())
    };
    Err(Failure::new(Status::Pointer, format_args!("the pointer '{name}' {fault}")))
}

/// The value behind a pointer.
///
/// # Safety
/// Unless it is NULL or not aligned, it points to a value that nobody changes during `'a`.
pub(crate) unsafe fn reference<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    check(name, pointer)?;
    // SAFETY: the caller guarantees, during `'a`: at `pointer`, which was checked, is an unchanged `T`.
    Ok(unsafe { &*pointer })
}

/// The value behind a pointer, or nothing if it is NULL.
///
/// # Safety
/// As for [`reference()`].
pub(crate) unsafe fn optional<'a, T>(name: &str, pointer: *const T) -> Result<Option<&'a T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller guarantees what `reference` requires of `pointer`.
    unsafe { reference(name, pointer) }.map(Some)
}

/// The values of an array.
///
/// # Safety
/// Unless it is NULL or not aligned, or no memory holds `count` values, the pointer points to as many, which nobody
/// changes during `'a`.
pub(crate) unsafe fn array<'a, T>(name: &str, pointer: *const T, count: usize) -> Result<&'a [T], Failure> {
    check(name, pointer)?;
    if Layout::array::<T>(count).is_err() {
        return Err(Failure::new(
            Status::Pointer,
            format_args!("the pointer '{name}' is said to point to {count} values, more than any memory holds"),
        ));
    }
    // SAFETY: the caller guarantees, during `'a`: at `pointer`, which was checked, are `count` unchanged values.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// The caller's place for one result, checked before the result is computed.
#[derive(Debug)]
pub(crate) struct OutPointer<T>(NonNull<T>);

impl<T> OutPointer<T> {
    /// # Safety
    /// Unless it is NULL or not aligned, the pointer points to room for a `T`, which no other thread reads or writes as
    /// long as the place exists. A value there is overwritten and not dropped.
    pub(crate) unsafe fn new(name: &str, pointer: *mut T) -> Result<OutPointer<T>, Failure> {
        check(name, pointer)?;
        let place = NonNull::new(pointer).expect("checked above");
        Ok(OutPointer(place))
    }

    /// A place, or `None` if the pointer is NULL.
    ///
    /// # Safety
    /// As for [`OutPointer::new`].
    pub(crate) unsafe fn optional(name: &str, pointer: *mut T) -> Result<Option<OutPointer<T>>, Failure> {
        if pointer.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller guarantees what `OutPointer::new` requires of `pointer`.
        unsafe { OutPointer::new(name, pointer) }.map(Some)
    }

    /// Stores the result.
    pub(crate) fn store(self, value: T) {
        // SAFETY: `OutPointer::new` checked the pointer in `self`, and its caller guarantees room for a `T` there as
        // long as there is this place.
        unsafe { self.0.write(value) };
    }
}

impl<T> OutPointer<*mut T> {
    /// Stores a new handle, which [`take_back`] frees.
    pub(crate) fn store_handle(self, made: T) {
        self.store(Box::into_raw(Box::new(made)));
    }
}

/// The caller's buffer for a list, and a place for the length of the list.
#[derive(Debug)]
pub(crate) struct Buffer<T> {
    start: *mut T,
    capacity: usize,
    count: Option<OutPointer<usize>>,
}

impl<T: Copy> Buffer<T> {
    /// The buffer 'buffer' for `capacity` items; `count`, which errors call `count_name`, may be NULL.
    ///
    /// # Safety
    /// Unless it is NULL or not aligned, `start` points to room for `capacity` items; `count` is as
    /// [`OutPointer::optional`] requires. No other thread reads or writes there as long as the buffer exists.
    pub(crate) unsafe fn new(
        start: *mut T,
        capacity: usize,
        count_name: &str,
        count: *mut usize,
    ) -> Result<Buffer<T>, Failure> {
        Ok(Buffer {
            start,
            capacity,
            // SAFETY: the caller guarantees what `OutPointer::optional` requires of `count`.
            count: unsafe { OutPointer::optional(count_name, count) }?,
        })
    }

    /// Stores the length of a list, and the list if there is room for it.
    pub(crate) fn store(self, items: &[T]) -> Result<(), Failure> {
        if let Some(count) = self.count {
            count.store(items.len());
        }
        if self.capacity < items.len() {
            return Err(Failure::new(
                Status::Buffer,
                format_args!(
                    "the buffer 'buffer' has room for {}, and {} are to be stored",
                    self.capacity,
                    items.len()
                ),
            ));
        }
        if items.is_empty() {
            return Ok(());
        }
        check("buffer", self.start)?;
        // SAFETY: the caller of `Buffer::new` guarantees room for `capacity` items at `start`, which was checked, and
        // `items` are at most as many; the library's own `items` do not overlap the caller's buffer.
        unsafe {
            self.start.copy_from_nonoverlapping(items.as_ptr(), items.len());
        }
        Ok(())
    }
}

/// Takes a handle back and drops its value; NULL is allowed.
///
/// # Safety
/// The handle is NULL, or was made by [`OutPointer::store_handle`] and not taken back before, and nobody uses it any
/// more.
pub(crate) unsafe fn take_back<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller guarantees: `handle` came from `Box::into_raw`, and comes back once.
        drop(unsafe { Box::from_raw(handle) });
    }
}
