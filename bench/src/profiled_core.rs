//! The core whose operations a profile times, and their cost.

use serde::Serialize;
use tavli::RuleSet;
use tavli::run::{Cancel, Workers};

/// Timings of an operation. The least is reported: nothing interrupted it.
pub(crate) const ROUNDS: usize = 7;

/// Time of an operation on one roll.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Cost {
    /// Nanoseconds of processor time: the least of several rounds, which nothing interrupted.
    pub ns: f64,
    /// Cycles, estimated by the clock.
    pub cycles: f64,
}

/// The core of a profile. Its timings are `None` once they are cancelled, since they would take too long.
#[derive(Clone)]
pub(crate) struct ProfiledCore {
    pub(crate) rules: RuleSet,
    /// Cycles per second.
    pub(crate) clock: f64,
    pub(crate) cancel: Cancel,
}

impl ProfiledCore {
    /// The result of `work` on the core, which is the first of the workers.
    pub(crate) fn on<T: Send + 'static>(
        &self,
        workers: &Workers,
        work: impl Fn(&ProfiledCore) -> T + Send + Sync + 'static,
    ) -> T {
        let core = self.clone();
        workers.on_first(move || work(&core))
    }

    /// `None` once the profile is cancelled.
    pub(crate) fn goes_on(&self) -> Option<()> {
        (!self.cancel.is_cancelled()).then_some(())
    }

    pub(crate) fn cost(&self, seconds: f64) -> Cost {
        Cost { ns: 1e9 * seconds, cycles: self.clock * seconds }
    }

    /// The cost of the fastest of several rounds, which take this many seconds each.
    pub(crate) fn least(&self, mut round: impl FnMut() -> Option<f64>) -> Option<Cost> {
        let least = (0..ROUNDS).try_fold(f64::INFINITY, |least, _| Some(least.min(round()?)));
        Some(self.cost(least?))
    }
}
