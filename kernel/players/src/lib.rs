//! What plays backgammon well: exact tables of bear-offs.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod bearoff;
