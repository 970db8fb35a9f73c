//! The 26 numbers: what stands on each point, as the player on roll counts.
//!
//! Index 0 is the opponent's bar as a number `<= 0`, 1 to 24 are the points (the player on roll positive,
//! his opponent negative), 25 the bar of the player on roll. [`Board::content`] is one of them.

use thiserror::Error;

use crate::board::checkers::{Board, BoardError};
use crate::board::side_checkers::{BAR, OFF};
use tavli_base::text::Quoted;

/// Why numbers are not the 26 numbers of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PointsError {
    /// The wrong number of numbers.
    #[error("a position is 26 numbers (the opponent's bar, 24 points, the own bar), not {found}")]
    Count {
        /// The number found.
        found: usize,
    },
    /// An item that is not a whole number, or too large to be a number of checkers.
    #[error("'{}' at index {index} is not a number of checkers, -15 to 15", Quoted::new(text))]
    Number {
        /// Its place, 0 to 25.
        index: usize,
        /// Its text.
        text: String,
    },
    /// The wrong side's checkers on a bar.
    #[error(
        "{number} at index {index} puts a side on the other's bar: index 0 is the opponent's bar, 0 or negative, index 25 the own bar, 0 or positive"
    )]
    Bar {
        /// The bar's place: 0 or 25.
        index: usize,
        /// The number there.
        number: i8,
    },
    /// The checkers are not a position.
    #[error("not a position: {0}")]
    Board(#[from] BoardError),
}

impl Board {
    /// The position of 26 numbers: index 0 the opponent's bar (`<= 0`), 1 to 24 the points (own checkers
    /// positive, the opponent's negative), 25 the own bar (`>= 0`).
    ///
    /// # Errors
    /// [`PointsError`] names the wrong number, or the rule that the checkers break.
    ///
    /// ```
    /// use tavli_backgammon::Board;
    /// assert_eq!(Board::from_points(&Board::START.points())?, Board::START);
    /// # Ok::<(), tavli_backgammon::PointsError>(())
    /// ```
    pub fn from_points(points: &[i8; 26]) -> Result<Board, PointsError> {
        for (index, wrong_sign) in [(OFF, 1), (BAR, -1)] {
            let index = usize::from(index);
            let number = points[index];
            if number.signum() == wrong_sign {
                return Err(PointsError::Bar { index, number });
            }
        }
        let checkers = |number: i8| number.max(0).unsigned_abs();
        let own = core::array::from_fn(|point| checkers(points[point]));
        let opponent = core::array::from_fn(|point| points[25 - point].min(0).unsigned_abs());
        Ok(Board::new(&own, &opponent)?)
    }

    /// The 26 numbers: index 0 the opponent's bar (`<= 0`), 1 to 24 the points, 25 the own bar.
    ///
    /// ```
    /// use tavli_backgammon::Board;
    /// let points = Board::START.points();
    /// assert_eq!((points[6], points[1], points[25]), (5, -2, 0));
    /// ```
    #[must_use]
    pub fn points(&self) -> [i8; 26] {
        core::array::from_fn(|point| self.content(point as u8))
    }
}

/// The position of 26 numbers in text, separated by commas or white space.
pub(super) fn read(text: &str) -> Result<Board, PointsError> {
    // Between commas an empty item is a fault; white space may be of any length.
    let items: Vec<&str> =
        if text.contains(',') { text.split(',').map(str::trim).collect() } else { text.split_whitespace().collect() };
    let mut points = [0; 26];
    if items.len() != points.len() {
        let found = items.len();
        return Err(PointsError::Count { found });
    }
    for (index, (number, item)) in points.iter_mut().zip(items).enumerate() {
        *number = item.parse().map_err(|_| PointsError::Number { index, text: item.to_owned() })?;
    }
    Board::from_points(&points)
}
