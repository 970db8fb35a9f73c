//! How far a rollout is.

use std::io;
use std::time::Duration;

/// How far a rollout is, for its listener about ten times a second.
#[derive(Clone, Copy, Debug)]
pub struct SessionProgress<'a, R> {
    /// The rollout, with the trials counted so far. With several processes it has the counts that were last added up.
    pub rollout: &'a R,
    /// Trials played, including earlier sessions; perhaps a few more than the interim result has.
    pub trials: u64,
    /// Trials played in this session.
    pub session_trials: u64,
    /// Games played in this session, of all candidates together.
    pub session_games: u64,
    /// Time since the start of this session.
    pub elapsed: Duration,
    /// About how many trials the rollout will have at its end, judged by the errors at the last look at them.
    pub expected_trials: f64,
    /// The time that the rollout's rule on time leaves.
    pub time_limit_left: Option<Duration>,
    /// Why the last checkpoint failed, until one succeeds.
    pub unsaved: Option<io::ErrorKind>,
}

impl<R> SessionProgress<'_, R> {
    /// Trials per second in this session; 0 before the first.
    #[must_use]
    pub fn trials_per_second(&self) -> f64 {
        self.per_second(self.session_trials)
    }

    /// Games per second in this session, over all candidates.
    #[must_use]
    pub fn games_per_second(&self) -> f64 {
        self.per_second(self.session_games)
    }

    fn per_second(&self, number: u64) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { number as f64 / seconds } else { 0.0 }
    }

    /// The predicted time left; `None` until it is known.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let trials = (self.expected_trials - self.trials as f64).max(0.0);
        // Before the first trial the quotient is infinite or NaN, which is not a duration.
        let by_trials = Duration::try_from_secs_f64(trials / self.trials_per_second()).ok();
        match (by_trials, self.time_limit_left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The share of the rollout that is done, 0..=1.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        let by_trials = self.trials as f64 / self.expected_trials;
        let by_time = self.time_limit_left.map_or(0.0, |left| {
            let elapsed = self.elapsed.as_secs_f64();
            elapsed / (elapsed + left.as_secs_f64())
        });
        by_trials.max(by_time).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_end_counts() {
        let mut progress = SessionProgress {
            rollout: &(),
            trials: 3000,
            session_trials: 1000,
            session_games: 2000,
            elapsed: Duration::from_secs(1),
            expected_trials: 6000.0,
            time_limit_left: None,
            unsaved: None,
        };
        assert_eq!(progress.games_per_second(), 2000.0);
        assert_eq!(progress.time_left(), Some(Duration::from_secs(3)));
        assert_eq!(progress.fraction(), 0.5);
        progress.time_limit_left = Some(Duration::from_millis(250));
        assert_eq!(progress.time_left(), Some(Duration::from_millis(250)));
        assert_eq!(progress.fraction(), 0.8);
        progress.session_trials = 0;
        progress.time_limit_left = None;
        assert_eq!(progress.time_left(), None);
    }
}
