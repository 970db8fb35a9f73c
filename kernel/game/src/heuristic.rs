//! Heuristic values of positions.

use core::fmt;

use tavli_base::Stopped;

/// One point in the values of a [`Heuristic`]: 2^30, as many as the numbers of probabilities add up to.
pub const POINT: i64 = 1 << 30;

/// The points of a value of a [`Heuristic`].
#[inline]
#[must_use]
pub fn in_points(value: i64) -> f64 {
    value as f64 / POINT as f64
}

/// The probabilities of a player's outcomes, each 0 to 1. A tie counts as half a win and half a loss.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WinProbabilities {
    /// The probability of a win, of one or two points.
    pub win: f64,
    /// The probability of a win of two points.
    pub double_win: f64,
    /// The probability of a loss, of one or two points.
    pub loss: f64,
    /// The probability of a loss of two points.
    pub double_loss: f64,
}

impl WinProbabilities {
    /// Those of a finished game with these points of the player.
    #[must_use]
    pub fn from_points(points: i32) -> WinProbabilities {
        let certain = |is_so: bool| f64::from(u8::from(is_so));
        let win = f64::from(points.signum() + 1) / 2.0;
        WinProbabilities { win, double_win: certain(points > 1), loss: 1.0 - win, double_loss: certain(points < -1) }
    }

    /// Those of the other player.
    #[must_use]
    pub fn reversed(self) -> WinProbabilities {
        WinProbabilities { win: self.loss, double_win: self.double_loss, loss: self.win, double_loss: self.double_win }
    }

    /// The mean of several, each with its weight.
    #[must_use]
    pub fn mean(weighted: impl Iterator<Item = (u32, WinProbabilities)>) -> WinProbabilities {
        let (mut sum, mut weights) = ([0.0; 4], 0.0);
        for (weight, WinProbabilities { win, double_win, loss, double_loss }) in weighted {
            let weight = f64::from(weight);
            weights += weight;
            for (sum, probability) in sum.iter_mut().zip([win, double_win, loss, double_loss]) {
                *sum += weight * probability;
            }
        }
        let [win, double_win, loss, double_loss] = sum.map(|sum| sum / weights);
        WinProbabilities { win, double_win, loss, double_loss }
    }
}

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

    /// The probabilities of the outcomes of positions, for the player whose turn it is, before the chance, as
    /// [`Heuristic::values`] sums them up; `None` where it knows values only. The game is over in none of the
    /// positions.
    ///
    /// # Errors
    /// [`Stopped`], only if `stop` returned `true` before the end.
    fn probabilities(
        &self,
        positions: &[P],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<WinProbabilities>>, Stopped> {
        let _ = (positions, stop);
        Ok(None)
    }

    /// For each chance in a position, the index of the choice that is likely the best; `results` has, for each chance,
    /// the positions after its choices. Star2 probes these choices first. They change how long a search takes, and no
    /// value.
    fn likely(&self, position: &P, results: &[Vec<P>]) -> Vec<usize> {
        let _ = position;
        vec![0; results.len()]
    }
}
