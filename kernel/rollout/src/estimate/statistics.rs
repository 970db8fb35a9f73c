//! The statistics of all values of a game.

use crate::estimate::statistic::Statistic;
use crate::value::Value;

/// A statistic of each value of a game: of a candidate, whose shares are 0..=1, or of the difference of two, whose
/// shares are -1..=1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Share of games won, gammons and backgammons included.
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
    /// Mean points of a game without cube.
    pub equity: Statistic,
}

impl Statistics {
    /// The number of statistics.
    pub const COUNT: usize = Value::ALL.len();

    pub(crate) fn of_values(of: impl FnMut(Value) -> Statistic) -> Statistics {
        Statistics::from_array(Value::ALL.map(of))
    }

    /// All of them, in the order of the fields.
    #[must_use]
    pub fn to_array(&self) -> [Statistic; Statistics::COUNT] {
        [
            self.win,
            self.win_gammon,
            self.win_backgammon,
            self.lose,
            self.lose_gammon,
            self.lose_backgammon,
            self.equity,
        ]
    }

    /// The statistics of [`Statistics::to_array`].
    #[must_use]
    pub fn from_array(statistics: [Statistic; Statistics::COUNT]) -> Statistics {
        let [
            win,
            win_gammon,
            win_backgammon,
            lose,
            lose_gammon,
            lose_backgammon,
            equity,
        ] = statistics;
        Statistics {
            win,
            win_gammon,
            win_backgammon,
            lose,
            lose_gammon,
            lose_backgammon,
            equity,
        }
    }
}
