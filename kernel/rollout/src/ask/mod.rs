//! The request: candidates, players and evaluators, how games are divided, and when they end.

pub(crate) mod candidate;
pub(crate) mod checked_request;
pub(crate) mod cube;
pub(crate) mod error;
pub(crate) mod evaluators;
pub(crate) mod option_texts;
pub(crate) mod options;
pub(crate) mod play_filter;
pub(crate) mod playout_settings;
pub(crate) mod request;
