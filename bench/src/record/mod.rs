//! Records: the results of a recipe on a machine, to keep and to compare.

mod contents;
mod form;
mod validity;

#[cfg(test)]
pub(crate) use contents::tests;
pub use contents::{
    CaseRecord, Check, Decided, OverPlayouts, PAPER_GAMES_PER_SECOND, Part, Program, Record, Repetition, Scaling,
    Searched, Verdict,
};
pub use form::RecordError;
