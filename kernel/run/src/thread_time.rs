//! The processor time of a thread.

use std::time::Duration;

/// Processor time, user and system, that the calling thread has used; `None` if the system does not report it.
///
/// ```
/// let before = tavli_run::thread_cpu_time();
/// let sum: u64 = (0..1000).sum();
/// let after = tavli_run::thread_cpu_time();
/// assert!(sum > 0 && before <= after);
/// ```
#[must_use]
pub fn thread_cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}

/// The difference of two readings of [`thread_cpu_time`].
pub(super) fn used(before: Option<Duration>, after: Option<Duration>) -> Option<Duration> {
    Some(after?.saturating_sub(before?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn work_takes_time_and_sleep_does_not() {
        let start = thread_cpu_time();
        std::thread::sleep(Duration::from_millis(30));
        let slept = used(start, thread_cpu_time()).unwrap();
        assert!(slept < Duration::from_millis(20), "{slept:?}");
        let mut sum = 0u64;
        while used(start, thread_cpu_time()).unwrap() < Duration::from_millis(25) {
            sum = sum.wrapping_add(std::hint::black_box(sum ^ 1));
        }
    }
}
