//! Heuristic values of positions.

use core::fmt;

use crate::stopped::Stopped;

/// One point in the values of a [`Heuristic`]: 2^30, as many as the numbers of probabilities add up to.
pub const POINT: i64 = 1 << 30;

/// Values positions of a game for searches: the leaves of a search to a fixed depth, and the choices that a tree has
/// not tried yet.
pub trait Heuristic<P>: fmt::Debug + Send + Sync {
    /// The largest absolute value of any game or position, in [`POINT`]s of a point; at most 127 points.
    fn most(&self) -> i64;

    /// Writes the value of each position to `values`, in [`POINT`]s of a point, for the player whose turn it is, before
    /// the chance. The game is over in none of the positions. A slow heuristic asks `stop` every few milliseconds.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    fn values(&self, positions: &[P], values: &mut [i64], stop: &dyn Fn() -> bool) -> Result<(), Stopped>;

    /// Writes the values of positions that choices lead to from one position, after any of its chances, as
    /// [`Heuristic::values`] does. A heuristic may compute them from the position before, in less time. They may then
    /// be rounded differently.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    fn values_of_results(
        &self,
        before: &P,
        results: &[P],
        values: &mut [i64],
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        let _ = before;
        self.values(results, values, stop)
    }

    /// For each chance in a position, the index of the choice that is likely the best; `results` has, for each chance,
    /// the positions after its choices. Star2 probes these choices first. They change how long a search takes, and no
    /// value.
    fn likely(&self, position: &P, results: &[Vec<P>]) -> Vec<usize> {
        let _ = position;
        vec![0; results.len()]
    }
}
