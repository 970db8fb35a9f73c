//! Records: the results of a recipe on a machine, to keep and to compare.

mod definition;
mod envelope;
mod validation;

#[cfg(test)]
pub(crate) use definition::tests;
pub use definition::{
    CaseRecord, Check, Decided, OverPlayouts, PAPER_GAMES_PER_SECOND, Program, Record, Repetition, Scaling, Searched,
    Verdict, WorkerShare,
};
pub use envelope::RecordError;
