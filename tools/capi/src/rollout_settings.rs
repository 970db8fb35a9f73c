//! The settings of a rollout, and the differences between its candidates.

use std::ffi::{c_char, c_int};

use crate::cube::CubeDecision;
use crate::difference::Difference;
use crate::failure::Failure;
use crate::guard::guarded;
use crate::position::{self, POINTS};
use crate::rollout::{Rollout, rollout_and_buffer, store_of};
use crate::settings::Settings;
use crate::status::Status;
use crate::stop::Stop;
use crate::text;

/// Stores the position of a rollout, 26 numbers as the player on roll counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_position(rollout: *const Rollout, points: *mut c_int) -> Status {
    // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `points` is room for 26 numbers.
    unsafe {
        store_of(rollout, "points", points.cast::<[c_int; POINTS]>(), |rollout| {
            Ok(position::points(rollout.read()?.position()))
        })
    }
}

/// Stores the settings of a rollout. The names in them are valid until the rollout is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_settings(rollout: *const Rollout, settings: *mut Settings) -> Status {
    // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `settings` is room for settings of
    // this header's size.
    unsafe { store_of(rollout, "settings", settings, Rollout::settings) }
}

/// Stores when a rollout ends, and how its games are divided among the candidates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_stop(rollout: *const Rollout, stop: *mut Stop) -> Status {
    // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `stop` is room for rules of this
    // header's size.
    unsafe { store_of(rollout, "stop", stop, |rollout| Ok(Stop::from_rollout(&*rollout.read()?))) }
}

/// Writes the name of a policy, such as "uniform": the player on roll's, or the opponent's if opponent is not 0. Buffer
/// and size are as in tavli_position_write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_policy(
    rollout: *const Rollout,
    opponent: c_int,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `buffer` is room for `capacity`
        // bytes of a name, and at `size`, unless it is NULL, for one number.
        let (rollout, buffer) = unsafe { rollout_and_buffer(rollout, buffer, capacity, "size", size)? };
        text::write(rollout.read()?.players().names()[usize::from(opponent != 0)], buffer)
    })
}

/// Stores the difference of two candidates of a rollout, each given by its index: the first minus the other, over the
/// trials in which both were played.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_difference(
    rollout: *const Rollout,
    candidate: u64,
    other: u64,
    difference: *mut Difference,
) -> Status {
    let difference_of = |rollout: &Rollout| {
        let rollout = rollout.read()?;
        let number = rollout.candidates().len();
        let [a, b] = [candidate, other].map(|index| usize::try_from(index).unwrap_or(usize::MAX));
        if a >= number || b >= number || a == b {
            let message =
                format!("{candidate} and {other} are not two candidates: the rollout has {number}, numbered from 0");
            return Err(Failure::new(Status::Index, message));
        }
        Ok(Difference::from(&rollout.difference(a, b)))
    };
    // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `difference` is room for one
    // difference.
    unsafe { store_of(rollout, "difference", difference, difference_of) }
}

/// Lists the difference of every pair of candidates into a buffer for capacity differences: each candidate minus every
/// later one, in the order of the results. Their number, n (n - 1) / 2 for n candidates, is stored in count, which may
/// be NULL; if the buffer is too small nothing is listed, and the status is TAVLI_STATUS_BUFFER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_differences(
    rollout: *const Rollout,
    buffer: *mut Difference,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `buffer` is room for `capacity`
        // differences, and at `count`, unless it is NULL, for one number.
        let (rollout, buffer) = unsafe { rollout_and_buffer(rollout, buffer, capacity, "count", count)? };
        let rollout = rollout.read()?;
        let differences = rollout.differences();
        let differences: Vec<Difference> = differences.map(|one| Difference::from(&one)).collect();
        buffer.store(&differences)
    })
}

/// Stores the decision about a double by the trials of a rollout so far. In a rollout without the cube, or of plays,
/// and before the first trial, all numbers are NaN, and the action is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_cube(rollout: *const Rollout, decision: *mut CubeDecision) -> Status {
    let decision_of = |rollout: &Rollout| Ok(rollout.read()?.cube_decision().into());
    // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `decision` is room for one
    // decision.
    unsafe { store_of(rollout, "decision", decision, decision_of) }
}
