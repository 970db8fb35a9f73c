//! Tunes the numbers in the text of an [agent](tavli_search::Agent) by games, as a [`Recipe`] asks for.
//!
//! Each method of a recipe has the same budget of games. It asks for a generation of pairings, and learns from their
//! scores. All duels of a generation are played on the same openings, on every core. At the end all winners meet the
//! agent with the start values, and each other, on openings that no method has seen.
//!
//! The same recipe gives the same numbers, whatever the number of threads and the interruptions. A [`Tuning`] is a pure
//! function of its recipe and of the scores so far, so its saved form holds nothing else.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod cma_es;
mod genetic;
mod method;
mod pooled_variance;
mod random;
mod recipe;
mod spsa;
mod tail_mean;
mod tuning;

pub use cma_es::CmaEs;
pub use genetic::Genetic;
pub use method::{Method, Pairing, Point};
pub use recipe::{CmaEsSettings, GeneticSettings, MethodName, Parameter, Recipe, SpsaSettings, Verification};
pub use spsa::Spsa;
pub use tavli_file::recipe::RecipeError;
pub use tuning::{Contender, Played, Round, RoundPurpose, SavedError, ScoredPairing, Tuning, TuningError};
