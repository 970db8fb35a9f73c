//! Work on all CPUs: the test harness runs several tests at once, but a long one on a single thread.

use std::sync::Mutex;
use std::thread;

/// Calls `work` with every item, on as many threads as this process may use.
///
/// # Panics
/// If `work` panics.
pub fn for_each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // A system without threads, such as WebAssembly, runs everything here.
    if threads == 1 {
        return items.into_iter().for_each(work);
    }
    let items = Mutex::new(items.into_iter());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let next = || items.lock().expect("no panic while an item is taken").next();
                while let Some(item) = next() {
                    work(item);
                }
            });
        }
    });
}
