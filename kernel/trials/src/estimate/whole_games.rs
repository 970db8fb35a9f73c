//! Statistics of games of any kind, from how often each end came up.

use tavli_game::Estimate;

use crate::estimate::interval::{self, MeanOfValues, RESULTS};
use crate::estimate::power_sums::{are_of_games, max_luck_adjusted};
use crate::estimate::statistic::{Statistic, Variance};

/// Games that were played to their ends: the points of each end that is possible, from -3 to 3, and how many games had
/// it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WholeGames {
    ends: Vec<(i32, u64)>,
}

/// The sum of the values of games, and the sums of their squares and their cubes. A point is `unit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueSums {
    /// The sum.
    pub sum: i128,
    /// The sum of the squares.
    pub squares: i128,
    /// The sum of the cubes.
    pub cubes: i128,
    /// One point.
    pub unit: i64,
}

impl ValueSums {
    /// Whether this number of luck-adjusted whole games can have these sums. The sums of values and squares bound the
    /// sum of cubes, and a game before its luck is subtracted has at most `largest` points either way.
    ///
    /// ```
    /// use tavli_trials::ValueSums;
    /// let sums = ValueSums { sum: 4, squares: 10, cubes: 28, unit: 1 };
    /// assert!(sums.are_of_games(2, 2));
    /// assert!(!ValueSums { cubes: -100, ..sums }.are_of_games(2, 2));
    /// ```
    #[must_use]
    pub fn are_of_games(&self, games: u64, largest: u32) -> bool {
        let unit = self.unit as f64;
        let sums = [self.sum as f64 / unit, self.squares as f64 / unit.powi(2), self.cubes as f64 / unit.powi(3)];
        are_of_games(sums, games as f64, max_luck_adjusted(largest.into(), None))
    }
}

impl WholeGames {
    /// Games with these ends, each with its points and its number of games. Games of 0 points are draws.
    ///
    /// # Panics
    /// If `ends` is empty, or an end has more than 3 points.
    #[must_use]
    pub fn new(ends: impl IntoIterator<Item = (i32, u64)>) -> WholeGames {
        let ends: Vec<(i32, u64)> = ends.into_iter().collect();
        let most = ends.iter().map(|(points, _)| points.abs()).max();
        assert!(most.is_some_and(|most| most <= 3), "ends of at most 3 points");
        WholeGames { ends }
    }

    /// The mean points.
    ///
    /// ```
    /// use tavli_trials::WholeGames;
    /// let equity = WholeGames::new([(2, 20), (1, 50), (0, 0), (-1, 30), (-2, 0)]).equity();
    /// assert!((equity.mean - 0.6).abs() < 1e-12);
    /// assert!(equity.low < 0.41 && equity.high > 0.78);
    /// ```
    #[must_use]
    pub fn equity(&self) -> Statistic {
        let sum = |power: u32| -> f64 {
            let of_ends = self.ends.iter();
            of_ends.map(|(points, games)| f64::from(points.pow(power)) * *games as f64).sum()
        };
        let found = Estimate::from_sums(self.games(), sum(1), sum(2));
        let trials = self.games() as f64;
        let [below, above] = interval::about_equity(&self.shares(), trials, trials, |result| self.may_be(result));
        self.of_points(found, [found.mean - below, found.mean + above])
    }

    /// The mean points, from luck-adjusted values of the games.
    #[must_use]
    pub fn luck_adjusted_equity(&self, values: ValueSums) -> Statistic {
        let (trials, unit) = (self.games() as f64, values.unit as f64);
        let squares = values.squares as f64 / (unit * unit);
        let found = Estimate::from_sums(self.games(), values.sum as f64 / unit, squares);
        let of_values = MeanOfValues {
            variance: squares / trials - found.mean * found.mean,
            error: found.standard_error,
            trials,
            skewness: interval::skewness(found.mean, squares / trials, values.cubes as f64 / unit.powi(3) / trials),
            of_net: None,
        };
        let [low, high] = of_values.of_equity(found.mean, &self.shares(), |result| self.may_be(result));
        // The shares count how games ended, before luck is subtracted, so the asymmetry of their interval does not
        // carry over to the values: both sides take the longer arm. In an endgame of Plakoto that is won in 14 games of
        // 15, the values of the other games lie far above, and 81, 85 and 90 % of intervals of 10, 36 and 100 games
        // held the mean.
        let reach = (found.mean - low).max(high - found.mean);
        self.of_points(found, [found.mean - reach, found.mean + reach])
    }

    /// The share of games won.
    #[must_use]
    pub fn wins(&self) -> Statistic {
        let won = self.ends.iter().filter(|(points, _)| *points > 0);
        let won: u64 = won.map(|(_, games)| games).sum();
        let found = Estimate::from_share(self.games(), won);
        let interval = interval::of_share(found.mean, self.games() as f64);
        let range = self.range(|points| f64::from(u8::from(points > 0)));
        Statistic::new(found.mean, found.mean, self.variance(found), interval, range)
    }

    /// The statistic of points, in the range of the ends' points.
    fn of_points(&self, found: Estimate, interval: [f64; 2]) -> Statistic {
        let range = self.range(f64::from);
        let mean = found.mean.clamp(range[0], range[1]);
        Statistic::new(found.mean, mean, self.variance(found), interval, range)
    }

    /// The least and the most of a value of the ends' points.
    fn range(&self, value: impl Fn(i32) -> f64) -> [f64; 2] {
        let values = self.ends.iter().map(|(points, _)| value(*points));
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], value| [least.min(value), most.max(value)])
    }

    fn games(&self) -> u64 {
        self.ends.iter().map(|(_, games)| games).sum()
    }

    fn variance(&self, found: Estimate) -> Variance {
        let of_mean = found.standard_error * found.standard_error;
        let of_trial = of_mean * self.games() as f64;
        Variance { of_trial, of_mean }
    }

    /// The shares of the [`RESULTS`]. Draws are left out.
    fn shares(&self) -> [f64; RESULTS.len()] {
        let trials = self.games() as f64;
        let games = |result: i32| {
            let of_result = self.ends.iter().filter(|(points, _)| *points == result);
            of_result.map(|(_, games)| *games as f64).sum::<f64>()
        };
        RESULTS.map(|result| games(result) / trials)
    }

    fn may_be(&self, result: usize) -> bool {
        self.ends.iter().any(|(points, _)| *points == RESULTS[result])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_backgammon_have_its_interval() {
        let counts = [40_u64, 30, 4, 50, 20, 6];
        let games = WholeGames::new(RESULTS.into_iter().zip(counts));
        let shares = counts.map(|count| count as f64 / 150.0);
        let [below, above] = interval::about_equity(&shares, 150.0, 150.0, |_| true);
        let found = games.equity();
        assert_eq!([found.low, found.high], [found.mean - below, found.mean + above]);
        assert!((found.mean - (40.0 + 60.0 + 12.0 - 50.0 - 40.0 - 18.0) / 150.0).abs() < 1e-12);
        assert_eq!(games.wins().mean, 74.0 / 150.0);
    }

    #[test]
    fn draws_are_no_points_and_games_that_are_alike_are_not_certain() {
        let drawn = WholeGames::new([(1, 0), (0, 9), (-1, 0)]);
        let equity = drawn.equity();
        assert_eq!((equity.mean, equity.standard_error), (0.0, 0.0));
        assert!(equity.low < -0.2 && equity.high > 0.2, "{equity:?}");
        let won = WholeGames::new([(2, 0), (1, 40), (0, 0), (-1, 0), (-2, 0)]);
        let [equity, wins] = [won.equity(), won.wins()];
        assert!(equity.low < 0.9 && equity.high > 1.05, "{equity:?}");
        assert!(wins.low < 0.95 && wins.high == 1.0, "{wins:?}");
    }

    #[test]
    fn statistics_stay_within_the_ends() {
        // No double game is lost, and luck has moved the mean below -1.
        let games = WholeGames::new([(1, 0), (-1, 36)]);
        let values = ValueSums { sum: -37_000, squares: 40_000_000, cubes: -45_000_000_000, unit: 1000 };
        let found = games.luck_adjusted_equity(values);
        assert_eq!((found.mean, found.low), (-1.0, -1.0));
        assert!(found.high < 1.0, "{found:?}");
        let won = WholeGames::new([(1, 36)]);
        assert_eq!([won.wins(), won.equity()].map(|found| [found.low, found.high]), [[1.0; 2]; 2]);
    }

    #[test]
    fn luck_makes_the_interval_narrow_and_values_of_ends_leave_it() {
        let games = WholeGames::new([(2, 100), (1, 300), (0, 0), (-1, 500), (-2, 100)]);
        let unit = 1000;
        let of_ends = ValueSums {
            sum: (200 + 300 - 500 - 200) * 1000,
            squares: (400 + 300 + 500 + 400) * 1_000_000,
            cubes: (800 + 300 - 500 - 800) * 1_000_000_000,
            unit,
        };
        let [found, expected] = [games.luck_adjusted_equity(of_ends), games.equity()];
        for (found, expected) in [(found.mean, expected.mean), (found.low, expected.low), (found.high, expected.high)] {
            assert!((found - expected).abs() < 2e-3, "{found} {expected}");
        }
        // All values are near -0.2 points.
        let near = ValueSums {
            sum: -200 * 1000,
            squares: (200 * 200 + 10 * 10) * 1000,
            cubes: -(200 * 200 * 200 + 3 * 200 * 10 * 10) * 1000,
            unit,
        };
        let found = games.luck_adjusted_equity(near);
        assert!((found.standard_error - 0.01 / 1000_f64.sqrt()).abs() < 1e-5, "{found:?}");
        assert!((found.high - found.low) < 0.02, "{found:?}");
        assert!(found.low < -0.2 && found.high > -0.2, "{found:?}");
    }
}
