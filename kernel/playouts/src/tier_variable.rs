//! The environment variable that names a tier.

use core::fmt::Display;
use core::str::FromStr;
use std::env;

use tavli_backgammon::text::Quoted;
use thiserror::Error;

/// The environment variable that names the default [`Tier`](tavli_backgammon::Tier) of a program.
pub const TIER_VARIABLE: &str = "TAVLI_ISA";

/// A value of [`TIER_VARIABLE`] that names no tier, or one that this CPU lacks.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the environment variable {TIER_VARIABLE}: {}", Quoted::new(.0).within(1000))]
pub struct TierVariableError(String);

/// The value of [`TIER_VARIABLE`], as a [`Tier`](tavli_backgammon::Tier) or as a type that knows more words; `None` if
/// it is not set, or empty.
///
/// ```
/// use tavli_backgammon::Tier;
/// use tavli_playouts::tier_variable;
/// let tier = tier_variable()?.unwrap_or_else(Tier::best);
/// assert!(Tier::available().contains(&tier));
/// # Ok::<(), tavli_playouts::TierVariableError>(())
/// ```
///
/// # Errors
/// [`TierVariableError`] names the variable, its value and the values that it may have.
pub fn tier_variable<T>() -> Result<Option<T>, TierVariableError>
where
    T: FromStr<Err: Display>,
{
    let text = env::var_os(TIER_VARIABLE).filter(|text| !text.is_empty());
    let Some(text) = text else {
        return Ok(None);
    };
    // A value that is not Unicode becomes a name that no tier has, so it is refused like other wrong names, not passed
    // over.
    let tier = text.to_string_lossy().parse();
    tier.map(Some).map_err(|error: T::Err| TierVariableError(error.to_string()))
}
