//! Events while a machine worked: hardware counters, interruptions, throttling, energy.
//!
//! Everything here is optional: not every system counts it, or lets a program read it.

mod counters;
mod totals;
mod watch;

pub use counters::Counts;
pub(crate) use counters::ThreadCounters;
pub use totals::Events;
pub(crate) use watch::{Reading, Watch};
