//! The difference between two candidates.

use super::ends::Value;
use super::interval;
use super::rounds::{Paired, Rounds};
use super::statistic::Statistic;

/// What the first of two candidates has more than the second, in the trials in which both were played, on the same
/// dice: for the player on roll in the rollout's position. The standard errors are those of paired differences.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Difference {
    /// The first candidate's index in the rollout.
    pub candidate: usize,
    /// The second candidate's index.
    pub other: usize,
    /// The trials in which both were played.
    pub trials: u64,
    /// Share of games won, gammons and backgammons included, -1..=1 like every share.
    pub win: Statistic,
    /// Share of games won by a gammon or backgammon.
    pub win_gammon: Statistic,
    /// Share of games won by a backgammon.
    pub win_backgammon: Statistic,
    /// Share of games lost, gammons and backgammons included.
    pub lose: Statistic,
    /// Share of games lost by a gammon or backgammon.
    pub lose_gammon: Statistic,
    /// Share of games lost by a backgammon.
    pub lose_backgammon: Statistic,
    /// Mean points of a game without cube, -6..=6.
    pub equity: Statistic,
    /// The difference of the equities in joint standard deviations, as [`Standing::jsd`](super::Standing::jsd).
    pub jsd: f64,
}

impl Difference {
    pub(super) fn new(rounds: &Rounds, candidate: usize, other: usize) -> Difference {
        let paired = rounds.of_pair(candidate, other);
        let [
            win,
            win_gammon,
            win_backgammon,
            lose,
            lose_gammon,
            lose_backgammon,
            equity,
        ] = Value::ALL.map(|value| of_value(&paired, value));
        Difference {
            candidate,
            other,
            trials: paired.trials(),
            win,
            win_gammon,
            win_backgammon,
            lose,
            lose_gammon,
            lose_backgammon,
            equity,
            jsd: jsd(&equity),
        }
    }
}

/// The difference of a value.
pub(super) fn of_value(paired: &Paired, value: Value) -> Statistic {
    let mean = paired.mean(value);
    let (variance, mean_square) = paired.variance(value);
    let independent = variance.independent_trials(paired.trials() as f64);
    let [low, high] = value.typical();
    let interval = interval::of_difference(mean, mean_square, independent, high - low);
    Statistic::new(mean, variance, interval)
}

/// A difference in joint standard deviations: 0 where nothing differs, infinite where it has no error.
pub(super) fn jsd(difference: &Statistic) -> f64 {
    if difference.mean == 0.0 {
        0.0
    } else {
        difference.mean / difference.standard_error
    }
}
