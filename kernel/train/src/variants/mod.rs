//! Training of nets for Plakoto and Fevga.

mod learner;
mod recipe;
mod strength;
mod trainee;

pub use recipe::{VariantLearning, VariantRecipe, VariantReporting, VariantShape};
pub use trainee::{VariantNet, VariantTraining};
