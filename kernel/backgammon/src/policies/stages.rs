//! Where the time of games of policies goes, by stage.

use std::time::{Duration, Instant};

/// A stage of a ply of games that are played side by side by policies. Each runs over all games before the next begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PolicyStage {
    /// The dice are thrown, and the decisions gathered.
    Throw,
    /// The plays are listed.
    List,
    /// The policy values them and picks.
    Pick,
    /// The picked plays are made, games that ended are recorded, and others begin.
    Make,
}

tavli_base::named_values!(PolicyStage: Throw "throw", List "list", Pick "pick", Make "make");

/// The wall-clock times of the stages of a run, readings of the clock included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PolicyTimes([Duration; PolicyStage::ALL.len()]);

impl PolicyTimes {
    /// The time of a stage.
    #[must_use]
    pub fn time_of(&self, stage: PolicyStage) -> Duration {
        self.0[stage as usize]
    }
}

/// Adds the times of the stages to those given, if there are any.
pub(super) struct PolicyStopwatch<'a>(Option<(Instant, &'a mut PolicyTimes)>);

impl PolicyStopwatch<'_> {
    pub(super) fn new(times: Option<&mut PolicyTimes>) -> PolicyStopwatch<'_> {
        PolicyStopwatch(times.map(|times| (Instant::now(), times)))
    }

    #[inline]
    pub(super) fn end(&mut self, stage: PolicyStage) {
        if let Some((last, times)) = &mut self.0 {
            let now = Instant::now();
            times.0[stage as usize] += now - *last;
            *last = now;
        }
    }
}
