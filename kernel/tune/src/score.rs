//! What the games of a pairing came to.

use libm::sqrt;
use serde::{Deserialize, Serialize};
use tavli::Estimate;

/// The results of pairs of games for the first agent of a pairing: exact integers that add up in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Score {
    /// Pairs of games, each on the same dice and opening, with the sides exchanged.
    pub pairs: u64,
    /// The sum of the points of all games.
    pub points: i64,
    /// The sum of squares, over the pairs, of the points of both games together.
    pub squares: u64,
}

impl Score {
    /// Adds a pair, by the points of the first agent in both games.
    pub fn add(&mut self, points: [i32; 2]) {
        let points = i64::from(points[0]) + i64::from(points[1]);
        self.pairs += 1;
        self.points += points;
        self.squares += points.unsigned_abs().pow(2);
    }

    /// Adds other games of the same pairing.
    pub fn merge(&mut self, other: Score) {
        self.pairs += other.pairs;
        self.points += other.points;
        self.squares += other.squares;
    }

    /// The mean points of a game, with the standard error of the means of pairs. Not a number without games.
    #[must_use]
    pub fn points_per_game(&self) -> Estimate {
        Estimate::of_sums(self.pairs, self.points as f64 / 2.0, self.squares as f64 / 4.0)
    }

    /// The 95 % interval of the mean points of a game, by the normal distribution.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        let points = self.points_per_game();
        [-1.96, 1.96].map(|errors| points.mean + errors * points.standard_error)
    }
}

/// How far the means of pairs scatter about the mean of their pairing, over many pairings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PooledVariance {
    squares: f64,
    freedom: f64,
}

impl PooledVariance {
    /// Adds the pairs of games of a pairing.
    pub(crate) fn add(&mut self, score: &Score) {
        if score.pairs > 1 {
            let mean = score.points_per_game().mean;
            self.squares += score.squares as f64 / 4.0 - score.pairs as f64 * mean * mean;
            self.freedom += (score.pairs - 1) as f64;
        }
    }

    /// The standard deviation; 1 if all pairs of each pairing were alike.
    pub(crate) fn deviation(self) -> f64 {
        match self.squares > 0.0 {
            true => sqrt(self.squares / self.freedom),
            false => 1.0,
        }
    }
}
