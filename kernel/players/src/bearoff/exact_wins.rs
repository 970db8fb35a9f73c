//! Two-sided tables of perfect play without a cube, in full precision.

use super::error::TableError;
use super::pairs::{Pairs, Values};
use super::positions::SidePositions;
use tavli_backgammon::Roll;

/// The probability that the player on roll wins, by perfect play without a cube, in double precision: for each pair of
/// positions of a few checkers on the first points of both sides.
///
/// ```
/// use tavli_players::bearoff::ExactWins;
/// let table = ExactWins::new(6, 2)?;
/// let index = |by_point: &[u8]| table.positions().index(by_point).expect("is in the table");
/// let (six, ace) = (index(&[0, 0, 0, 0, 0, 2]), index(&[1]));
/// assert_eq!(table.win(six, ace), 4.0 / 36.0);
/// # Ok::<(), tavli_players::bearoff::TableError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ExactWins {
    pairs: Pairs<Win>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Win(f64);

impl ExactWins {
    /// Solves the positions of up to `checkers` checkers a side, 1 to 15, on the first `points` points, 1 to 12: on
    /// more points the sides could meet.
    ///
    /// # Errors
    /// [`TableError::Size`] or [`TableError::Memory`].
    pub fn new(points: u8, checkers: u8) -> Result<ExactWins, TableError> {
        let pairs = Pairs::solve(points, checkers, &mut |_| false)?;
        Ok(ExactWins { pairs })
    }

    /// The positions of either side.
    #[must_use]
    pub fn positions(&self) -> SidePositions {
        self.pairs.positions
    }

    /// The probability that the player on roll wins, whose position has the number `own`.
    ///
    /// # Panics
    /// If the table has no positions of these numbers.
    #[must_use]
    pub fn win(&self, own: u32, other: u32) -> f64 {
        self.pairs.row(own)[other as usize].0
    }
}

impl Values for Win {
    const WON: Win = Win(1.0);
    const LOST: Win = Win(0.0);

    fn of<'a>(rolls: impl Iterator<Item = (Roll, &'a [u32])>, after: &[Win]) -> Win {
        let mut sum = 0.0;
        for (roll, plays) in rolls {
            let least = plays.iter().map(|&play| after[play as usize].0).fold(1.0, f64::min);
            sum += f64::from(roll.weight()) * (1.0 - least);
        }
        Win(sum / Roll::THROWS.len() as f64)
    }
}
