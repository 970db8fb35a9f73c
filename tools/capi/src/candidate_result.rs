//! The result of one candidate.

use tavli::rollout;

use crate::outcome;

/// A mean over the trials of a rollout.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistic {
    /// The mean, in the range of the value; NaN without trials.
    pub mean: f64,
    /// The standard deviation of one trial; NaN below two trials.
    pub standard_deviation: f64,
    /// The standard error of the mean; NaN below two trials.
    pub standard_error: f64,
    /// The lower end of the 95 % confidence interval, which holds with few trials too; NaN without trials.
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
    /// The mean as the trials give it, without bias: with variance reduction it may by chance lie outside of the range,
    /// such as below 0 for a share. Everywhere else it is the mean.
    pub raw_mean: f64,
}

/// The result of one candidate, for the player on roll in the rollout's position. Shares are 0 to 1, points
/// -3 to 3.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CandidateResult {
    /// The candidate's index in the rollout.
    pub candidate: u64,
    /// Games of this candidate. A dropped candidate has fewer than the best.
    pub trials: u64,
    /// 1 if the candidate was dropped, otherwise 0.
    pub is_dropped: u64,
    /// Finished games by TavliOutcome; the rest of the room is 0.
    pub outcomes: [u64; 8],
    /// Games cut off.
    pub unfinished: u64,
    /// The mean probability of each TavliOutcome: the share of the games with it, where games cut off count by the
    /// probabilities of the evaluator; the rest of the room is 0. NaN without trials.
    pub probabilities: [f64; 8],
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
    /// Points behind the best candidate on the same dice, over the trials of both, with the error of the paired
    /// difference; 0 for the best. In rollouts with the cube, by the equity with it.
    pub behind: Statistic,
    /// The difference behind in joint standard deviations; infinite if it has no error.
    pub jsd: f64,
    /// Mean equity with the cube, in units of the rollout's cube, in matches equivalent to that: candidates are ranked
    /// by it. All numbers are 0 in games without cube.
    pub cubeful: Statistic,
}

impl Statistic {
    /// The statistic of a value that does not exist.
    pub(crate) const NONE: Statistic = Statistic {
        mean: f64::NAN,
        standard_deviation: f64::NAN,
        standard_error: f64::NAN,
        low: f64::NAN,
        high: f64::NAN,
        raw_mean: f64::NAN,
    };
}

impl From<rollout::Statistic> for Statistic {
    fn from(statistic: rollout::Statistic) -> Statistic {
        Statistic {
            mean: statistic.mean,
            standard_deviation: statistic.standard_deviation,
            standard_error: statistic.standard_error,
            low: statistic.low,
            high: statistic.high,
            raw_mean: statistic.raw_mean,
        }
    }
}

impl From<&rollout::CandidateResult> for CandidateResult {
    fn from(result: &rollout::CandidateResult) -> CandidateResult {
        CandidateResult {
            candidate: result.candidate as u64,
            trials: result.trials,
            is_dropped: result.is_dropped.into(),
            outcomes: outcome::room(&result.outcomes),
            unfinished: result.unfinished,
            probabilities: outcome::room(&result.probabilities),
            win: result.win.into(),
            win_gammon: result.win_gammon.into(),
            win_backgammon: result.win_backgammon.into(),
            lose: result.lose.into(),
            lose_gammon: result.lose_gammon.into(),
            lose_backgammon: result.lose_backgammon.into(),
            equity: result.equity.into(),
            behind: result.behind.into(),
            jsd: result.jsd,
            cubeful: result.cubeful.unwrap_or_default().into(),
        }
    }
}
