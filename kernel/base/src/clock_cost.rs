//! The cost of reading the clock.

use core::hint::black_box;
use std::time::{Duration, Instant};

/// The time of a reading of the clock: the least mean of several rounds, which nothing interrupted.
///
/// ```
/// assert!(tavli_base::time_of_reading() < std::time::Duration::from_millis(1));
/// ```
#[must_use]
pub fn time_of_reading() -> Duration {
    const READINGS: u32 = 256;
    let round = |_| {
        let start = Instant::now();
        for _ in 0..READINGS {
            black_box(Instant::now());
        }
        start.elapsed() / READINGS
    };
    (0..32).map(round).min().unwrap_or_default()
}
