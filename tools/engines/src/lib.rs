//! Tavli as the engine of frontends, by their own protocols: UBGI, Hub, GNU Backgammon's command line and external
//! players, and servers of HTTP and JSON-RPC.
//!
//! Sessions read standard input and write standard output; servers add the paths that their program gives them.

mod answers;
mod engine_settings;
pub mod external;
mod frontend;
pub mod gnubg;
mod gnubg_values;
pub mod hub;
pub mod match_file;
mod moves;
mod rollouts;
pub mod serve;
mod statistics;
pub mod ubgi;

pub use engine_settings::{EngineSettings, MAX_PLIES, Machine};
