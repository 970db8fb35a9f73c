//! How many items to hand out at a time.

use core::ops::{Range, RangeInclusive};
use std::time::Duration;

use super::progress::Limit;

/// The longest time of a range: short enough to stop promptly, long enough that handing it out costs nothing and that a
/// batch spends little on its ragged end.
// The rate is 1.012 / 1.016 times the rate with 40 ms (profiles/LOG.md, 2026-11-22, G).
const MAX_RANGE_TIME: Duration = Duration::from_millis(100);
/// The shortest time of a range. Ranges get shorter near the end of a run, so that all workers end together.
const MIN_RANGE_TIME: Duration = Duration::from_millis(2);
/// The most items of weight 1 in the first ranges, while the rate is unknown. With 64 items two workers already take
/// longer than one.
const FIRST_RANGE_ITEMS: u64 = 64;
/// The largest growth from one range to the next: the rate of a few items misleads, and a run that is saved as it goes
/// should soon have something to save.
const MAX_RANGE_GROWTH: u64 = 32;
/// The most items of weight 1 a worker that are shared out at once while the rate is unknown; they measure the rate.
pub(super) const DEFAULT_FIRST_ITEMS_A_WORKER: u64 = 1296;
/// Work that takes each worker no longer than this is divided evenly in one step: more ranges would cost more than
/// their better balance saves.
// Before, 1,296 trials of twenty candidates were handed out in up to ten ranges, the first of four trials.
const STEP_WORK: Duration = Duration::from_millis(10);

/// Hands out a run's items in consecutive ranges, with sizes that follow the rate. The sizes never show in the results:
/// they only decide which worker does which item.
#[derive(Debug)]
pub(super) struct Ranges {
    first: u64,
    next: u64,
    end: u64,
    deadline: Option<Duration>,
    workers: f64,
    /// Items per second and worker.
    rate: f64,
    /// The items of the next range, as long as the rate is unknown, or where the work is short.
    fixed_items: Option<u64>,
    /// The most items of the next range.
    growth_limit: u64,
    /// The fewest and the most items of a range.
    min_items: u64,
    max_items: u64,
    /// Items handed out and not yet reported as done.
    handed_out: u64,
}

impl Ranges {
    /// Ranges of items from `first` on. Their sizes stay within `sizes`; if its start exceeds its end, the end counts.
    /// `rate` is the number of items that a worker finishes in a second. While it is unknown, a run of up to
    /// `first_items` items of weight 1 a worker is handed out at once, in equal ranges.
    pub(super) fn new(
        first: u64,
        limit: Limit,
        workers: usize,
        sizes: &RangeInclusive<u64>,
        weight: u64,
        rate: Option<f64>,
        first_items: u64,
    ) -> Ranges {
        let max_items = (*sizes.end()).max(1);
        let (end, deadline) = match limit {
            Limit::Items(items) => (first.saturating_add(items), None),
            Limit::Time(time) => (u64::MAX, Some(time)),
        };
        let [small, first_items] =
            [FIRST_RANGE_ITEMS.min(first_items), first_items].map(|items| items.div_ceil(weight));
        let even = (end - first).div_ceil(workers as u64);
        let is_short = deadline.is_none()
            && rate.map_or(even <= first_items, |rate| even as f64 <= rate * STEP_WORK.as_secs_f64());
        let fixed_items = match (is_short, rate) {
            (true, _) => Some(even.max(small)),
            (false, None) => Some(small),
            (false, Some(_)) => None,
        };
        Ranges {
            first,
            next: first,
            end,
            deadline,
            workers: workers as f64,
            rate: rate.unwrap_or(small as f64 / MAX_RANGE_TIME.as_secs_f64()),
            fixed_items,
            growth_limit: fixed_items.unwrap_or(u64::MAX),
            min_items: (*sizes.start()).clamp(1, max_items),
            max_items,
            handed_out: 0,
        }
    }

    /// The next range, `now` after the start of the run; `None` if no items are left.
    pub(super) fn next(&mut self, now: Duration) -> Option<Range<u64>> {
        let left = self.end - self.next;
        if left == 0 {
            return None;
        }
        let seconds = match self.deadline {
            None => left as f64 / (self.rate * self.workers),
            Some(deadline) => {
                let left = deadline.saturating_sub(now).as_secs_f64();
                let left = left - self.handed_out as f64 / (self.rate * self.workers);
                // A first range is handed out however short the time.
                if left <= 0.0 && self.next > self.first {
                    return None;
                }
                left
            }
        };
        // Handing out half of the items left ends all workers within a fraction of the last range. A single worker
        // takes the rest at once, unless there is a deadline.
        let parts = if self.workers > 1.0 || self.deadline.is_some() { 2.0 } else { 1.0 };
        let seconds = (seconds / parts).clamp(MIN_RANGE_TIME.as_secs_f64(), MAX_RANGE_TIME.as_secs_f64());
        let items = self
            .fixed_items
            .unwrap_or((self.rate * seconds) as u64)
            .min(self.growth_limit)
            // In this order: the last range may have fewer than the least.
            .clamp(self.min_items, self.max_items)
            .min(left);
        let first = self.next;
        self.next += items;
        self.handed_out += items;
        Some(first..self.next)
    }

    /// Notes that a worker took `time` for `items` items.
    pub(super) fn done(&mut self, items: u64, time: Duration) {
        self.handed_out -= items;
        // A coarse clock may show no time for a few items, and no rate follows from that.
        if !time.is_zero() {
            self.rate = items as f64 / time.as_secs_f64();
            self.fixed_items = None;
            self.growth_limit = self.growth_limit.max(items.saturating_mul(MAX_RANGE_GROWTH));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a run with workers of a fixed rate and returns the sizes of its ranges.
    fn sizes(first: u64, limit: Limit, workers: usize, max_items: u64, rate: f64) -> Vec<u64> {
        let mut ranges = Ranges::new(first, limit, workers, &(1..=max_items), 1, None, DEFAULT_FIRST_ITEMS_A_WORKER);
        let mut free = vec![0.0; workers];
        let mut next = first;
        let mut sizes = Vec::new();
        loop {
            let worker = (0..workers).min_by(|&a, &b| f64::total_cmp(&free[a], &free[b])).unwrap();
            let Some(range) = ranges.next(Duration::from_secs_f64(free[worker])) else {
                return sizes;
            };
            assert_eq!(range.start, next);
            next = range.end;
            let items = range.end - range.start;
            let time = items as f64 / rate;
            free[worker] += time;
            ranges.done(items, Duration::from_secs_f64(time));
            sizes.push(items);
        }
    }

    #[test]
    fn a_counted_run_hands_out_every_item_once() {
        for (items, workers) in [(1, 1), (1, 8), (63, 2), (1296, 192), (1_000_000, 2), (10_000_000, 64)] {
            for rate in [50.0, 4e5, 5e6] {
                let sizes = sizes(7, Limit::Items(items), workers, u64::MAX, rate);
                assert_eq!(sizes.iter().sum::<u64>(), items);
                assert!(sizes.iter().skip(2 * workers).all(|&n| n as f64 / rate < 0.101 || n == 1));
            }
        }
    }

    #[test]
    fn a_timed_run_ends_in_time() {
        for rate in [50.0, 4e5, 5e6] {
            let items: u64 = sizes(0, Limit::Time(Duration::from_secs(2)), 3, u64::MAX, rate).iter().sum();
            let ideal = 3.0 * 2.0 * rate;
            assert!((items as f64 - ideal).abs() < 0.02 * ideal + 64.0, "{items} {ideal}");
        }
    }

    #[test]
    fn the_shortest_run_does_an_item_and_the_numbers_end() {
        assert!(!sizes(0, Limit::Time(Duration::from_nanos(1)), 2, u64::MAX, 4e5).is_empty());
        let last = sizes(u64::MAX - 10, Limit::Time(Duration::from_secs(2)), 2, u64::MAX, 4e5);
        assert_eq!(last.iter().sum::<u64>(), 10);
    }

    #[test]
    fn ranges_of_one_size_are_even() {
        let mut ranges = Ranges::new(5, Limit::Items(1000), 2, &(300..=300), 1, None, DEFAULT_FIRST_ITEMS_A_WORKER);
        let mut next = || ranges.next(Duration::ZERO);
        assert_eq!(next(), Some(5..305));
        assert_eq!(next(), Some(305..605));
        assert_eq!(next(), Some(605..905));
        assert_eq!(next(), Some(905..1005));
        assert_eq!(next(), None);
    }

    /// Two workers take longer over 64 items than one.
    #[test]
    fn small_work_is_not_divided() {
        let ranges = |items: u64, workers: usize, weight: u64| {
            let limit = Limit::Items(items);
            let mut ranges =
                Ranges::new(0, limit, workers, &(1..=u64::MAX), weight, None, DEFAULT_FIRST_ITEMS_A_WORKER);
            let mut sizes = Vec::new();
            while let Some(range) = ranges.next(Duration::ZERO)
                && sizes.len() < 3
            {
                sizes.push(range.end - range.start);
            }
            sizes
        };
        assert_eq!(ranges(1, 2, 1), [1]);
        assert_eq!(ranges(64, 2, 1), [64]);
        assert_eq!(ranges(100, 8, 1), [64, 36]);
        assert_eq!(ranges(3, 2, 20), [3]);
        assert_eq!(ranges(6, 2, 20), [4, 2]);
        // Enough work for two workers is divided evenly.
        assert_eq!(ranges(1296, 2, 1), [648, 648]);
        assert_eq!(ranges(1296, 1, 1), [1296]);
        assert_eq!(ranges(2592, 2, 1), [1296, 1296]);
        // The first ranges of much work are small.
        assert_eq!(ranges(1 << 40, 2, 1), [64, 64, 64]);
    }

    #[test]
    fn a_known_rate_makes_large_ranges_at_once() {
        let limit = Limit::Items(1_000_000);
        let mut ranges = Ranges::new(0, limit, 2, &(1..=u64::MAX), 1, Some(1e6), DEFAULT_FIRST_ITEMS_A_WORKER);
        assert_eq!(ranges.next(Duration::ZERO), Some(0..100_000));
    }

    /// The ranges of 1,296 trials of 20 games each, for two workers.
    #[test]
    fn short_work_is_divided_evenly() {
        let sizes = |rate: Option<f64>, few: u64| {
            let limit = Limit::Items(1296);
            let mut ranges = Ranges::new(0, limit, 2, &(1..=u64::MAX), 20, rate, few);
            let next = || ranges.next(Duration::ZERO);
            let sizes = core::iter::from_fn(next).map(|range| range.end - range.start);
            sizes.take(3).collect::<Vec<u64>>()
        };
        assert_eq!(sizes(Some(1e5), DEFAULT_FIRST_ITEMS_A_WORKER), [648, 648]);
        assert_eq!(sizes(None, 20_000), [648, 648]);
        // Work that takes longer, or may do so, is handed out in smaller ranges.
        assert_eq!(sizes(Some(1e4), DEFAULT_FIRST_ITEMS_A_WORKER), [324, 243, 182]);
        assert_eq!(sizes(None, DEFAULT_FIRST_ITEMS_A_WORKER), [4, 4, 4]);
    }

    #[test]
    fn no_range_is_larger_than_asked() {
        let sizes = sizes(0, Limit::Items(1_000_000), 2, 300, 4e5);
        assert!(sizes.iter().all(|&n| n <= 300));
    }

    /// Each range costs time to hand out and a ragged end of the batch. There are ten a second, and a few more at
    /// either end of a run.
    #[test]
    fn a_run_is_handed_out_in_few_ranges() {
        for workers in [1, 2, 64] {
            for rate in [3e4, 4e5, 5e6] {
                for seconds in [1.0, 10.0] {
                    let items = seconds * rate * workers as f64;
                    for limit in [Limit::Items(items as u64), Limit::Time(Duration::from_secs_f64(seconds))] {
                        let ranges = sizes(0, limit, workers, u64::MAX, rate).len() as f64;
                        let of_a_worker = ranges / workers as f64;
                        assert!(
                            of_a_worker <= 10.0 * seconds + 10.0,
                            "{limit:?}, {workers} workers at {rate}: {of_a_worker} ranges each"
                        );
                    }
                }
            }
        }
    }
}
