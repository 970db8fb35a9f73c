//! Records as a page to view, and as a text to keep.

mod cases;
mod charts;
mod curves;
mod decisions;
mod entry;
mod events;
mod facts;
mod headline;
mod html;
mod intervals;
mod machines;
mod markdown;
mod plain;
mod searches;
mod svg;
mod table;

pub use curves::{Curve, CurveChart, curves};
pub use decisions::decisions;
pub use entry::Entry;
pub use events::events;
pub use facts::facts;
pub use headline::Headline;
pub use html::{index, page};
pub use intervals::{relative_interval, share_of_linear, spread};
pub use machines::{MachineRates, Rank, machines_table};
pub use markdown::text;
pub use plain::without_folders;
pub use searches::searches;
pub use table::Table;
