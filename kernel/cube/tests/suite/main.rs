//! The crate's promises, against the numbers of GNU Backgammon in `tests/data`.

mod golden;
mod tables;
mod values;
