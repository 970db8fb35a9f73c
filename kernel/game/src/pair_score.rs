//! Results of pairs of games on the same dice.

use crate::estimate::Estimate;

/// The results of pairs of games for the first player, as exact integers that add up in any order. Both games of a pair
/// have the same dice, with the sides exchanged, so a pair is one sample.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PairScore {
    /// Pairs of games.
    pub pairs: u64,
    /// The sum of the points of all games.
    pub sum: i64,
    /// The sum of squares, over the pairs, of the points of both games together.
    pub squares: u64,
}

impl PairScore {
    /// Adds a pair, by the points of both games together.
    pub fn add(&mut self, points: i64) {
        self.pairs += 1;
        self.sum += points;
        self.squares += points.unsigned_abs().pow(2);
    }

    /// Adds the results of other pairs.
    pub fn merge(&mut self, other: &PairScore) {
        self.pairs += other.pairs;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The number of games, two a pair.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * self.pairs
    }

    /// The mean points of a game, with the standard error of the means of pairs. NaN without games.
    ///
    /// ```
    /// use tavli_game::PairScore;
    ///
    /// let mut score = PairScore::default();
    /// [2, 0, -2, 4].into_iter().for_each(|points| score.add(points));
    /// assert_eq!((score.games(), score.per_game().mean), (8, 0.5));
    /// ```
    #[must_use]
    pub fn per_game(&self) -> Estimate {
        Estimate::of_sums(self.pairs, self.sum as f64 / 2.0, self.squares as f64 / 4.0)
    }

    /// The 95 % interval of the mean points of a game, by the normal distribution.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        let points = self.per_game();
        [-1.96, 1.96].map(|errors| points.mean + errors * points.standard_error)
    }
}
