//! How far a run has come.

use std::time::Duration;

/// When a run ends, unless it is cancelled before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// After this number of items.
    Items(u64),
    /// After about this time. Items in progress are finished, so the items done are one unbroken range.
    Time(Duration),
}

/// How far a run has come. A run reports it about ten times a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Items done.
    pub items: u64,
    /// Time since the start of the run.
    pub elapsed: Duration,
    /// When the run ends.
    pub limit: Limit,
}

impl Progress {
    /// Items per second since the start; 0 before the first.
    #[must_use]
    pub fn items_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.items as f64 / seconds } else { 0.0 }
    }

    /// The share of the run that is done, 0..=1.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        let fraction = match self.limit {
            Limit::Items(all) => self.items as f64 / all as f64,
            Limit::Time(all) => self.elapsed.as_secs_f64() / all.as_secs_f64(),
        };
        // 0 of 0: nothing is left to do.
        if fraction.is_nan() { 1.0 } else { fraction.clamp(0.0, 1.0) }
    }

    /// The time left at the rate so far; `None` before the first item.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        match self.limit {
            Limit::Items(all) => {
                let left = all.saturating_sub(self.items) as f64 / self.items_per_second();
                // Before the first item the quotient is infinite or NaN, which is not a duration.
                Duration::try_from_secs_f64(left).ok()
            }
            Limit::Time(all) => Some(all.saturating_sub(self.elapsed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_follows_the_limit() {
        let mut progress = Progress { items: 250, elapsed: Duration::from_secs(1), limit: Limit::Items(1000) };
        assert_eq!(progress.items_per_second(), 250.0);
        assert_eq!(progress.fraction(), 0.25);
        assert_eq!(progress.time_left(), Some(Duration::from_secs(3)));
        progress.limit = Limit::Time(Duration::from_secs(4));
        assert_eq!(progress.fraction(), 0.25);
        assert_eq!(progress.time_left(), Some(Duration::from_secs(3)));
        progress.elapsed = Duration::from_secs(5);
        assert_eq!(progress.fraction(), 1.0);
        assert_eq!(progress.time_left(), Some(Duration::ZERO));
        progress.elapsed = Duration::ZERO;
        progress.limit = Limit::Items(1000);
        assert_eq!(progress.items_per_second(), 0.0);
        assert_eq!(progress.time_left(), None);
    }
}
