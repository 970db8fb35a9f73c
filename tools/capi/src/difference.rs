//! The difference between two candidates.

use tavli::rollout;

use crate::candidate_result::Statistic;

/// The difference of two candidates, the first minus the second, on the same dice, in the trials in which both were
/// played: for the player on roll in the rollout's position. Shares are -1 to 1, points -6 to 6. Errors belong to
/// paired differences.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The first candidate's index in the rollout.
    pub candidate: u64,
    /// The second candidate's index.
    pub other: u64,
    /// The trials in which both were played.
    pub trials: u64,
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
    /// The difference of the equities in joint standard deviations; infinite if it has no error.
    pub jsd: f64,
    /// Mean equity with the cube, as in TavliCandidateResult; all numbers are 0 in games without cube.
    pub cubeful: Statistic,
}

impl From<&rollout::Difference> for Difference {
    fn from(difference: &rollout::Difference) -> Difference {
        Difference {
            candidate: difference.candidate as u64,
            other: difference.other as u64,
            trials: difference.trials,
            win: difference.win.into(),
            win_gammon: difference.win_gammon.into(),
            win_backgammon: difference.win_backgammon.into(),
            lose: difference.lose.into(),
            lose_gammon: difference.lose_gammon.into(),
            lose_backgammon: difference.lose_backgammon.into(),
            equity: difference.equity.into(),
            jsd: difference.jsd,
            cubeful: difference.cubeful.unwrap_or_default().into(),
        }
    }
}
