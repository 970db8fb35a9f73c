//! Times that people give in seconds.

use core::fmt;
use std::error::Error;
use std::time::Duration;

/// An invalid time: not above 0, longer than a [`Duration`] can be, or not a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SecondsError(pub f64);

impl SecondsError {
    /// The range of seconds, in words.
    pub const EXPECTED: &str = "a number from 1e-9 to 1.8e19";
}

impl fmt::Display for SecondsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `{:?}` writes 1e-300 with an exponent, `{}` with 300 zeros.
        write!(f, "seconds are {}, not {:?}", SecondsError::EXPECTED, self.0)
    }
}

impl Error for SecondsError {}

/// A time of `seconds` seconds.
///
/// ```
/// use std::time::Duration;
/// use tavli_run::seconds;
/// assert_eq!(seconds(2.5), Ok(Duration::from_millis(2500)));
/// let error = seconds(1e-300).unwrap_err().to_string();
/// assert_eq!(error, "seconds are a number from 1e-9 to 1.8e19, not 1e-300");
/// assert!([0.0, -1.0, 1e300, f64::NAN, f64::INFINITY].into_iter().all(|time| seconds(time).is_err()));
/// ```
///
/// # Errors
/// [`SecondsError`] if the number is not in the range.
pub fn seconds(seconds: f64) -> Result<Duration, SecondsError> {
    let time = Duration::try_from_secs_f64(seconds).ok();
    // Less than half a nanosecond is a duration of 0.
    time.filter(|time| !time.is_zero()).ok_or(SecondsError(seconds))
}
