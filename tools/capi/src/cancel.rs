//! The switch that ends calls.

use tavli::run;

use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, OutPointer};
use crate::status::Status;

/// A switch that ends the calls it was given to, whatever they do.
#[derive(Debug, Default)]
pub struct Cancel(run::Cancel);

/// Makes a switch that is not thrown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cancel_new(cancel: *mut *mut Cancel) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `cancel` is room for one handle.
        unsafe { OutPointer::new("cancel", cancel) }?.store_handle(Cancel::default());
        Ok(())
    })
}

/// Ends the calls that were given this switch, within a few hundredths of a second: the games that are being played are
/// abandoned, and those before them, an unbroken range, are the result. The switch stays thrown: a call that is given
/// it later plays nothing. This function may be called from any thread, and from a signal handler: whatever the
/// pointer, it takes no memory and waits for nothing. So it alone leaves tavli_last_error as it is when it returns
/// TAVLI_STATUS_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cancel_throw(cancel: *const Cancel) -> Status {
    // Not by way of `guarded`, which keeps the reason of a failure in memory of the thread. Nothing here panics.
    if !pointer::is_sound(cancel) {
        return Status::Pointer;
    }
    // SAFETY: the caller guarantees, until this returns: `cancel`, which is sound, comes from tavli_cancel_new and is
    // not freed, even if a signal interrupts the thread.
    unsafe { &*cancel }.0.cancel();
    Status::Ok
}

/// Frees a switch; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cancel_free(cancel: *mut Cancel) {
    guarded(|| {
        // SAFETY: the caller guarantees: `cancel` is NULL or of tavli_cancel_new, freed once, and no call is using it.
        unsafe { pointer::take_back(cancel) };
        Ok(())
    });
}

/// The switch of the caller; NULL is a switch that is never thrown.
///
/// # Safety
/// Unless it is NULL or not aligned, it is a switch that is not freed meanwhile.
pub(crate) unsafe fn read(cancel: *const Cancel) -> Result<run::Cancel, Failure> {
    // SAFETY: the caller guarantees, until this returns: `cancel` is NULL or a handle of tavli_cancel_new that is not
    // freed.
    let cancel = unsafe { pointer::optional("cancel", cancel) }?;
    Ok(cancel.map_or_else(run::Cancel::new, |cancel| cancel.0.clone()))
}
