//! Small things that most crates need, and that know no game.
//!
//! Work that takes long asks a closure whether to stop, and ends with [`Stopped`]; [`NO_STOP`] never stops it. [`text`]
//! quotes text from outside. [`named_values!`] and [`parsed_values!`] give the values of an enum the names that users
//! read and write.
#![deny(missing_docs)]

mod clock_cost;
mod memory;
mod named_values;
mod parsed_values;
mod stopped;
pub mod text;

pub use clock_cost::time_of_reading;
pub use memory::has_memory;
pub use parsed_values::UnknownNameError;
pub use stopped::{NO_STOP, Stopped};
