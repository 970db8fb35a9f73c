//! How a playout begins.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::dice::{Roll, RollError};

/// How a playout begins: how its first roll is thrown, or its first two. All later ones are any of the 36
/// throws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum FirstRoll {
    /// Any of the 36 throws.
    #[default]
    Any,
    /// One of the 15 non-doubles, equally likely, as a game begins.
    Open,
    /// This roll.
    Given(Roll),
    /// The throws of the first two plies are spread evenly over the games: any 36 consecutive games begin with each
    /// of the 36 throws once, and any 1,296 with each pair of throws. Of 36 games from a multiple of 36 on, the second
    /// throws are the 36 throws too. Which game has which throws depends on the seed, so that over the seeds each
    /// game's pair is uniform and the mean of any number of games unbiased.
    ///
    /// The seed shuffles the 36 throws twice, into `p` and `q`. Game number `g` begins with the throw `p[g mod 36]`,
    /// and its second ply has the throw `q[(g / 36 + g) mod 36]`, the quotient rounded down. The shuffles are those of
    /// Fisher and Yates. They start from the throws in order. For `i` from 35 down to 1 the throws at `i` and at
    /// `floor((i + 1) u / 2^32)` change places, where `u` is the high half of the next output of SplitMix64 started at
    /// the seed. Its first two outputs are those that the [streams](crate::playout) take; the next 35 make `p`, and 35
    /// more make `q`.
    Stratified,
}

/// A first roll that contradicts the dice of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the position has the roll {dice}, and the first roll is {given}; leave one of them out")]
#[non_exhaustive]
pub struct OtherFirstRollError {
    /// The roll of the position.
    pub dice: Roll,
    /// The first roll that was given.
    pub given: FirstRoll,
}

impl FirstRoll {
    /// The first roll from a position, perhaps with dice: as given, or else the dice, or else any roll.
    ///
    /// ```
    /// use tavli_backgammon::playout::FirstRoll;
    /// use tavli_backgammon::Roll;
    /// let dice: Roll = "31".parse()?;
    /// assert_eq!(FirstRoll::from_position(Some(dice), None), Ok(FirstRoll::Given(dice)));
    /// assert_eq!(FirstRoll::from_position(None, None), Ok(FirstRoll::Any));
    /// assert!(FirstRoll::from_position(Some(dice), Some(FirstRoll::Any)).is_err());
    /// # Ok::<(), tavli_backgammon::RollError>(())
    /// ```
    ///
    /// # Errors
    /// [`OtherFirstRollError`] if the two differ.
    pub fn from_position(dice: Option<Roll>, given: Option<FirstRoll>) -> Result<FirstRoll, OtherFirstRollError> {
        match (dice, given) {
            (Some(dice), Some(given)) if given != FirstRoll::Given(dice) => Err(OtherFirstRollError { dice, given }),
            (dice, given) => Ok(given.or(dice.map(FirstRoll::Given)).unwrap_or_default()),
        }
    }
}

impl fmt::Display for FirstRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FirstRoll::Any => f.pad("any"),
            FirstRoll::Open => f.pad("open"),
            FirstRoll::Given(roll) => roll.fmt(f),
            FirstRoll::Stratified => f.pad("stratified"),
        }
    }
}

impl FromStr for FirstRoll {
    type Err = RollError;

    /// Reads `any`, `open`, `stratified`, or a roll such as `31`.
    fn from_str(text: &str) -> Result<FirstRoll, RollError> {
        match text {
            "any" => Ok(FirstRoll::Any),
            "open" => Ok(FirstRoll::Open),
            "stratified" => Ok(FirstRoll::Stratified),
            roll => roll.parse().map(FirstRoll::Given),
        }
    }
}
