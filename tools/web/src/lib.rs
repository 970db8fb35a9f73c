//! The library for JavaScript: functions that take a request as JSON and answer with JSON, and rows of numbers.
//!
//! A request has the name of an action and its arguments: `request.rs` lists them. Rollouts are played chunk by chunk,
//! so that the modules of several workers share one: the counts of a chunk go from one module's memory to another's.
#![deny(missing_docs)]

mod cube;
mod game_requests;
mod players;
mod playouts;
mod plays;
mod positions;
mod request;
mod rollouts;
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
