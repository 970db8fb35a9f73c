//! Analysis of backgammon on every core: values of positions and plays, cube actions, searches, and the errors of a
//! match.
//!
//! * [`evaluation`]: values of positions and plays by an evaluator.
//! * [`cube`](mod@cube): cubeful values and the right actions, also looking ahead.
//! * [`engine`]: an engine that frontends ask for plays and cube decisions.
//! * [`transcript`]: matches as they were played, analysed decision by decision.
//! * [`search`]: the best play of a roll by a search, which can be saved and merged.
#![deny(missing_docs)]

pub mod cube;
pub mod engine;
pub mod evaluation;
pub mod search;
pub mod transcript;
