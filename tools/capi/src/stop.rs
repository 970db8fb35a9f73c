//! When a rollout ends.

use std::time::Duration;

use tavli::rollout;

use crate::failure::Failure;
use crate::settings::versioned;
use crate::status::Status;

/// When a rollout ends: as soon as one of these holds. Begin with tavli_stop_default and change what you need.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stop {
    /// sizeof(TavliStop), as tavli_stop_default sets it.
    pub size: u32,
    /// TAVLI_STOP_VERSION, as tavli_stop_default sets it.
    pub version: u32,
    /// After so many trials, 1 to 2^56; 46656 by default.
    pub trials: u64,
    /// When the standard error of every equity is at most so many points; 0, the default, is no rule.
    pub standard_error: f64,
    /// When every candidate is at least so many joint standard deviations behind the best; 0, the default, is no
    /// rule.
    pub jsd: f64,
    /// After so many seconds of playing in all; 0, the default, is no rule. The only rule by which the number of
    /// trials depends on the machine.
    pub seconds: f64,
}

/// The version of TavliStop in this header.
pub const TAVLI_STOP_VERSION: u32 = 1;

/// After 46,656 trials, 36 times 1,296.
#[unsafe(no_mangle)]
pub extern "C" fn tavli_stop_default() -> Stop {
    Stop {
        size: size_of::<Stop>() as u32,
        version: TAVLI_STOP_VERSION,
        trials: rollout::Stop::default().trials,
        standard_error: 0.0,
        jsd: 0.0,
        seconds: 0.0,
    }
}

/// The rules of the caller; NULL are the default.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer points to rules of the size that they state, which nobody changes
/// meanwhile.
pub(crate) unsafe fn read(stop: *const Stop) -> Result<rollout::Stop, Failure> {
    // SAFETY: whoever calls this makes the promise about `stop` that `versioned` asks for.
    let Some(stop) = unsafe { versioned("stop", stop, TAVLI_STOP_VERSION) }? else {
        return Ok(rollout::Stop::default());
    };
    let rule = |bound: f64| (bound != 0.0).then_some(bound);
    let time = rule(stop.seconds).map(|seconds| {
        Duration::try_from_secs_f64(seconds)
            .ok()
            .filter(|time| !time.is_zero())
            .ok_or_else(|| {
                let message =
                    format!("seconds are a number above 0, or 0 for no rule, not {seconds}");
                Failure::new(Status::Settings, message)
            })
    });
    Ok(rollout::Stop {
        trials: stop.trials,
        standard_error: rule(stop.standard_error),
        jsd: rule(stop.jsd),
        time: time.transpose()?,
    })
}
