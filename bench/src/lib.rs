//! Measurements of the tavli kernel: recipes, their records, and checks of their results.
//!
//! A [`Recipe`] defines what to measure; [`measure()`] measures it and returns a [`Record`]. The criterion and
//! instruction-count benchmarks next to this library share its inputs and checks.
#![deny(missing_docs)]

pub mod binding;
pub mod checksum;
pub mod compare;
mod cpu_usage;
mod distinct;
pub mod events;
pub mod finding;
pub mod flame_stacks;
pub mod interleaved;
pub mod machine;
pub mod measure;
pub mod paired;
mod printed_numbers;
pub mod profile;
mod profiled_core;
pub mod recipe;
pub mod record;
pub mod report;
pub mod search_stages;
mod single_plies;
pub mod situations;
pub mod stages;
pub mod statistics;
pub mod stored_decisions;

pub use binding::Binding;
pub use checksum::Checksum;
pub use compare::Comparison;
pub use events::Events;
pub use finding::Finding;
pub use machine::Machine;
pub use measure::measure;
pub use recipe::Recipe;
pub use record::Record;
pub use situations::{Category, Situation};
