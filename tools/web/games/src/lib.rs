//! The library of games other than backgammon for JavaScript: a second module, which is loaded when one is asked for.
#![deny(missing_docs)]

mod decisions;
mod nets;
mod playouts;
mod positions;
mod request;
mod searches;
mod values;

/// Answers the request in memory from `tavli_request`, and frees it. Returns the length of the answer.
///
/// # Safety
/// `request` came from `tavli_request` with this length, and was not answered before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_answer(request: *mut u8, length: usize) -> usize {
    // SAFETY: whoever calls this makes the same promise.
    unsafe { tavli_web_module::answer(request, length, request::answer) }
}
