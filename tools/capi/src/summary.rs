//! What a rollout has come to as a whole.

use tavli::rollout::Rollout;

/// What a rollout has come to as a whole; each candidate has a TavliStanding.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Candidates, one where a position is rolled out.
    pub candidates: u64,
    /// Trials played, each of them a game of every candidate: games number 0 and on of the seed.
    pub trials: u64,
    /// The seed.
    pub seed: u64,
    /// Seconds of playing in all.
    pub seconds: f64,
}

impl From<&Rollout> for Summary {
    fn from(rollout: &Rollout) -> Summary {
        let games = rollout.games();
        Summary {
            candidates: rollout.candidates().len() as u64,
            trials: games.end - games.start,
            seed: rollout.settings().seed,
            seconds: rollout.elapsed().as_secs_f64(),
        }
    }
}
