//! Numbered work on every core of a machine.
//!
//! [`Workers`] are threads, one per CPU of a [`Placement`] on the [`Topology`] of the machine. A [`Scheduler`] gives
//! them consecutive ranges of items (games, for example), takes their results back in order, reports [`Progress`]
//! and checks a [`Cancel`] switch. Nothing here knows the work, which is a closure.
//!
//! ```
//! use core::convert::Infallible;
//! use tavli_run::{Cancel, Cpus, Limit, Pinning, Placement, Scheduler, Workers};
//!
//! let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
//! let cancel = Cancel::new();
//! let scheduler = Scheduler::new(&workers, 0, Limit::Items(1000), &cancel);
//! let mut sum = 0;
//! let Ok(stats) = scheduler.each(
//!     |items| Some(items.sum::<u64>()),
//!     |part| {
//!         sum += part;
//!         Ok::<(), Infallible>(())
//!     },
//!     &mut |_progress| (),
//! );
//! assert_eq!((sum, stats.items), (499_500, 0..1000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod cancel;
mod clock_probe;
mod cpu_list;
mod cpus;
mod duration;
mod ordered_parts;
mod pinning;
mod progress;
mod quota;
mod ranges;
mod scheduler;
mod thread_time;
mod throughput_probe;
mod topology;
mod workers;

pub use cancel::Cancel;
pub use clock_probe::cycles_per_second;
pub use cpu_list::{CpuList, CpuListError};
pub use cpus::Cpus;
pub use duration::{SecondsError, seconds};
pub use pinning::{FillOrder, Pinning, PinningError, Place, Placement, PlacementError};
pub use progress::{Limit, Progress};
pub use quota::Throttled;
pub use scheduler::{RunStats, Scheduler, WorkerStats};
pub use thread_time::thread_cpu_time;
pub use throughput_probe::operations_per_second;
pub use topology::{CoreKind, Cpu, L3, Node, Topology};
pub use workers::{Workers, WorkersError};
