//! Parts of a rollout put together.

use tavli_file::saved_parts::{MergeError, ROLLOUTS};
use tavli_game::PlayableGame;
use tavli_trials::Plan;

use super::game_rollout::GameRollout;

impl<G: PlayableGame> GameRollout<G> {
    /// Puts the parts of a rollout together, in any order. They must hold each of its trials once. The result equals
    /// the rollout played as a whole, except for the time, which is the sum.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn merge(parts: Vec<GameRollout<G>>) -> Result<GameRollout<G>, MergeError> {
        let settings = parts.iter().map(|part| {
            let [a, b, c, d, e, f, g, h] = part.deciding_settings();
            let trials = ("the number of trials", part.plan.end_rules.trials.to_string());
            [a, b, c, d, e, f, g, h, trials]
        });
        ROLLOUTS.check_same(settings, str::to_owned)?;
        let ranges: Vec<_> = parts.iter().map(|part| part.trials.clone()).collect();
        let mut parts = parts.into_iter();
        let first = parts.next().expect("there are parts");
        let trials = first.plan.end_rules.trials;
        ROLLOUTS.order(&ranges, trials)?;
        let mut whole = GameRollout { plan: Plan { shard: None, ..first.plan }, trials: 0..trials, ..first };
        for (part, more) in (1..).zip(parts) {
            whole.elapsed = whole.elapsed.saturating_add(more.elapsed);
            for (sums, more) in whole.sums.iter_mut().zip(&more.sums) {
                sums.merge(more).ok_or(MergeError::TooLarge { part })?;
            }
        }
        Ok(whole)
    }
}
