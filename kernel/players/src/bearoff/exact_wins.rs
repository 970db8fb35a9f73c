//! Two-sided tables of perfect play without a cube, in full precision.

use super::error::BearOffError;
use super::pairs::{PAIRS_PER_BATCH, PairValue, Pairs};
use super::side_positions::SidePositions;
use tavli_backgammon::Roll;

/// The probability that the player on roll wins, by perfect play without a cube, in double precision: for each pair of
/// positions of a few checkers on the first points of both sides.
///
/// ```
/// use tavli_backgammon::NO_STOP;
/// use tavli_players::bearoff::ExactWins;
/// let table = ExactWins::new(6, 2, NO_STOP)?;
/// let index = |by_point: &[u8]| table.positions().index(by_point).expect("is in the table");
/// let (six, ace) = (index(&[0, 0, 0, 0, 0, 2]), index(&[1]));
/// assert_eq!(table.win(six, ace), 4.0 / 36.0);
/// # Ok::<(), tavli_players::bearoff::BearOffError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ExactWins {
    pairs: Pairs<Win>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Win(f64);

impl ExactWins {
    /// Solves the positions of up to `checkers` checkers a side, 1 to 15, on the first `points` points, 1 to 12: on
    /// more points the sides could meet. Every so often it calls `stop`.
    ///
    /// # Errors
    /// [`BearOffError::Size`], [`BearOffError::Memory`] or [`BearOffError::Stopped`].
    pub fn new(points: u8, checkers: u8, stop: &dyn Fn() -> bool) -> Result<ExactWins, BearOffError> {
        let pairs = Pairs::solve(points, checkers, &mut |_| stop())?;
        Ok(ExactWins { pairs })
    }

    /// The positions of a table of `points` points and `checkers` checkers.
    ///
    /// # Errors
    /// [`BearOffError::Size`]; [`BearOffError::Memory`] if no memory could hold it.
    pub(super) fn check(points: u8, checkers: u8) -> Result<SidePositions, BearOffError> {
        Pairs::<Win>::check(points, checkers).map(|(positions, _)| positions)
    }

    /// The positions of either side.
    #[must_use]
    pub fn positions(&self) -> SidePositions {
        self.pairs.positions
    }

    /// The probability that the player on roll, whose position has the number `own`, wins.
    ///
    /// # Panics
    /// If the table has no positions numbered `own` and `other`.
    #[must_use]
    pub fn win(&self, own: u32, other: u32) -> f64 {
        self.pairs.row(own)[other as usize].0
    }
}

impl PairValue for Win {
    type AfterPlay = f64;
    type Sum = f64;

    const WON: Win = Win(1.0);
    const LOST: Win = Win(0.0);
    const WORST: f64 = 0.0;

    fn after_play(self) -> f64 {
        1.0 - self.0
    }

    #[inline(always)]
    fn keep_better(best: &mut [f64; PAIRS_PER_BATCH], after: &[f64; PAIRS_PER_BATCH]) {
        for (best, &after) in best.iter_mut().zip(after) {
            // One instruction, while `f64::max` also looks for NaN.
            *best = if after > *best { after } else { *best };
        }
    }

    #[inline(always)]
    fn add(sums: &mut [f64; PAIRS_PER_BATCH], roll: Roll, best: &[f64; PAIRS_PER_BATCH]) {
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += f64::from(roll.weight()) * best;
        }
    }

    fn mean(sum: f64) -> Win {
        Win(sum / Roll::THROWS.len() as f64)
    }
}
