//! What positions are worth where a search looks no further.

use core::fmt;

use tavli_backgammon::Stopped;

/// What makes a point in the values of a [`Heuristic`]: the numbers of probabilities, 2^30.
pub const UNIT: i64 = 1 << 30;

/// Values the positions of a game.
pub trait Heuristic<P>: fmt::Debug + Send + Sync {
    /// The most that a game or a position is worth, in [`UNIT`]s of a point; at most 127 points. The least is as far below
    /// 0.
    fn most(&self) -> i64;

    /// Values positions in which the game goes on, before their chance, for the player whose turn it is; in [`UNIT`]s of a
    /// point. `values` has a place for each. What takes longer than some milliseconds asks `stop` as often.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    fn values(&self, positions: &[P], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped>;

    /// For each of these results of choices, all after the same position, which one is likely the best: by its index
    /// among those of its chance. [`Pruning::Star2`](crate::Pruning::Star2) tries it first. It decides no value, only the
    /// time.
    fn likely(&self, position: &P, results: &[Vec<P>]) -> Vec<usize> {
        let _ = position;
        vec![0; results.len()]
    }
}
