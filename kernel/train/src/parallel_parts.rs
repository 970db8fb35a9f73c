//! Work in parts, each done by the next worker that is free.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use tavli_run::{Cancel, Workers};

/// Does all parts, and returns the results in their order; `None` if cancelled before all are done. A part that is
/// cancelled returns `None`.
pub(crate) fn each_part<P: Send + Sync + 'static, T: Send + 'static>(
    of: (&Workers, &Cancel),
    parts: Vec<P>,
    work: impl Fn(&P) -> Option<T> + Send + Sync + 'static,
) -> Option<Vec<T>> {
    let all = parts.len();
    let done = first_parts(of, parts, work);
    (done.len() == all).then_some(done)
}

/// The results of all parts in their order; if cancelled, those before the first part that is not done.
pub(crate) fn first_parts<P: Send + Sync + 'static, T: Send + 'static>(
    (workers, cancel): (&Workers, &Cancel),
    parts: Vec<P>,
    work: impl Fn(&P) -> Option<T> + Send + Sync + 'static,
) -> Vec<T> {
    let (next, cancel) = (AtomicUsize::new(0), cancel.clone());
    let of_workers = workers.each(move |_| {
        let mut done = Vec::new();
        loop {
            // Relaxed: the counter only hands out numbers. The channel of `Workers::each` orders what the workers have
            // written.
            let index = next.fetch_add(1, Ordering::Relaxed);
            let part = parts.get(index).filter(|_| !cancel.is_cancelled());
            let Some(result) = part.and_then(&work) else {
                return done;
            };
            done.push((index, result));
        }
    });
    let mut done: Vec<(usize, T)> = of_workers.into_iter().flatten().collect();
    // Which worker is free is chance; the weights of a net must not depend on it.
    done.sort_unstable_by_key(|done| done.0);
    let first = (0..).zip(done).take_while(|(index, done)| *index == done.0);
    first.map(|(_, done)| done.1).collect()
}

/// The numbers in ranges of `size` numbers; the last one may be shorter.
pub(crate) fn ranges(numbers: Range<u64>, size: u64) -> Vec<Range<u64>> {
    let firsts = numbers.clone().step_by(size as usize);
    firsts.map(|first| first..numbers.end.min(first + size)).collect()
}
