//! The common part of the modules for JavaScript: memory for a request as JSON, for its answer, and for numbers.
//!
//! A module is a library that exports `tavli_answer`, which calls [`answer`] with the function that answers its
//! requests. The other exports are here.
#![deny(missing_docs)]

mod decision;
mod failure;
mod numbers;

use std::cell::RefCell;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use decision::{DecisionJson, NextJson, StatisticJson};
pub use failure::{Failure, Kind};
pub use numbers::{EstimateJson, bytes, exact, last_game, number, seed, too_many};

/// The state between calls. JavaScript runs a module on one thread.
#[derive(Default)]
struct State {
    /// The answer to the last request, as JSON.
    answer: Vec<u8>,
    /// The numbers of a chunk, on their way in or out.
    numbers: Vec<u64>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
    /// The remarks on the request that is being answered.
    static REMARKS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Memory for `length` bytes of a request.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_request(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// The answer to a request: `{"answer": .., "remarks": [..]}`, or `{"error": {"kind", "message"}}`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer<T> {
    Answer { answer: T, remarks: Vec<String> },
    Error { error: Failure },
}

/// Answers the request in memory from [`tavli_request`] by a function, and frees it. Returns the length of the answer.
/// The function gets the request and its numbers, which it replaces by the numbers of the answer.
///
/// # Safety
/// `request` came from `tavli_request` with this length, and was not answered before.
pub unsafe fn answer<Call: DeserializeOwned>(
    request: *mut u8,
    length: usize,
    answered_by: fn(&Call, &mut Vec<u64>) -> Result<Vec<u8>, Failure>,
) -> usize {
    // SAFETY: whoever calls this promises that the box was leaked by `tavli_request` with this length, and only once.
    let request = unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(request, length)) };
    let mut numbers = STATE.with_borrow_mut(|state| core::mem::take(&mut state.numbers));
    REMARKS.take();
    let request = serde_json::from_slice(&request);
    let request = request.map_err(|error| Failure::new(Kind::Settings, error));
    let answer = request.and_then(|request| answered_by(&request, &mut numbers));
    let answer = answer.unwrap_or_else(|failure| to_json(&Answer::<()>::Error { error: failure }));
    STATE.with_borrow_mut(|state| {
        *state = State { answer, numbers };
        state.answer.len()
    })
}

/// Remarks on the request that is being answered, for people.
pub fn remark(text: impl ToString) {
    let text = text.to_string();
    REMARKS.with_borrow_mut(|remarks| {
        if !remarks.contains(&text) {
            remarks.push(text);
        }
    });
}

/// The JSON of an answer, with the remarks on its request.
///
/// # Errors
/// Never: a function can return the `Result` as it is.
pub fn answered(value: impl Serialize) -> Result<Vec<u8>, Failure> {
    let remarks = REMARKS.take();
    Ok(to_json(&Answer::Answer { answer: value, remarks }))
}

fn to_json(answer: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(answer).expect("each key of an answer is a text")
}

/// The address of the last answer, valid until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_answer_bytes() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// Makes room for `count` numbers of a chunk, and returns its address, valid until the next request.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_give_numbers(count: usize) -> *mut u64 {
    STATE.with_borrow_mut(|state| {
        state.numbers = vec![0; count];
        state.numbers.as_mut_ptr()
    })
}

/// The address of the numbers that the last request counted.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_numbers() -> *const u64 {
    STATE.with_borrow(|state| state.numbers.as_ptr())
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "tavli")]
unsafe extern "C" {
    /// Lets the host take a copy of the numbers while a request goes on.
    safe fn tavli_watch();
}

/// Shows the host the numbers of unfinished work: a chunk takes too long for a worker to be silent until its end.
pub fn show(numbers: Vec<u64>) {
    STATE.with_borrow_mut(|state| state.numbers = numbers);
    #[cfg(target_family = "wasm")]
    tavli_watch();
}

/// How many numbers `tavli_numbers` points to.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_numbers_count() -> usize {
    STATE.with_borrow(|state| state.numbers.len())
}
