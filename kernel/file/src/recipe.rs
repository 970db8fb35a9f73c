//! Recipes: TOML files in which people describe work to be done.

use core::fmt::{self, Debug, Formatter};
use core::ops::RangeInclusive;

use serde::Deserializer;
use serde::de::{self, DeserializeOwned, Unexpected, Visitor};
use tavli_base::text::BYTE_ORDER_MARK;
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

/// Reads a whole number of a recipe. The error for any other value names the range of the setting, not of the Rust
/// type.
///
/// ```
/// use serde::{Deserialize, Deserializer};
///
/// #[derive(Deserialize)]
/// struct Reports {
///     #[serde(deserialize_with = "times")]
///     times: u16,
/// }
///
/// fn times<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
///     tavli_file::recipe::whole(deserializer, 1..=20)
/// }
///
/// let times = |text: &str| tavli_file::recipe::read::<Reports>(text).map(|(reports, _)| reports.times);
/// assert_eq!(times("times = 20"), Ok(20));
/// for wrong in ["-1", "0", "21"] {
///     let error = times(&format!("times = {wrong}")).expect_err(wrong).to_string();
///     assert!(error.contains(&format!("integer `{wrong}`, expected a whole number from 1 to 20")), "{error}");
/// }
/// ```
///
/// # Errors
/// The errors of the deserializer.
pub fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
    range: RangeInclusive<u64>,
) -> Result<T, D::Error> {
    let number = deserializer.deserialize_u64(WholeNumber(range.clone()))?;
    // For a type that cannot hold the whole range.
    T::try_from(number).map_err(|_| de::Error::invalid_value(Unexpected::Unsigned(number), &WholeNumber(range)))
}

/// Reads a whole number in a range.
struct WholeNumber(RangeInclusive<u64>);

impl Visitor<'_> for WholeNumber {
    type Value = u64;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<u64, E> {
        let allowed = u64::try_from(number).ok().filter(|number| self.0.contains(number));
        allowed.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        match self.0.contains(&number) {
            true => Ok(number),
            false => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }
}

/// The error of a value.
///
/// # Errors
/// [`RecipeError::Value`], always.
pub fn wrong<T>(place: impl Into<String>, value: &dyn Debug, remedy: impl Into<String>) -> Result<T, RecipeError> {
    Err(RecipeError::Value { place: place.into(), value: format!("{value:?}"), remedy: remedy.into() })
}
