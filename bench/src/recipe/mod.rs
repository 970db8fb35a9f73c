//! Recipes: what to measure and how, as data.

mod definition;
mod overrides;
mod parse;
mod placement;

pub use definition::{
    BUILT_IN, Case, Chooser, Expected, ExpectedChoices, ExpectedRoots, Operation, Recipe, RecipeError, Threads,
    Workload,
};
pub use placement::PlacedCase;
