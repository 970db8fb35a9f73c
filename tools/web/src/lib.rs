//! The library for JavaScript: functions that take a request as JSON and answer with JSON, and rows of numbers.
//!
//! A request names what to do and the arguments: `request.rs` lists them. Rollouts are played piece by piece, so that
//! the modules of several workers share one: the numbers that a piece counts go from one module's memory to another's.
#![deny(missing_docs)]

mod cube;
mod failure;
mod games;
mod players;
mod playouts;
mod plays;
mod positions;
mod request;
mod rollouts;
mod values;

use std::cell::RefCell;

use request::answer;

/// What stays between calls. JavaScript runs a module on one thread.
#[derive(Default)]
struct State {
    /// The answer to the last request, as JSON.
    answer: Vec<u8>,
    /// The numbers of a piece, on their way in or out.
    numbers: Vec<u64>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Memory for this many bytes of a request.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_request(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Answers the request in memory from [`tavli_request`], and frees it. Returns the length of the answer.
///
/// # Safety
/// `request` came from `tavli_request` with this length, and was not answered before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_answer(request: *mut u8, length: usize) -> usize {
    // SAFETY: whoever calls this promises that the box was leaked by `tavli_request` with this length, and only once.
    let request = unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(request, length)) };
    let mut numbers = STATE.with_borrow_mut(|state| core::mem::take(&mut state.numbers));
    let answer = answer(&request, &mut numbers);
    STATE.with_borrow_mut(|state| {
        *state = State { answer, numbers };
        state.answer.len()
    })
}

/// Where the last answer is, until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_answer_bytes() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// Makes place for this many numbers of a piece, and returns where it is, until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_give_numbers(count: usize) -> *mut u64 {
    STATE.with_borrow_mut(|state| {
        state.numbers = vec![0; count];
        state.numbers.as_mut_ptr()
    })
}

/// Where the numbers are that the last request counted.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_numbers() -> *const u64 {
    STATE.with_borrow(|state| state.numbers.as_ptr())
}

/// How many they are.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_numbers_count() -> usize {
    STATE.with_borrow(|state| state.numbers.len())
}
