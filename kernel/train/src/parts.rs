//! Work in parts, each done by the next worker that is free.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use tavli_run::{Cancel, Workers};

/// Does all parts, and returns the results in their order; `None` if cancelled before all are done. A part that is
/// cancelled returns `None`.
pub(crate) fn each_part<P: Send + Sync + 'static, T: Send + 'static>(
    (workers, cancel): (&Workers, &Cancel),
    parts: Vec<P>,
    work: impl Fn(&P) -> Option<T> + Send + Sync + 'static,
) -> Option<Vec<T>> {
    let (next, cancel) = (AtomicUsize::new(0), cancel.clone());
    let of_workers = workers.each(move |_| {
        let mut done = Vec::new();
        loop {
            // Relaxed: the counter only hands out numbers. The channel of `Workers::each` orders what the workers have
            // written.
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(index) else {
                return Some(done);
            };
            if cancel.is_cancelled() {
                return None;
            }
            done.push((index, work(part)?));
        }
    });
    let of_workers: Vec<_> = of_workers.into_iter().collect::<Option<_>>()?;
    let mut done: Vec<(usize, T)> = of_workers.into_iter().flatten().collect();
    // Which worker is free is chance; the weights of a net must not depend on it.
    done.sort_unstable_by_key(|done| done.0);
    Some(done.into_iter().map(|done| done.1).collect())
}

/// The numbers in ranges of `size` numbers; the last one may be shorter.
pub(crate) fn ranges(numbers: Range<u64>, size: u64) -> Vec<Range<u64>> {
    let firsts = numbers.clone().step_by(size as usize);
    firsts.map(|first| first..numbers.end.min(first + size)).collect()
}
