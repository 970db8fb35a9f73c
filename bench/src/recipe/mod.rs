//! Recipes: what to measure and how, as data.

mod changed;
mod contents;
mod placed;
mod written;

pub use contents::{
    BUILT_IN, Case, Chooser, Expected, ExpectedChoices, ExpectedRoots, Operation, Recipe, RecipeError, Threads,
    Workload,
};
pub use placed::Placed;
