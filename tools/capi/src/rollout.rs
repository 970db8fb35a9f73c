//! Rollouts of a position, and of candidate plays.

use std::ffi::{c_char, c_int, c_void};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use tavli::rollout::{self, RolloutError, Session};
use tavli::{Board, Plays, Roll};

use crate::border::border;
use crate::cancel::{self, Cancel};
use crate::ended::Ended;
use crate::failure::Failure;
use crate::play::Play;
use crate::plays::roll;
use crate::pointer::{self, Buffer, Place};
use crate::position;
use crate::progress::{Listener, ProgressCallback};
use crate::settings::{self, Settings};
use crate::standing::Standing;
use crate::status::Status;
use crate::stop::{self, Stop};
use crate::summary::Summary;
use crate::text;
use crate::workers::Workers;

/// A rollout: what is to be played, and what has been.
#[derive(Debug)]
pub struct Rollout(RwLock<rollout::Rollout>);

impl Rollout {
    /// The rollout, unless another call is changing it.
    fn look(&self) -> Result<RwLockReadGuard<'_, rollout::Rollout>, Failure> {
        self.0.try_read().map_err(unavailable)
    }

    /// The rollout for one that changes it, unless another call is using it.
    fn change(&self) -> Result<RwLockWriteGuard<'_, rollout::Rollout>, Failure> {
        self.0.try_write().map_err(unavailable)
    }
}

fn unavailable<T>(error: TryLockError<T>) -> Failure {
    match error {
        TryLockError::WouldBlock => Failure::new(
            Status::Busy,
            "another call is using the rollout: wait until it has returned",
        ),
        TryLockError::Poisoned(_) => Failure::new(
            Status::Panic,
            "an earlier call on this rollout ended with a fault in the library: it can only be freed",
        ),
    }
}

/// Stores a new rollout.
fn hand_over(place: Place<*mut Rollout>, rollout: rollout::Rollout) {
    place.hand_over(Rollout(RwLock::new(rollout)));
}

/// Stores a new rollout that `make` begins at the position with the settings.
///
/// # Safety
/// Each pointer is NULL, not aligned, or what the header asks of it.
unsafe fn begin(
    points: *const c_int,
    settings: *const Settings,
    stop: *const Stop,
    rollout: *mut *mut Rollout,
    make: impl FnOnce(&Board, rollout::Settings) -> Result<rollout::Rollout, Failure>,
) -> Status {
    border(|| {
        // SAFETY: whoever calls this promises a place for one handle at `rollout`, 26 numbers at `points` and structs
        // of the size that they state at `settings` and `stop`, unless NULL, which stay so until this returns.
        let (place, board, settings, stop) = unsafe {
            (
                Place::new("rollout", rollout)?,
                position::read("points", points)?,
                settings::read(settings)?,
                stop::read(stop)?,
            )
        };
        hand_over(place, make(&board, settings)?.until(stop)?);
        Ok(())
    })
}

/// Makes a rollout of the position of the player on roll. Settings and stop that are NULL are the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_of_position(
    points: *const c_int,
    settings: *const Settings,
    stop: *const Stop,
    rollout: *mut *mut Rollout,
) -> Status {
    let make = |board: &Board, settings| Ok(rollout::Rollout::of_position(board, settings)?);
    // SAFETY: `points`, `settings`, `stop` and `rollout` go on to `begin` as the caller promises them, until it returns.
    unsafe { begin(points, settings, stop, rollout, make) }
}

/// Makes a rollout of every play of a roll of two dice, at most 512, on the same dice. Settings and stop that are
/// NULL are the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_of_plays(
    points: *const c_int,
    die: c_int,
    other_die: c_int,
    settings: *const Settings,
    stop: *const Stop,
    rollout: *mut *mut Rollout,
) -> Status {
    let make = |board: &Board, settings| {
        let roll = roll(die, other_die)?;
        Ok(rollout::Rollout::of_plays(board, roll, settings)?)
    };
    // SAFETY: the caller promises `points`, `settings`, `stop` and `rollout` as for tavli_rollout_of_position.
    unsafe { begin(points, settings, stop, rollout, make) }
}

/// Makes a rollout of some plays of a roll of two dice, on the same dice: count of them, 1 to 512, each one given by
/// the position after it as in TavliPlay. Settings and stop that are NULL are the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_of_candidates(
    points: *const c_int,
    die: c_int,
    other_die: c_int,
    plays: *const Play,
    count: usize,
    settings: *const Settings,
    stop: *const Stop,
    rollout: *mut *mut Rollout,
) -> Status {
    let make = |board: &Board, settings: rollout::Settings| {
        let roll = roll(die, other_die)?;
        if count == 0 || count > rollout::Rollout::MOST_CANDIDATES {
            return Err(RolloutError::Candidates(count).into());
        }
        // SAFETY: the caller has `count` plays at `plays`, which he does not change before the call of C returns.
        let plays = unsafe { pointer::array("plays", plays, count) }?;
        let legal = Plays::of_rules(board, roll, settings.rules);
        let boards = boards(&legal, roll, plays)?;
        Ok(rollout::Rollout::of_candidates(
            board, roll, &boards, settings,
        )?)
    };
    // SAFETY: all but `plays` goes on to `begin`: `points`, `settings`, `stop` and `rollout`, as the caller promises.
    unsafe { begin(points, settings, stop, rollout, make) }
}

/// The boards after plays that are given by their points. They are found among the plays of the roll and not read as
/// positions, for after a play that wins there is none.
fn boards(legal: &Plays, roll: Roll, plays: &[Play]) -> Result<Vec<Board>, Failure> {
    let after: Vec<_> = legal
        .to_vec()
        .iter()
        .map(|play| (position::points(&play.board()), play.board()))
        .collect();
    let boards = plays.iter().enumerate().map(|(index, play)| {
        let found = after.iter().find(|(points, _)| *points == play.points);
        found.map(|&(_, board)| board).ok_or_else(|| {
            let message =
                format!("candidate {index} is not the position after a play of {roll}, as tavli_plays lists them");
            Failure::new(Status::Candidate, message)
        })
    });
    boards.collect()
}

/// Reads a rollout that tavli_rollout_to_json wrote, here or in the command tavli, to be played on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_from_json(
    json: *const c_char,
    rollout: *mut *mut Rollout,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller leaves `rollout` to it, a place for one handle, and does not
        // change the bytes at `json`, of which one is a zero.
        let (place, json) = unsafe { (Place::new("rollout", rollout)?, text::read("json", json)?) };
        hand_over(place, rollout::Rollout::from_json(json)?);
        Ok(())
    })
}

/// Writes a rollout with all that it takes to play on, as JSON. Buffer and size are those of tavli_position_write;
/// with a capacity of 0 the size that the text takes is stored, and the status is TAVLI_STATUS_BUFFER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_to_json(
    rollout: *const Rollout,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller does not free `rollout`, and leaves to it the room for `capacity`
        // bytes at `buffer` and, unless it is NULL, the place for one number at `size`.
        let (rollout, buffer) = unsafe {
            (
                pointer::reference("rollout", rollout)?,
                Buffer::new(buffer, capacity, "size", size)?,
            )
        };
        let json = rollout.look()?.to_json();
        text::write(&json, buffer)
    })
}

/// Plays until a rule of the rollout's stop holds or it is cancelled, and stores which in ended, which may be NULL.
/// Played again after it was cancelled, it goes on; after its end it plays nothing.
///
/// A cancel that is NULL is thrown by nobody, and progress may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_play(
    rollout: *const Rollout,
    workers: *const Workers,
    cancel: *const Cancel,
    progress: ProgressCallback,
    data: *mut c_void,
    ended: *mut Ended,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller leaves to it `ended`, a place for one reason unless it is NULL,
        // and frees none of `rollout`, `workers` and `cancel`, each of its own function and `cancel` perhaps NULL;
        // `progress` may be called with `data` meanwhile.
        let (ended, rollout, workers, cancel, listener) = unsafe {
            (
                Place::optional("ended", ended)?,
                pointer::reference("rollout", rollout)?,
                pointer::reference("workers", workers)?,
                cancel::read(cancel)?,
                Listener::new(progress, data),
            )
        };
        let session = Session {
            tier: workers.tier,
            cancel,
            checkpoint: None,
        };
        let tell = |progress: &rollout::Progress| listener.tell(progress);
        let rule = rollout
            .change()?
            .play(&workers.workers, &session, tell)
            .expect("nothing is saved");
        if let Some(ended) = ended {
            ended.store(rule.into());
        }
        Ok(())
    })
}

/// Changes when a rollout ends; more trials than before extend it. A stop that is NULL is the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_until(rollout: *const Rollout, stop: *const Stop) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller does not free `rollout`, and does not change the struct at `stop`,
        // which has the size that it states, unless it is NULL.
        let (rollout, stop) =
            unsafe { (pointer::reference("rollout", rollout)?, stop::read(stop)?) };
        let mut rollout = rollout.change()?;
        *rollout = rollout.clone().until(stop)?;
        Ok(())
    })
}

/// Tells what a rollout has come to as a whole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_summary(
    rollout: *const Rollout,
    summary: *mut Summary,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller leaves `summary` to it, a place for one summary, and does not free
        // `rollout`.
        let (summary, rollout) = unsafe {
            (
                Place::new("summary", summary)?,
                pointer::reference("rollout", rollout)?,
            )
        };
        summary.store(Summary::from(&*rollout.look()?));
        Ok(())
    })
}

/// Lists what a rollout says of its candidates, the best first, into a buffer for capacity standings. Their number
/// is stored in count, which may be NULL; where the buffer is too small for it nothing is listed, and the status is
/// TAVLI_STATUS_BUFFER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_standings(
    rollout: *const Rollout,
    buffer: *mut Standing,
    capacity: usize,
    count: *mut usize,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller does not free `rollout`, and leaves to it the room for `capacity`
        // standings at `buffer` and, unless it is NULL, the place for one number at `count`.
        let (rollout, buffer) = unsafe {
            (
                pointer::reference("rollout", rollout)?,
                Buffer::new(buffer, capacity, "count", count)?,
            )
        };
        let summary = rollout.look()?.summary();
        let standings: Vec<Standing> = summary.standings.iter().map(Standing::from).collect();
        buffer.store(&standings)
    })
}

/// Tells a candidate of a rollout by its index: its moves, and the position that is rolled out. Without a roll that
/// is the rollout's own position, seen by the player on roll, and there are no moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_candidate(
    rollout: *const Rollout,
    index: u64,
    play: *mut Play,
) -> Status {
    border(|| {
        // SAFETY: until this call returns the caller leaves `play` to it, a place for one play, and does not free
        // `rollout`.
        let (play, rollout) = unsafe {
            (
                Place::new("play", play)?,
                pointer::reference("rollout", rollout)?.look()?,
            )
        };
        let candidates = rollout.candidates();
        let at = usize::try_from(index).ok();
        let candidate = at.and_then(|at| candidates.get(at)).ok_or_else(|| {
            let message = format!(
                "there is no candidate {index}: the rollout has {}, counted from 0",
                candidates.len()
            );
            Failure::new(Status::Index, message)
        })?;
        play.store(Play::new(&candidate.board, candidate.moves.as_ref()));
        Ok(())
    })
}

/// Frees a rollout; NULL is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_free(rollout: *mut Rollout) {
    border(|| {
        // SAFETY: `rollout` is NULL or of a function that makes one; the caller frees it once, and no call is using it.
        unsafe { pointer::take_back(rollout) };
        Ok(())
    });
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Rollout>();
};
