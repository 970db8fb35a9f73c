//! Monte-Carlo tree search for the best play of a roll.
//!
//! A [`Request`] is a search as a user asks for it; [`Task`] is one that can be run, and [`Found`] what it has found. A
//! `Found` may be saved, and parts of a search merged. All of them rest on [`Search`], which knows any [`Game`].

mod found;
mod merge;
mod named_heuristic;
mod progressive_bias;
mod record;
mod request;
mod svg;
mod task;

pub use found::{Found, FoundPlay};
pub use merge::MergeError;
pub use named_heuristic::NamedHeuristic;
pub use progressive_bias::{ProgressiveBiasRecord, ProgressiveBiasRequest};
pub use record::{FORMAT_VERSION, LoadError, RecordError};
pub use request::{Request, RequestError};
pub use task::Task;

#[doc(inline)]
pub use tavli_search::*;
