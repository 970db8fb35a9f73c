//! Files that are written whole, by one process at a time ([`Target`]), and files that are read whole, up to a limit
//! ([`read`]). Saved results are [records](record), which may be [parts of a whole](saved_parts). People write
//! [recipes](recipe).

#[doc(inline)]
pub use tavli_file::whole_file::{MAX_RECORD_BYTES, MAX_TABLE_BYTES, MAX_TEXT_BYTES, read, read_text};
pub use tavli_file::{Existing, FileError, Target, recipe, record, saved_parts};
