//! Rollouts in shards, for several machines.

use tavli::rollout::{self, Shard};

use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, OutPointer};
use crate::rollout::{Rollout, store_handle};
use crate::status::Status;

/// Turns a rollout that has not begun into shard number shard, from 1 on, of shards. It then ends by the number of
/// trials alone, and drops no candidates. Shards are whole blocks of 1,296 trials, so there are at most as many shards
/// as blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_shard(rollout: *const Rollout, shard: u64, shards: u64) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` comes from a function that makes one, and is not
        // freed.
        let rollout = unsafe { pointer::reference("rollout", rollout) }?;
        let mut rollout = rollout.write()?;
        *rollout = rollout.clone().with_shard(Shard::new(shard, shards)?)?;
        Ok(())
    })
}

/// Puts the shards of a rollout together, count of them in any order: a new rollout, equal to the rollout played as a
/// whole. The shards must hold each trial once; tavli_last_error names the first conflict, by the indices of parts,
/// from 0 on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_merge(
    parts: *const *const Rollout,
    count: usize,
    rollout: *mut *mut Rollout,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `parts` are `count` unchanged handles; at `rollout` is
        // room for one handle.
        let (place, handles) =
            unsafe { (OutPointer::new("rollout", rollout)?, pointer::array("parts", parts, count)?) };
        let parts = handles.iter().map(|&part| {
            // SAFETY: the caller guarantees, until this returns: each `part` comes from a function that makes a
            // rollout, and is not freed.
            let part = unsafe { pointer::reference("part", part) }?;
            Ok(part.read()?.clone())
        });
        let parts = parts.collect::<Result<Vec<rollout::Rollout>, Failure>>()?;
        let whole = rollout::Rollout::merge(&parts)?;
        store_handle(place, whole);
        Ok(())
    })
}
