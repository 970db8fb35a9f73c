//! The plays of a roll.

use std::ffi::c_int;

use tavli::{Plays, Roll};

use crate::failure::Failure;
use crate::guard::guarded;
use crate::play::Play;
use crate::pointer::{Buffer, OutPointer};
use crate::position;
use crate::settings::Rules;
use crate::status::Status;

/// The roll of two dice from the caller.
pub(crate) fn roll(a: c_int, b: c_int) -> Result<Roll, Failure> {
    let die = |number: c_int| {
        u8::try_from(number).map_err(|_| {
            let message = format!("a die shows 1 to 6, not {number}");
            Failure::new(Status::Roll, message)
        })
    };
    Ok(Roll::new(die(a)?, die(b)?)?)
}

/// The plays that the caller's arguments name; `None` if the game is over by the rules.
///
/// # Safety
/// As for [`position::read`].
unsafe fn plays(points: *const c_int, a: c_int, b: c_int, rules: u32) -> Result<Option<Plays>, Failure> {
    // SAFETY: the caller guarantees what `position::read` requires of `points`.
    let board = unsafe { position::read("points", points) }?;
    let (roll, rules) = (roll(a, b)?, Rules::read(rules)?);
    Ok((!rules.is_over(&board)).then(|| Plays::new(&board, roll, rules)))
}

/// Counts the plays of a roll of two dice under TavliRules, in constant time. A play is a distinct resulting
/// position; a forced pass is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_plays_count(
    points: *const c_int,
    die: c_int,
    other_die: c_int,
    rules: u32,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers; at `count` is room
        // for one number.
        let (count, plays) = unsafe { (OutPointer::new("count", count)?, plays(points, die, other_die, rules)?) };
        count.store(plays.map_or(0, |plays| plays.len()));
        Ok(())
    })
}

/// Lists the plays of a roll of two dice under TavliRules into a buffer for capacity plays, in their fixed order. Their
/// number is stored in count, which may be NULL; if the buffer is too small nothing is listed, and the status is
/// TAVLI_STATUS_BUFFER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_plays(
    points: *const c_int,
    die: c_int,
    other_die: c_int,
    rules: u32,
    buffer: *mut Play,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers; at `buffer` is room
        // for `capacity` plays, and at `count`, unless it is NULL, for one number.
        let (plays, buffer) =
            unsafe { (plays(points, die, other_die, rules)?, Buffer::new(buffer, capacity, "count", count)?) };
        let listed = |plays: Plays| -> Vec<Play> {
            let all = plays.to_vec().into_iter();
            all.map(|play| Play::new(&play.board(), Some(&plays.moves(&play)))).collect()
        };
        buffer.store(&plays.map(listed).unwrap_or_default())
    })
}
