//! What plays backgammon well: players by name or file, nets, and exact tables of bear-offs.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod bearoff;
pub mod named;
pub mod net;
