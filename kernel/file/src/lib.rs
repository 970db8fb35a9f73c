//! Files that are written whole, by one process at a time.
//!
//! A [`Target`] is opened before the work whose result it will hold. A file that fails to open is refused at once, and
//! so is a second process that names the same file, until the first has ended. The contents are then replaced as a
//! whole, as often as wanted: a reader finds the old contents or the new, whatever happens in between. A file that
//! another program has put there in the meantime is not replaced. Results are saved as JSON in [records](record), and
//! [`saved_parts`] puts the parts of a whole together. [Recipes](recipe) are read.
//!
//! ```
//! use tavli_file::{Existing, Target};
//! let path = std::env::temp_dir().join(format!("tavli-example-{}", std::process::id()));
//! let target = Target::open(&path, Existing::Refuse)?;
//! // The work is done here.
//! target.replace(b"the result\n")?;
//! assert_eq!(std::fs::read(&path).expect("it was written"), b"the result\n");
//! # std::fs::remove_file(&path).expect("it was written");
//! # Ok::<(), tavli_file::FileError>(())
//! ```

#![deny(missing_docs)]

mod error;
mod lock;
pub mod recipe;
pub mod record;
pub mod saved_parts;
mod target;
pub mod whole_file;

pub use error::FileError;
pub use target::{Existing, Target};
