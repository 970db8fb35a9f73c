//! Numbers from JavaScript, and for it.

use serde::Serialize;
use tavli::playout::Estimate;

use crate::failure::{Failure, Kind};

/// The largest whole number that JavaScript holds exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The default seed.
const SEED: u64 = 1;

/// A mean and its standard error; absent if there are too few games.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EstimateJson {
    mean: Option<f64>,
    standard_error: Option<f64>,
}

impl From<Estimate> for EstimateJson {
    fn from(estimate: Estimate) -> EstimateJson {
        EstimateJson { mean: number(estimate.mean), standard_error: number(estimate.standard_error) }
    }
}

/// A number for JSON, which has no NaN and no infinity.
#[must_use]
pub fn number(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// A count that JavaScript holds exactly; `None` if it is larger.
#[must_use]
pub fn exact(count: u128) -> Option<u64> {
    u64::try_from(count).ok().filter(|&count| count <= MAX_SAFE_INTEGER)
}

/// The failure of counts that are not [`exact`].
#[must_use]
pub fn too_many() -> Failure {
    Failure::new(Kind::Settings, "too many games: ask for fewer")
}

/// The seed of a decimal text, or 1.
///
/// # Errors
/// [`Failure`] if the text is not a number.
pub fn seed(text: Option<&str>) -> Result<u64, Failure> {
    text.map_or(Ok(SEED), |seed| {
        let wrong = || format!("invalid seed '{seed}': give a whole number 0 to {}", u64::MAX);
        seed.parse().map_err(|_| Failure::new(Kind::Settings, wrong()))
    })
}

/// The end of a range of games.
///
/// # Errors
/// [`Failure`] if games have no such numbers.
pub fn last_game(first: u64, games: u64) -> Result<u64, Failure> {
    let last = first.checked_add(games).filter(|&last| last < u64::MAX);
    last.ok_or_else(|| {
        Failure::new(Kind::Settings, format_args!("{games} games from number {first} on pass the last game number"))
    })
}

/// This many bytes in a row of numbers, eight to a number, the lowest first.
#[must_use]
pub fn bytes(numbers: &[u64], length: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.truncate(length);
    bytes
}
