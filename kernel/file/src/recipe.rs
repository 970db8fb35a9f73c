//! Recipes: TOML files in which people describe work to be done.

use core::fmt::Debug;

use serde::de::DeserializeOwned;
use tavli_game::text::BYTE_ORDER_MARK;
use thiserror::Error;

/// Why a text is not a recipe.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// It is not TOML of the form of a recipe.
    #[error("{0}")]
    Form(String),
    /// A value is outside its range.
    #[error("{place} is {value}: {remedy}")]
    Value {
        /// The key of the value, such as `self_play.games`.
        place: String,
        /// The value as it was written.
        value: String,
        /// The range, or what to write instead.
        remedy: String,
    },
}

/// Reads a recipe, and its text without a byte order mark.
///
/// # Errors
/// [`RecipeError::Form`] names the line.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<(T, String), RecipeError> {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    let recipe = toml::from_str(text).map_err(|error| RecipeError::Form(error.to_string()))?;
    Ok((recipe, text.to_owned()))
}

/// The error of a value.
///
/// # Errors
/// [`RecipeError::Value`], always.
pub fn wrong<T>(place: impl Into<String>, value: &dyn Debug, remedy: impl Into<String>) -> Result<T, RecipeError> {
    Err(RecipeError::Value {
        place: place.into(),
        value: format!("{value:?}"),
        remedy: remedy.into(),
    })
}
