//! When a rollout ends.

use tavli::rollout::{self, EndRulesRequest, RolloutError};

use crate::failure::Failure;
use crate::settings::versioned;
use crate::status::Status;

/// The rules that end a rollout, as soon as one of them holds, and how its games are divided meanwhile. Begin with
/// tavli_stop_default and change what you need.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stop {
    /// sizeof(TavliStop), as tavli_stop_default sets it.
    pub size: u32,
    /// TAVLI_STOP_VERSION, as tavli_stop_default sets it.
    pub version: u32,
    /// The trials after which it ends, 1 to 2^56; 0, the default, is 46656, or unlimited if another rule is given.
    pub trials: u64,
    /// It ends when the standard error of every equity is at most this, in points; 0, the default, is no rule.
    pub standard_error: f64,
    /// It ends when every other candidate is at least jsd joint standard deviations behind the best; 0, the default, is
    /// no rule.
    pub jsd: f64,
    /// It ends after this many seconds of playing, over all sessions; 0, the default, is no rule. Only by this rule
    /// does the number of trials depend on the machine.
    pub seconds: f64,
    /// In a race, the joint standard deviations behind the best at which a candidate is dropped; 3 by default. With
    /// another allocation it stays 3.
    pub race_jsd: f64,
    /// A TavliAllocation; TAVLI_ALLOCATION_EVEN by default.
    pub allocation: u32,
}

/// How the games of a rollout are divided among its candidates. A dropped candidate stays among the results with the
/// games that it has.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// All candidates have the same number of games.
    Even = 0,
    /// A candidate is dropped as soon as it is race_jsd joint standard deviations behind the best, and the rollout ends
    /// when one is left. The command calls this race:3; what it calls race ends by 95 % confidence.
    JsdRace = 1,
    /// The worse half is dropped after each of several rounds, and the best have all trials.
    Halving = 2,
    /// A candidate is dropped as soon as it is known to be worse than another. The rollout ends when one is left, or
    /// when no other is better than the best by more than 0.01 points. All of this holds with 95 % confidence, however
    /// often the race is checked.
    Decision = 3,
}

/// The version of TavliStop in this header.
pub const TAVLI_STOP_VERSION: u32 = 2;

/// After 46,656 trials, 36 times 1,296.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_stop_default() -> Stop {
    Stop {
        size: size_of::<Stop>() as u32,
        version: TAVLI_STOP_VERSION,
        trials: 0,
        standard_error: 0.0,
        jsd: 0.0,
        seconds: 0.0,
        race_jsd: RACE_JSD,
        allocation: Allocation::Even as u32,
    }
}

/// The bound of a race by default.
const RACE_JSD: f64 = 3.0;

impl Stop {
    /// The rules of a rollout.
    pub(crate) fn from_rollout(rollout: &rollout::Rollout) -> Stop {
        let rules = rollout.end_rules();
        let (allocation, race_jsd) = match rollout.allocation() {
            rollout::Allocation::JsdRace { jsd } => (Allocation::JsdRace, jsd),
            rollout::Allocation::Halving => (Allocation::Halving, RACE_JSD),
            rollout::Allocation::FixedConfidence { .. } => (Allocation::Decision, RACE_JSD),
            _ => (Allocation::Even, RACE_JSD),
        };
        Stop {
            trials: rules.trials,
            standard_error: rules.standard_error.unwrap_or(0.0),
            jsd: rules.jsd.unwrap_or(0.0),
            seconds: rules.time.map_or(0.0, |time| time.as_secs_f64()),
            race_jsd,
            allocation: allocation as u32,
            ..tavli_stop_default()
        }
    }
}

/// When a rollout ends, and how its games are divided meanwhile.
pub(crate) struct RolloutEnd {
    pub(crate) end_rules: EndRulesRequest,
    pub(crate) allocation: rollout::Allocation,
}

impl RolloutEnd {
    /// A rollout that ends by the given rules instead of its own.
    pub(crate) fn end(self, rollout: rollout::Rollout) -> Result<rollout::Rollout, Failure> {
        let rules = self.end_rules.resolve(self.allocation).map_err(RolloutError::from)?;
        Ok(rollout.allocated(self.allocation)?.until(rules)?)
    }
}

/// The rules of the caller; NULL are the default.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to rules of the size that they state, which nobody changes
/// meanwhile.
pub(crate) unsafe fn read(stop: *const Stop) -> Result<RolloutEnd, Failure> {
    // SAFETY: the caller guarantees what `versioned` requires of `stop`.
    let stop = unsafe { versioned("stop", stop, TAVLI_STOP_VERSION) }?;
    let stop = stop.copied().unwrap_or_else(|| tavli_stop_default());
    let allocation = match stop.allocation {
        number if number == Allocation::Even as u32 => rollout::Allocation::Even,
        number if number == Allocation::JsdRace as u32 => rollout::Allocation::JsdRace { jsd: stop.race_jsd },
        number if number == Allocation::Halving as u32 => rollout::Allocation::Halving,
        number if number == Allocation::Decision as u32 => rollout::RolloutRequest::DECISION_RACE,
        number => {
            let message = format!("an allocation is a TavliAllocation, 0 to 3, not {number}");
            return Err(Failure::new(Status::Settings, message));
        }
    };
    if stop.allocation != Allocation::JsdRace as u32 && stop.race_jsd != RACE_JSD {
        let message = format!(
            "race_jsd is {}, which only TAVLI_ALLOCATION_JSD_RACE obeys: set allocation to that, or leave race_jsd at \
             {RACE_JSD}",
            stop.race_jsd
        );
        return Err(Failure::new(Status::Settings, message));
    }
    let rule = |bound: f64| (bound != 0.0).then_some(bound);
    let rules = EndRulesRequest {
        trials: (stop.trials != 0).then_some(stop.trials),
        standard_error: rule(stop.standard_error),
        jsd: rule(stop.jsd),
        seconds: rule(stop.seconds),
    };
    Ok(RolloutEnd { end_rules: rules, allocation })
}
