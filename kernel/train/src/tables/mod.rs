//! Training of nets for Plakoto and Fevga.

mod checkpoint;
mod learner;
mod recipe;
mod strength;
mod training;

pub use recipe::{TablesLearning, TablesRecipe, TablesReporting, TablesShape};
pub use training::TablesTraining;
