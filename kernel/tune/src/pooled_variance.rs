//! The scatter of the means of pairs.

use libm::sqrt;
use tavli_game::PairScore;

/// How far the means of pairs scatter about the mean of their pairing, over many pairings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PooledVariance {
    squares: f64,
    freedom: f64,
}

impl PooledVariance {
    /// Adds the pairs of games of a pairing.
    pub(crate) fn add(&mut self, score: &PairScore) {
        if score.pairs > 1 {
            let mean = score.per_game().mean;
            // Squares are of the points of both games together: four times the square of a pair's mean.
            self.squares += score.squares as f64 / 4.0 - score.pairs as f64 * mean * mean;
            self.freedom += (score.pairs - 1) as f64;
        }
    }

    /// The standard deviation; 1 if all pairs of each pairing were alike.
    pub(crate) fn deviation(self) -> f64 {
        match self.squares > 0.0 {
            true => sqrt(self.squares / self.freedom),
            // Not 0, since SPSA divides by it.
            false => 1.0,
        }
    }
}
