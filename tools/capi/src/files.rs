//! Rollouts in files.

use std::ffi::c_char;
use std::path::Path;

use tavli::file::{Existing, Target, record};
use tavli::rollout::Checkpoint;

use crate::cancel::{self, Cancel};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, OutPointer};
use crate::rollout::{Rollout, read_record, store_handle};
use crate::status::Status;
use crate::text;

/// Saves a rollout as a file, replacing the file as a whole: a reader finds the old contents or the new. The command
/// tavli continues and merges it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_save(rollout: *const Rollout, path: *const c_char) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; `path` is an unchanged text that
        // ends with a zero.
        let (rollout, path) = unsafe { (pointer::reference("rollout", rollout)?, text::read("path", path)?) };
        Ok(rollout.read()?.save(Path::new(path))?)
    })
}

/// Reads a rollout from a file that tavli_rollout_save or the command tavli wrote, to be played on. cancel is as in
/// tavli_rollout_of_position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_load(
    path: *const c_char,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `path` is an unchanged text that ends with a zero;
        // `cancel` is NULL or not freed; at `rollout` is room for one handle.
        let (place, path, cancel) =
            unsafe { (OutPointer::new("rollout", rollout)?, text::read("path", path)?, cancel::read(cancel)?) };
        store_handle(place, record::load(Path::new(path), |json| read_record(json, &cancel))?);
        Ok(())
    })
}

/// Saves a rollout in a file when a call begins to play it, every `seconds` (a number above 0) while it is played, and
/// when the call ends; the file is replaced as a whole each time. If the process is killed, the work since the last
/// save is lost. A path that is NULL ends the saving.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_checkpoint(
    rollout: *const Rollout,
    path: *const c_char,
    seconds: f64,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; `path` is NULL or an unchanged
        // text that ends with a zero.
        let (rollout, path) = unsafe { (pointer::reference("rollout", rollout)?, text::optional("path", path)?) };
        let checkpoint = path.map(|path| {
            let interval = tavli::run::seconds(seconds).map_err(|error| Failure::new(Status::Settings, error))?;
            let target = Target::open(Path::new(path), Existing::Replace)?;
            Ok::<_, Failure>(Checkpoint { target, interval })
        });
        let checkpoint = checkpoint.transpose()?;
        // No call may be playing it.
        let _unused = rollout.write()?;
        *rollout.checkpoint() = checkpoint;
        Ok(())
    })
}
