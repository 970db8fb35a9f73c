//! Dice: the 21 distinct rolls and how often each comes up.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use tavli_base::text::Quoted;

/// A roll of two dice, the larger first. There are 21 distinct rolls.
///
/// ```
/// use tavli_backgammon::Roll;
/// let roll: Roll = "13".parse()?;
/// assert_eq!((roll.high(), roll.low()), (3, 1));
/// assert_eq!(roll.to_string(), "31");
/// # Ok::<(), tavli_backgammon::RollError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Roll {
    high: u8,
    low: u8,
}

/// Why dice or a text are not a roll.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RollError {
    /// A die outside 1..=6.
    #[error("a die shows 1 to 6, not {0}")]
    Die(u8),
    /// Text that is not two dice.
    #[error("'{}' is not a roll: write two digits 1 to 6, such as 31 or 66", Quoted::new(.0))]
    Text(String),
}

impl Roll {
    /// The 21 distinct rolls in ascending order: 11, 21, 22, 31, ... 66.
    pub const ALL: [Roll; 21] = {
        let mut all = [Roll::from_dice(1, 1); 21];
        // A constant has no iterators.
        let (mut i, mut high) = (0, 1);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[i] = Roll::from_dice(high, low);
                i += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// The 36 throws of two dice, in the order in which a playout draws them: the second die changes fastest.
    pub const THROWS: [Roll; 36] = {
        let mut throws = [Roll::from_dice(1, 1); 36];
        let mut i = 0;
        while i < 36 {
            let (a, b) = (i as u8 / 6 + 1, i as u8 % 6 + 1);
            throws[i] = Roll::from_dice(a, b);
            i += 1;
        }
        throws
    };

    /// The index in [`Roll::THROWS`] of a throw that gives this roll.
    pub(crate) const fn throw(self) -> usize {
        (self.high as usize - 1) * 6 + self.low as usize - 1
    }

    /// The 15 non-doubles, in ascending order: the rolls that begin a game.
    pub(crate) const OPENINGS: [Roll; 15] = {
        let mut openings = [Roll::from_dice(2, 1); 15];
        let (mut from, mut to) = (0, 0);
        while from < Self::ALL.len() {
            if !Self::ALL[from].is_double() {
                openings[to] = Self::ALL[from];
                to += 1;
            }
            from += 1;
        }
        openings
    };

    /// The roll of two dice, in either order.
    ///
    /// # Errors
    /// [`RollError::Die`] if a die is not 1..=6.
    pub const fn new(a: u8, b: u8) -> Result<Roll, RollError> {
        if a < 1 || a > 6 {
            return Err(RollError::Die(a));
        }
        if b < 1 || b > 6 {
            return Err(RollError::Die(b));
        }
        Ok(Roll::from_dice(a, b))
    }

    /// The roll of two dice that are known to be 1..=6.
    const fn from_dice(a: u8, b: u8) -> Roll {
        let (high, low) = if a >= b { (a, b) } else { (b, a) };
        Roll { high, low }
    }

    /// The larger die, 1..=6.
    #[must_use]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// The smaller die, 1..=6.
    #[must_use]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Whether both dice show the same number, which is then played up to four times.
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// The number of the 36 throws of two dice that give this roll: 1 for a double, else 2.
    #[must_use]
    pub const fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl FromStr for Roll {
    type Err = RollError;

    /// Reads two digits in either order: `31`, `13`, `66`.
    fn from_str(text: &str) -> Result<Roll, RollError> {
        match *text.as_bytes() {
            [a @ b'1'..=b'6', b @ b'1'..=b'6'] => Roll::new(a - b'0', b - b'0'),
            _ => Err(RollError::Text(text.to_owned())),
        }
    }
}
