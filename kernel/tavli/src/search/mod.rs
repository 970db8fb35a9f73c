//! Searches for the best play of a roll: trees, flat, halving, expectimax.
//!
//! A [`Request`] has the options of a search; [`Request::task`] checks them and makes a [`Task`], which can be run;
//! [`Found`] is its result, which can be saved, and merged with those of other parts of the search. They use
//! [`Search`], which works on any [`Game`].

mod found;
mod merge;
mod named_heuristic;
mod progressive_bias;
mod record;
mod request;
mod svg;
mod task;

pub use found::{Found, FoundPlay};
pub use named_heuristic::NamedHeuristic;
pub use progressive_bias::{ProgressiveBiasRecord, ProgressiveBiasRequest};
pub use record::{FORMAT_VERSION, LoadError, RecordError};
pub use request::{Request, RequestError};
pub use task::Task;
pub use tavli_file::parts::MergeError;

#[doc(inline)]
pub use tavli_search::*;
