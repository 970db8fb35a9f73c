//! The switch that ends what is played.

use tavli::run;

use crate::border::border;
use crate::failure::Failure;
use crate::pointer;
use crate::status::Status;

/// A switch that ends the playouts and rollouts it was given to.
#[derive(Debug, Default)]
pub struct Cancel(run::Cancel);

/// Makes a switch that is not thrown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cancel_new(cancel: *mut *mut Cancel) -> Status {
    // SAFETY: the header asks the caller for it.
    border(|| unsafe { pointer::hand_over("cancel", cancel, || Ok(Cancel::default())) })
}

/// Ends what was given this switch, within a few hundredths of a second: the games that are being played are abandoned,
/// and those before them, an unbroken range, are the result. It stays thrown, so that what is given it later plays
/// nothing. It may be called from any thread, and from a signal handler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cancel_throw(cancel: *const Cancel) -> Status {
    border(|| {
        // SAFETY: the header asks the caller for it.
        unsafe { pointer::reference("cancel", cancel) }?.0.cancel();
        Ok(())
    })
}

/// Frees a switch; NULL is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cancel_free(cancel: *mut Cancel) {
    border(|| {
        // SAFETY: the header asks the caller for it.
        unsafe { pointer::take_back(cancel) };
        Ok(())
    });
}

/// The switch of the caller; NULL is one that nobody throws.
///
/// # Safety
/// Unless it is NULL or not aligned, it is a switch that is not freed meanwhile.
pub(crate) unsafe fn read(cancel: *const Cancel) -> Result<run::Cancel, Failure> {
    // SAFETY: the caller's promise is the same.
    let cancel = unsafe { pointer::optional("cancel", cancel) }?;
    Ok(cancel.map_or_else(run::Cancel::new, |cancel| cancel.0.clone()))
}
