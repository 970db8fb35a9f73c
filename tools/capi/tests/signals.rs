//! A switch may be thrown by a signal handler, which may have interrupted anything: whatever the pointer, that takes no
//! memory, for which there may be a lock, and leaves what the thread keeps as it was.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null;
use std::thread;

use support::{cancel, last_error};
use tavli_capi::*;

/// Counts how often this thread takes memory or gives it back.
struct Counting;

thread_local! {
    // Needs no memory and no destructor of its own.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: `System` does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: whoever calls this makes the promise about `layout` that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: `block` came from `System` by way of `alloc`, with this `layout`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The result of a call, and how often it took memory or gave it back.
fn counted(call: impl FnOnce() -> Status) -> (Status, u64) {
    let before = CALLS.get();
    let status = call();
    (status, CALLS.get() - before)
}

#[test]
fn a_switch_is_thrown_without_memory() {
    let switch = cancel();
    // A thread of its own, which no call has prepared.
    let thread = thread::spawn(move || {
        let odd = switch.get().wrapping_byte_add(1);
        // SAFETY: NULL and pointers that are not aligned are refused, and the switch is not freed before the end.
        let throw = |switch| counted(|| unsafe { tavli_cancel_throw(switch) });
        assert_eq!(throw(null()), (Status::Pointer, 0));
        assert_eq!(throw(odd), (Status::Pointer, 0));
        assert_eq!(throw(switch.get()), (Status::Ok, 0));
        assert_eq!(last_error(), "");
        // Other calls keep the reason, which takes memory.
        let other = counted(|| {
            let mut count = 0;
            // SAFETY: NULL is refused, and the count is a variable.
            unsafe { tavli_workers_count(null(), &raw mut count) }
        });
        assert!(other.0 == Status::Pointer && other.1 > 0, "{other:?}");
        assert!(last_error().contains("'workers' is NULL"));
        // Throwing a switch leaves the reason as it is, too.
        assert_eq!(throw(null()), (Status::Pointer, 0));
        assert!(last_error().contains("'workers' is NULL"));
    });
    thread.join().expect("no panic");
}
