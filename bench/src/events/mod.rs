//! What went on while a machine worked: hardware counters, interruptions, throttling, energy.
//!
//! Everything here is optional: systems count it or not, and let a program read it or not.

mod counters;
mod totals;
mod watch;

pub use counters::Counts;
pub(crate) use counters::ThreadCounters;
pub use totals::Events;
pub(crate) use watch::{Reading, Watch};
