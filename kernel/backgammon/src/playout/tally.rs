//! The results of a set of playouts: exact integers that add up in any order.

use tavli_game::Estimate;

use crate::outcome::Outcome;

/// Counts over a set of playouts. All fields are exact, so tallies merge associatively and a run's
/// tally does not depend on how it was divided.
///
/// ```
/// use tavli_backgammon::{Board, NO_STOP, Playouts, RuleSet, Tier};
/// let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1)?;
/// let mut all = playouts.run(Tier::best(), 0..60, NO_STOP)?.tally;
/// all.merge(&playouts.run(Tier::best(), 60..100, NO_STOP)?.tally);
/// assert_eq!(all, playouts.run(Tier::best(), 0..100, NO_STOP)?.tally);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Tally {
    /// Playouts.
    pub games: u64,
    /// Finished playouts by [`Outcome`], for the player on roll in the first position.
    pub outcomes: [u64; Outcome::COUNT],
    /// Plies, passes and the winning ply included.
    pub plies: u128,
    /// Sum over the playouts of the square of their plies.
    pub plies_squared: u128,
    /// Distinct plays offered, summed over all plies; a forced pass offers one. 0 where they were not
    /// counted: a [batch of many positions](super::ManyPlayouts) counts them for all of them together.
    pub plays: u128,
    /// Plies of the longest playout.
    pub longest: u32,
}

impl Tally {
    /// Adds another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        for (count, more) in self.outcomes.iter_mut().zip(other.outcomes) {
            *count += more;
        }
        self.plies += other.plies;
        self.plies_squared += other.plies_squared;
        self.plays += other.plays;
        self.longest = self.longest.max(other.longest);
    }

    /// Playouts that were over before their first ply.
    pub(crate) fn certain(outcome: Outcome, games: u64) -> Tally {
        let mut tally = Tally { games, ..Tally::default() };
        tally.outcomes[outcome as usize] = games;
        tally
    }

    /// Adds one playout that ended with `outcome`, or was cut off, after `plies` plies; its plays are
    /// added for many playouts at once.
    #[inline(always)]
    pub(crate) fn add(&mut self, outcome: Option<Outcome>, plies: u32) {
        self.games += 1;
        if let Some(outcome) = outcome {
            self.outcomes[outcome as usize] += 1;
        }
        self.plies += u128::from(plies);
        // The square of one game's plies may already take 64 bits.
        self.plies_squared += u128::from(plies) * u128::from(plies);
        self.longest = self.longest.max(plies);
    }

    /// Playouts that ended with `outcome`.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize]
    }

    /// Playouts that the first player on roll won.
    #[must_use]
    pub fn wins(&self) -> u64 {
        let wins = Outcome::ALL.iter().filter(|outcome| outcome.is_win());
        wins.map(|&outcome| self.count(outcome)).sum()
    }

    /// Playouts that were played to the end of the game.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// Playouts cut off before the game ended.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.games - self.finished()
    }

    /// Share of the playouts that the first player on roll won, 0..=1, with its standard error
    /// `sqrt(p (1 - p) / (n - 1))`. NaN without playouts; with a single one the error is NaN.
    #[must_use]
    pub fn win(&self) -> Estimate {
        Estimate::from_share(self.games, self.wins())
    }

    /// Share of the playouts that ended with `outcome`, 0..=1, with its standard error as in
    /// [`Tally::win`]. NaN without playouts.
    #[must_use]
    pub fn share(&self, outcome: Outcome) -> Estimate {
        Estimate::from_share(self.games, self.count(outcome))
    }

    /// Share of the playouts cut off before the game ended, 0..=1, with its standard error as in
    /// [`Tally::win`]. NaN without playouts.
    #[must_use]
    pub fn unfinished_share(&self) -> Estimate {
        Estimate::from_share(self.games, self.unfinished())
    }

    /// Distinct plays offered per ply. NaN without plies, or where plays were not counted.
    #[must_use]
    pub fn mean_plays(&self) -> f64 {
        if self.plays == 0 {
            // Every ply offers at least one.
            return f64::NAN;
        }
        self.plays as f64 / self.plies as f64
    }

    /// Mean cubeless points for the first player on roll, -3..=3, with its standard error (sample
    /// standard deviation over `sqrt(n)`). Playouts cut off count 0. NaN without playouts; with a single one the error
    /// is NaN.
    #[must_use]
    pub fn equity(&self) -> Estimate {
        let (mut sum, mut squares) = (0.0, 0.0);
        for &outcome in Outcome::ALL {
            let (points, count) = (f64::from(outcome.points()), self.count(outcome) as f64);
            sum += points * count;
            squares += points * points * count;
        }
        Estimate::from_sums(self.games, sum, squares)
    }

    /// Mean plies of a playout, with its standard error. NaN without playouts; with a single one the error is NaN.
    #[must_use]
    pub fn mean_plies(&self) -> Estimate {
        Estimate::from_sums(self.games, self.plies as f64, self.plies_squared as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(won: u64, games: u64) -> Tally {
        let mut tally = Tally::certain(Outcome::WinSingle, won);
        tally.merge(&Tally::certain(Outcome::LoseSingle, games - won));
        tally
    }

    #[test]
    fn one_playout_has_no_standard_error() {
        let one = tally(1, 1);
        assert_eq!((one.win().mean, one.equity().mean), (1.0, 1.0));
        for estimate in
            [one.win(), one.share(Outcome::LoseGammon), one.unfinished_share(), one.equity(), one.mean_plies()]
        {
            assert!(estimate.standard_error.is_nan(), "{estimate:?}");
        }
    }

    /// Where games win or lose a point, the equity is twice the share of wins, less 1.
    #[test]
    fn shares_and_equities_have_their_errors_by_the_same_number() {
        for (won, games) in [(0, 2), (1, 2), (3, 10), (500, 1000)] {
            let tally = tally(won, games);
            let [win, equity] = [tally.win(), tally.equity()].map(|of| of.standard_error);
            assert!((equity - 2.0 * win).abs() < 1e-15, "{won} of {games}");
        }
        // By hand: 0.3 * 0.7 / 9.
        let error = tally(3, 10).win().standard_error;
        assert!((error - (0.21_f64 / 9.0).sqrt()).abs() < 1e-15, "{error}");
    }
}
