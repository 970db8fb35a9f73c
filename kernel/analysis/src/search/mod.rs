//! Searches for the best play of a roll: trees, flat, halving, expectimax.
//!
//! A [`SearchRequest`] has the options of a search; [`SearchRequest::prepare`] checks them and makes a
//! [`PreparedSearch`], which can be run. Its [`SearchResult`] can be saved, and merged with the results of other parts
//! of the search. They use [`Search`], which works on any [`Game`].

mod merge;
mod named_heuristic;
mod prepared_search;
mod record;
mod request;
mod search_result;
mod svg;

pub use named_heuristic::NamedHeuristic;
pub use prepared_search::PreparedSearch;
pub use record::{FORMAT_VERSION, LoadError, SearchRecordError};
pub use request::{RequestError, SearchRequest};
pub use search_result::{FoundPlay, SearchResult};
pub use tavli_file::saved_parts::MergeError;

#[doc(inline)]
pub use tavli_search::*;
