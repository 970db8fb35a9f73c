//! Shared by several tests: handles that are freed, positions and the last error.
#![allow(dead_code, reason = "each test uses its own part")]

use std::ffi::{CStr, CString, c_int};
use std::ptr::{null, null_mut};

use tavli_capi::*;

/// Settings of uniform play, in rollouts too.
pub(crate) fn uniform() -> Settings {
    Settings { policy: c"uniform".as_ptr(), ..tavli_settings_default() }
}

/// The opening position.
pub(crate) fn opening() -> [c_int; 26] {
    points(&tavli::Board::START)
}

/// The 26 numbers of a board.
pub(crate) fn points(board: &tavli::Board) -> [c_int; 26] {
    board.points().map(c_int::from)
}

/// The text of the last failure on this thread.
pub(crate) fn last_error() -> String {
    // SAFETY: the text is valid until the next failure on this thread.
    let text = unsafe { CStr::from_ptr(tavli_last_error()) };
    text.to_str().expect("UTF-8").to_owned()
}

/// The remarks of the last call on this thread.
pub(crate) fn last_remarks() -> String {
    // SAFETY: the text is valid until the next call on this thread.
    let text = unsafe { CStr::from_ptr(tavli_last_remarks()) };
    text.to_str().expect("UTF-8").to_owned()
}

/// Expects success.
#[track_caller]
pub(crate) fn ok(status: Status) {
    assert_eq!(status, Status::Ok, "{}", last_error());
}

/// A handle that is freed.
#[derive(Debug)]
pub(crate) struct Handle<T> {
    pointer: *mut T,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Handle<T> {
    /// What `make` stores.
    pub(crate) fn new(
        make: impl FnOnce(*mut *mut T) -> Status,
        free: unsafe extern "C" fn(*mut T),
    ) -> Result<Handle<T>, Status> {
        let mut pointer = null_mut();
        match make(&raw mut pointer) {
            Status::Ok => Ok(Handle { pointer, free }),
            status => {
                assert!(pointer.is_null(), "stored in spite of {status:?}");
                Err(status)
            }
        }
    }

    pub(crate) fn get(&self) -> *const T {
        self.pointer
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: made by the library, and freed once.
        unsafe { (self.free)(self.pointer) };
    }
}

// SAFETY: the header promises that every function may be called from every thread.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: the same.
unsafe impl<T> Sync for Handle<T> {}

pub(crate) fn workers(threads: u32, tier: Option<&str>) -> Handle<Workers> {
    let tier = tier.map(|name| CString::new(name).expect("no zero"));
    let tier = tier.as_deref().map_or(null(), CStr::as_ptr);
    // SAFETY: the texts live until the call returns.
    let start = |workers| unsafe { tavli_workers_start(threads, null(), tier, workers) };
    Handle::new(start, tavli_workers_free).expect("workers")
}

pub(crate) fn cancel() -> Handle<Cancel> {
    // SAFETY: the pointer belongs to a variable.
    Handle::new(|cancel| unsafe { tavli_cancel_new(cancel) }, tavli_cancel_free).expect("a switch")
}

/// A tally in which nothing is counted that playouts could count.
pub(crate) const NOTHING: Tally = Tally {
    games: u64::MAX,
    outcomes: [0; TAVLI_OUTCOMES],
    unfinished: 0,
    plies: 0,
    plies_squared: 0,
    plays: 0,
    longest: 0,
};

/// The tally of playouts of a position: `games` from number `first` on. It is stored only if all is well.
pub(crate) fn tally(
    points: &[c_int; 26],
    settings: &Settings,
    (first, games): (u64, u64),
    workers: &Handle<Workers>,
    cancel: Option<&Handle<Cancel>>,
) -> Result<Tally, Status> {
    let (points, workers) = (points.as_ptr(), workers.get());
    let cancel = cancel.map_or(null(), Handle::get);
    let mut tally = NOTHING;
    let to = &raw mut tally;
    // SAFETY: every pointer belongs to a handle or a variable.
    match unsafe { tavli_playouts(points, settings, first, games, workers, cancel, None, null_mut(), to) } {
        Status::Ok => Ok(tally),
        status => {
            assert_eq!(tally, NOTHING, "stored in spite of {status:?}");
            Err(status)
        }
    }
}

/// A rollout of every play of 31 from the opening.
pub(crate) fn opening_31(settings: &Settings, stop: &Stop) -> Handle<Rollout> {
    let points = opening();
    // SAFETY: every pointer belongs to a variable.
    let make = |rollout| unsafe { tavli_rollout_of_plays(points.as_ptr(), 3, 1, settings, stop, null(), rollout) };
    Handle::new(make, tavli_rollout_free).expect("a rollout")
}

/// Plays a rollout without a switch and without progress.
pub(crate) fn play(rollout: &Handle<Rollout>, workers: &Handle<Workers>) -> Result<StopReason, Status> {
    let mut reason = StopReason::Cancelled;
    // SAFETY: every pointer belongs to a handle or a variable.
    let status = unsafe { tavli_rollout_play(rollout.get(), workers.get(), null(), None, null_mut(), &raw mut reason) };
    match status {
        Status::Ok => Ok(reason),
        status => Err(status),
    }
}

/// What a rollout says of its candidates.
pub(crate) fn results(rollout: &Handle<Rollout>) -> Result<Vec<CandidateResult>, Status> {
    let mut count = 0;
    // SAFETY: the buffer has no room, and is not used.
    let status = unsafe { tavli_rollout_results(rollout.get(), null_mut(), 0, &raw mut count) };
    if status != Status::Buffer {
        return Err(status);
    }
    let mut results = Vec::with_capacity(count);
    // SAFETY: the buffer has room for as many as there are, and all of them are written with `Ok`.
    unsafe {
        match tavli_rollout_results(rollout.get(), results.as_mut_ptr(), count, null_mut()) {
            Status::Ok => results.set_len(count),
            status => return Err(status),
        }
    }
    Ok(results)
}
