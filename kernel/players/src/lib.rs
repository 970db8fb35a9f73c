//! What plays backgammon well: exact tables of bear-offs, and nets.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod bearoff;
pub mod net;
