//! The time of a session of a rollout.

use std::time::{Duration, Instant};

/// The time after the limit in which running games may end, and a rollout without trials may get its first: too short
/// for a person to notice.
const GRACE: Duration = Duration::from_millis(100);

/// Measures the time of a session, and the time that the rollout's rule on time leaves.
#[derive(Clone, Copy, Debug)]
pub struct SessionClock {
    /// The time of earlier sessions.
    before: Duration,
    /// The time of all sessions after which the rollout ends.
    limit: Option<Duration>,
    start: Instant,
}

impl SessionClock {
    /// Starts a session after earlier ones of `before` in all.
    pub fn start(before: Duration, limit: Option<Duration>) -> SessionClock {
        SessionClock { before, limit, start: Instant::now() }
    }

    /// The time of this session.
    pub fn session(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time of all sessions.
    pub fn total(&self) -> Duration {
        self.before + self.session()
    }

    /// The time that the rule on time leaves.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.limit?.saturating_sub(self.total()))
    }

    /// The time after which running games are given up.
    pub fn until_cut(&self) -> Option<Duration> {
        // A limit near the largest duration would overflow.
        Some(self.limit?.saturating_add(GRACE).saturating_sub(self.total()))
    }

    /// Whether the rule on time ends a rollout, given whether it has trials.
    pub fn is_up(&self, has_trials: bool) -> bool {
        let left = if has_trials { self.time_left() } else { self.until_cut() };
        left == Some(Duration::ZERO)
    }
}
