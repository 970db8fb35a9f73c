//! The facts of a rollout as a whole.

use tavli::rollout::Rollout;

/// The facts of a rollout as a whole; each candidate has a TavliCandidateResult.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Candidates; one if a position is rolled out.
    pub candidates: u64,
    /// The number of the first trial; 0 except in a shard.
    pub first_trial: u64,
    /// Trials played, each of them a game of every candidate that was not dropped before it: games number first_trial
    /// and on of the seed.
    pub trials: u64,
    /// Games played, of all candidates together.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// Seconds of playing in all; of merged rollouts the sum.
    pub seconds: f64,
    /// Which shard of a rollout it is, from 1 on; 0 for a whole.
    pub shard: u64,
    /// How many shards there are; 0 for a whole.
    pub shards: u64,
    /// The larger die of the roll whose plays are compared; 0 if a position is rolled out.
    pub die: u32,
    /// The other die.
    pub other_die: u32,
    /// 1 if all trials have been played, otherwise 0.
    pub is_complete: u32,
    /// 1 if the games have a cube, otherwise 0.
    pub has_cube: u32,
}

impl From<&Rollout> for Summary {
    fn from(rollout: &Rollout) -> Summary {
        let trials = rollout.trials();
        let shard = rollout.shard();
        let roll = rollout.roll();
        Summary {
            candidates: rollout.candidates().len() as u64,
            first_trial: trials.start,
            trials: trials.end - trials.start,
            games: rollout.total_games(),
            seed: rollout.settings().seed,
            seconds: rollout.elapsed().as_secs_f64(),
            shard: shard.map_or(0, |shard| shard.index()),
            shards: shard.map_or(0, |shard| shard.count()),
            die: roll.map_or(0, |roll| roll.high().into()),
            other_die: roll.map_or(0, |roll| roll.low().into()),
            is_complete: rollout.is_complete().into(),
            has_cube: rollout.cube().is_some().into(),
        }
    }
}
