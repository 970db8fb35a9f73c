//! The positions whose games are played, and their results.

use tavli_rollout::Statistic;

/// A position whose games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameCandidate<P> {
    /// The play that leads to it; `None` where the position itself is rolled out.
    pub moves: Option<String>,
    /// Its index in the list of all plays of the roll; 0 where the position itself is rolled out.
    pub choice: usize,
    /// The position.
    pub position: P,
    /// The points of the player whose turn it is, if the game is over in it.
    pub(super) end: Option<i32>,
}

impl<P> GameCandidate<P> {
    /// Whether results are negated: after a play the opponent is on roll in the position.
    pub(super) fn is_other(&self) -> bool {
        self.moves.is_some()
    }
}

/// The result of a candidate, for the player on roll or to move in the position of the rollout.
#[derive(Clone, PartialEq, Debug)]
pub struct GameCandidateResult {
    /// Its index in [`GameRollout::candidates`](crate::game::GameRollout::candidates).
    pub candidate: usize,
    /// Its games.
    pub trials: u64,
    /// How many of them had each outcome, in the order of [`OUTCOMES`](tavli_game::NamedGame::OUTCOMES); none in a race,
    /// whose games may be cut off.
    pub outcomes: Vec<u64>,
    /// The share of games won; `None` in a race.
    pub win: Option<Statistic>,
    /// The mean points, with luck subtracted if it is measured; NaN in a race without trials.
    pub equity: Statistic,
    /// How many points it is behind the best candidate.
    pub behind: f64,
    /// What it has in a race alone.
    pub race: Option<RaceResult>,
}

/// What a play has in a race alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RaceResult {
    /// Its value by the net without trials, in points.
    pub evaluation: f64,
    /// How many points it is behind the best play, over the trials of both; 0 for the best.
    pub behind: Statistic,
    /// Whether it was dropped for being worse than another.
    pub is_dropped: bool,
}
