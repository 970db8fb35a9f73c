//! Processes that play a rollout together: threads that pass numbers through memory.

use std::sync::{Arc, Barrier, Mutex};

use super::Communicator;

/// The memory through which the processes pass numbers.
struct Exchange {
    barrier: Barrier,
    numbers: Mutex<Vec<u64>>,
}

/// A thread in the role of a process.
pub(crate) struct Thread {
    rank: usize,
    count: usize,
    exchange: Arc<Exchange>,
}

/// `count` processes, in the order of their ranks.
pub(crate) fn threads(count: usize) -> Vec<Thread> {
    let exchange = Arc::new(Exchange { barrier: Barrier::new(count), numbers: Mutex::new(Vec::new()) });
    let thread = |rank| Thread { rank, count, exchange: Arc::clone(&exchange) };
    (0..count).map(thread).collect()
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn sum(&self, numbers: &mut [u64]) {
        {
            let mut sums = self.exchange.numbers.lock().expect("no process failed");
            sums.resize(numbers.len(), 0);
            for (sum, more) in sums.iter_mut().zip(numbers.iter()) {
                *sum = sum.wrapping_add(*more);
            }
        }
        self.exchange.barrier.wait();
        if self.rank == 0 {
            let mut sums = self.exchange.numbers.lock().expect("no process failed");
            numbers.copy_from_slice(&sums);
            sums.clear();
        } else {
            // The numbers afterwards are unspecified.
            numbers.fill(u64::MAX);
        }
        self.exchange.barrier.wait();
    }

    fn broadcast(&self, numbers: &mut [u64]) {
        if self.rank == 0 {
            *self.exchange.numbers.lock().expect("no process failed") = numbers.to_vec();
        }
        self.exchange.barrier.wait();
        numbers.copy_from_slice(&self.exchange.numbers.lock().expect("no process failed"));
        self.exchange.barrier.wait();
        if self.rank == 0 {
            self.exchange.numbers.lock().expect("no process failed").clear();
        }
        self.exchange.barrier.wait();
    }
}
