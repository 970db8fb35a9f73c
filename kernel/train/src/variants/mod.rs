//! Training of nets for Plakoto and Fevga.

mod checkpoint;
mod learner;
mod recipe;
mod strength;
mod training;

pub use recipe::{VariantLearning, VariantRecipe, VariantReporting, VariantShape};
pub use training::VariantTraining;
