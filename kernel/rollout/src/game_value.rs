//! The results of trials, and the values whose means a rollout estimates.

use core::num::NonZeroU32;

use tavli_backgammon::Outcome;
use tavli_backgammon::evaluators::Probabilities;
use tavli_trials::interval::{RESULTS as RESULTS_OF_EQUITY, WON_AND_LOST, difference_of_short};

/// The number of results of a trial: the [`Outcome`]s by discriminant, and last [`UNFINISHED`].
pub(crate) const RESULTS: usize = Outcome::COUNT + 1;
/// The result of a trial that was cut off.
pub(crate) const UNFINISHED: usize = Outcome::COUNT;

/// The number that stands for 1 in a value.
pub(crate) const UNIT: i64 = Probabilities::ONE as i64;

const _: () = {
    let mut result = 0;
    while result < RESULTS_OF_EQUITY.len() {
        assert!(RESULTS_OF_EQUITY[result] == Outcome::ALL[result].points(), "shares have the order of the outcomes");
        result += 1;
    }
};

/// The range of a value that has no bounds.
pub(crate) const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// The value of a game: a share of it for each outcome, in units of 1 / [`UNIT`]. Those of a cut-off game are
/// probabilities; luck that is subtracted may take them below 0.
pub(crate) type OutcomeShares = [i64; Outcome::COUNT];

/// Points of a result for the player whose rollout it is.
pub(crate) fn points(result: usize) -> i8 {
    Outcome::ALL.get(result).map_or(0, |outcome| outcome.points() as i8)
}

/// A value of a trial, for the player whose rollout it is: 1 or 0 for whether an event happened, or points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameValue {
    Win,
    WinGammon,
    WinBackgammon,
    Lose,
    LoseGammon,
    LoseBackgammon,
    Equity,
}

impl GameValue {
    /// Every value, in the order of the discriminants and of `for_each_statistic`.
    pub(crate) const ALL: [GameValue; 7] = [
        GameValue::Win,
        GameValue::WinGammon,
        GameValue::WinBackgammon,
        GameValue::Lose,
        GameValue::LoseGammon,
        GameValue::LoseBackgammon,
        GameValue::Equity,
    ];

    /// The value of a result.
    pub(crate) fn points_of_result(self, result: usize) -> i8 {
        let points = points(result);
        match self {
            GameValue::Win => i8::from(points >= 1),
            GameValue::WinGammon => i8::from(points >= 2),
            GameValue::WinBackgammon => i8::from(points >= 3),
            GameValue::Lose => i8::from(points <= -1),
            GameValue::LoseGammon => i8::from(points <= -2),
            GameValue::LoseBackgammon => i8::from(points <= -3),
            GameValue::Equity => points,
        }
    }

    /// The value of a game with these shares of outcomes, in their unit.
    pub(crate) fn value_of_shares(self, shares: &OutcomeShares) -> i64 {
        let shares = shares.iter().enumerate();
        shares.map(|(result, share)| i64::from(self.points_of_result(result)) * share).sum()
    }

    /// The value of a result in the unit of [`Probabilities`].
    pub(crate) fn units_of_result(self, result: usize) -> i64 {
        i64::from(self.points_of_result(result)) * i64::from(Probabilities::ONE)
    }

    /// How much two games typically differ: one won from one lost, or one with an event from one without.
    pub(crate) fn prior_difference(self) -> f64 {
        match self {
            GameValue::Equity => WON_AND_LOST,
            _ => 1.0,
        }
    }

    /// The largest plausible [difference of two short games](difference_of_short) with this standard deviation.
    pub(crate) fn prior_difference_short(self, standard_deviation: f64, games: Option<NonZeroU32>) -> f64 {
        difference_of_short(self.prior_difference(), standard_deviation, games)
    }

    /// The largest plausible distance of a truncated, luck-adjusted game that a net valued from the mean of such games:
    /// five times this standard deviation, but at least a sixty-fourth of the distance of whole games (no net is surer)
    /// and at most that distance.
    pub(crate) fn prior_difference_of_net(self, standard_deviation: f64) -> f64 {
        let most = self.prior_difference();
        (5.0 * standard_deviation).clamp(most / 64.0, most)
    }

    /// Its mean over games whose outcomes have these shares.
    pub(crate) fn mean(self, shares: &[f64; Outcome::COUNT]) -> f64 {
        let shares = shares.iter().enumerate();
        shares.map(|(result, share)| f64::from(self.points_of_result(result)) * share).sum()
    }

    /// The largest difference between two trials' values.
    pub(crate) fn max_difference(self) -> f64 {
        match self {
            GameValue::Equity => 6.0,
            _ => 1.0,
        }
    }

    /// The largest product of two trials' values.
    pub(crate) fn most_product(self) -> u64 {
        match self {
            GameValue::Equity => 9,
            _ => 1,
        }
    }

    /// The sum over trials with these results.
    pub(crate) fn sum(self, results: &[u64; RESULTS]) -> f64 {
        let results = results.iter().enumerate();
        results.map(|(result, &count)| f64::from(self.points_of_result(result)) * count as f64).sum()
    }

    /// The sum of its cube over trials with these results.
    pub(crate) fn sum_of_cubes(self, results: &[u64; RESULTS]) -> f64 {
        let results = results.iter().enumerate();
        results.map(|(result, &count)| f64::from(self.points_of_result(result)).powi(3) * count as f64).sum()
    }

    /// The sum of its square over trials with these results.
    pub(crate) fn sum_of_squares(self, results: &[u64; RESULTS]) -> f64 {
        let results = results.iter().enumerate();
        results.map(|(result, &count)| f64::from(self.points_of_result(result)).powi(2) * count as f64).sum()
    }
}

/// Converts shares of outcomes, in any unit, from the player next on roll after `plies` to the first player on roll.
pub(crate) fn seen_by_first_player(shares: [i64; Outcome::COUNT], plies: u32) -> [i64; Outcome::COUNT] {
    if plies.is_multiple_of(2) { shares } else { reversed(shares) }
}

/// Converts shares of outcomes, in any unit, from a player to the other player.
pub(crate) fn reversed(shares: [i64; Outcome::COUNT]) -> [i64; Outcome::COUNT] {
    let mut reversed = [0; Outcome::COUNT];
    for &outcome in Outcome::ALL {
        reversed[outcome.reversed() as usize] = shares[outcome as usize];
    }
    reversed
}
