//! Rollouts of a position, and of candidate plays.

use std::ffi::{c_char, c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use tavli::named::NamedError;
use tavli::rollout::{
    self, Checkpoint, Options, RequestedPlay, RolloutError, RolloutRecordError, Session, SuppliedPlayers,
};
use tavli::{Position, run};

use crate::cancel::{self, Cancel};
use crate::candidate_result::CandidateResult;
use crate::cube;
use crate::failure::Failure;
use crate::guard::guarded;
use crate::play::Play;
use crate::plays::roll;
use crate::pointer::{self, Buffer, OutPointer};
use crate::position;
use crate::progress::{Listener, Progress, ProgressCallback, ProgressReport};
use crate::remarks::remark;
use crate::settings::{self, Names, Settings};
use crate::status::Status;
use crate::stop::{self, Stop};
use crate::stop_reason::StopReason;
use crate::summary::Summary;
use crate::text;
use crate::workers::{self, Workers};

/// A rollout: its settings and the trials so far.
#[derive(Debug)]
pub struct Rollout {
    rollout: RwLock<rollout::Rollout>,
    /// The names that its settings point to.
    names: Names,
    /// Where it is saved while it is played.
    checkpoint: Mutex<Option<Checkpoint>>,
    /// The call that is playing it.
    running: Mutex<Option<Running>>,
}

/// A call that plays a rollout, as other threads see it.
#[derive(Debug)]
struct Running {
    cancel: run::Cancel,
    latest: ProgressReport,
}

impl Rollout {
    /// The rollout; a failure if another call is changing it.
    pub(crate) fn read(&self) -> Result<RwLockReadGuard<'_, rollout::Rollout>, Failure> {
        self.rollout.try_read().map_err(unavailable)
    }

    /// The rollout, to be changed; a failure if another call is using it.
    pub(crate) fn write(&self) -> Result<RwLockWriteGuard<'_, rollout::Rollout>, Failure> {
        self.rollout.try_write().map_err(unavailable)
    }

    /// Its settings, whose names live as long as it does.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        Ok(Settings::from_settings(self.read()?.settings(), &self.names))
    }

    /// Calls `with` with the call that is playing the rollout; a failure if there is none.
    fn with_running<T>(&self, with: impl FnOnce(&Running) -> T) -> Result<T, Failure> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().map(with).ok_or_else(|| Failure::new(Status::Idle, "no call is playing the rollout"))
    }

    /// Sets the call that is playing it.
    fn set_running(&self, running: Option<Running>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }

    /// Where it is saved while it is played.
    pub(crate) fn checkpoint(&self) -> MutexGuard<'_, Option<Checkpoint>> {
        self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hides the end of a playing call from other threads when it is dropped.
struct RunningGuard<'a>(&'a Rollout);

impl Drop for RunningGuard<'_> {
    fn drop(&mut self) {
        self.0.set_running(None);
    }
}

fn unavailable<T>(error: TryLockError<T>) -> Failure {
    match error {
        TryLockError::WouldBlock => {
            Failure::new(Status::Busy, "another call is using the rollout: wait until it has returned")
        }
        TryLockError::Poisoned(_) => Failure::new(
            Status::Panic,
            "an earlier call on this rollout ended with a fault in the library: it can only be freed",
        ),
    }
}

/// Stores a new rollout.
pub(crate) fn store_handle(place: OutPointer<*mut Rollout>, rollout: rollout::Rollout) {
    place.store_handle(Rollout {
        names: Names::from_rollout(&rollout),
        rollout: RwLock::new(rollout),
        checkpoint: Mutex::new(None),
        running: Mutex::new(None),
    });
}

/// Stores a new rollout of the position that `ask` returns. `ask` adds the roll and its plays, or the cube, to the
/// options.
///
/// # Safety
/// Each pointer is NULL, not aligned, or what the header asks of it.
unsafe fn begin(
    settings: *const Settings,
    stop: *const Stop,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
    ask: impl FnOnce(&mut Options) -> Result<Position, Failure>,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `settings` and `stop` are NULL or unchanged structs of the
        // sizes that they state, with the texts that `settings` names; `cancel` is NULL or not freed; at `rollout` is
        // room for one handle.
        let (place, setup, stop, cancel) = unsafe {
            let cancel = cancel::read(cancel)?;
            (OutPointer::new("rollout", rollout)?, settings::read(settings, &cancel)?, stop::read(stop)?, cancel)
        };
        // A cancelled call may have been given any players.
        if cancel.is_cancelled() {
            return Err(NamedError::Stopped.into());
        }
        let mut options = Options {
            players: Some(setup.rollout_players()?),
            evaluator: setup.evaluator,
            luck: setup.luck,
            allocation: Some(stop.allocation),
            end_rules: stop.end_rules,
            ..Options::from(setup.values)
        };
        let position = ask(&mut options)?;
        let begun = options.request()?.rollout(&position)?;
        remark_on_players(&begun);
        store_handle(place, begun);
        Ok(())
    })
}

/// Stores a new rollout of the position of 26 numbers, for which `ask` names the roll and its plays.
///
/// # Safety
/// Each pointer is NULL, not aligned, or what the header asks of it.
unsafe fn begin_at(
    points: *const c_int,
    settings: *const Settings,
    stop: *const Stop,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
    ask: impl FnOnce(&mut Options) -> Result<(), Failure>,
) -> Status {
    let ask = |options: &mut Options| {
        // SAFETY: the caller guarantees, until this returns: at `points` are 26 unchanged numbers.
        let board = unsafe { position::read("points", points) }?;
        ask(options)?;
        Ok(board.into())
    };
    // SAFETY: the caller guarantees what this function requires of `settings`, `stop`, `cancel` and `rollout`.
    unsafe { begin(settings, stop, cancel, rollout, ask) }
}

/// Makes a rollout of the position of the player on roll. Settings and stop that are NULL are the default.
///
/// cancel may be NULL. If it is thrown meanwhile, such as while the bear-off table of a player is solved, no rollout is
/// made, and the status is TAVLI_STATUS_CANCELLED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_of_position(
    points: *const c_int,
    settings: *const Settings,
    stop: *const Stop,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
) -> Status {
    // SAFETY: the caller guarantees, until this returns, what `begin_at` requires of `points`, `settings`, `stop`,
    // `cancel` and `rollout`.
    unsafe { begin_at(points, settings, stop, cancel, rollout, |_| Ok(())) }
}

/// Makes a rollout with the cube and the score of a text, such as "PositionID:MatchID" or an XGID; a text without them
/// is for a money game, the cube at 1 in the middle. Settings and stop that are NULL are the default, and cancel is as
/// in tavli_rollout_of_position.
///
/// With the dice of the text the candidates are the plays of the roll. Without dice they are no double, candidate 0,
/// and if the player on roll may double, double and take, candidate 1. Both are played to the end: only trials,
/// standard errors and seconds end such a rollout. The players decide about the cube by their own values, so they must
/// be evaluators. tavli_rollout_cube has the decision.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_with_cube(
    text: *const c_char,
    settings: *const Settings,
    stop: *const Stop,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
) -> Status {
    let ask = |options: &mut Options| {
        // SAFETY: the caller guarantees, until this returns: `text` is an unchanged text that ends with a zero.
        let (position, cube) = cube::with_cube(unsafe { text::read("text", text) }?)?;
        options.cube = Some(cube);
        Ok(position)
    };
    // SAFETY: the caller guarantees, until this returns, what `begin` requires of `settings`, `stop`, `cancel` and
    // `rollout`.
    unsafe { begin(settings, stop, cancel, rollout, ask) }
}

/// Makes a rollout of every play of a roll of two dice, at most 512, on the same dice. Settings and stop that are NULL
/// are the default, and cancel is as in tavli_rollout_of_position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_of_plays(
    points: *const c_int,
    die: c_int,
    other_die: c_int,
    settings: *const Settings,
    stop: *const Stop,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
) -> Status {
    let ask = |options: &mut Options| {
        options.roll = Some(roll(die, other_die)?);
        Ok(())
    };
    // SAFETY: the caller guarantees, until this returns, what `begin_at` requires of `points`, `settings`, `stop`,
    // `cancel` and `rollout`; `ask` reads the dice.
    unsafe { begin_at(points, settings, stop, cancel, rollout, ask) }
}

/// Makes a rollout of some plays of a roll of two dice, on the same dice: count of them, 1 to 512, each one given by
/// the position after it as in TavliPlay. Settings and stop that are NULL are the default, and cancel is as in
/// tavli_rollout_of_position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_of_candidates(
    points: *const c_int,
    die: c_int,
    other_die: c_int,
    plays: *const Play,
    count: usize,
    settings: *const Settings,
    stop: *const Stop,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
) -> Status {
    let ask = |options: &mut Options| {
        options.roll = Some(roll(die, other_die)?);
        if count == 0 || count > rollout::Rollout::MAX_CANDIDATES {
            return Err(RolloutError::Candidates(count).into());
        }
        // SAFETY: the caller guarantees, until this returns: at `plays` are `count` unchanged plays.
        let plays = unsafe { pointer::array("plays", plays, count) }?;
        let plays = plays.iter().enumerate().map(|(index, play)| {
            let board = position::board(&play.points);
            board.map(RequestedPlay::After).map_err(|failure| failure.at_index("candidate", index))
        });
        options.plays = Some(plays.collect::<Result<_, Failure>>()?);
        Ok(())
    };
    // SAFETY: the caller guarantees, until this returns, what `begin_at` requires of `points`, `settings`, `stop`,
    // `cancel` and `rollout`; `ask` reads `plays`.
    unsafe { begin_at(points, settings, stop, cancel, rollout, ask) }
}

/// Reads a rollout that tavli_rollout_to_json wrote, here or in the command tavli, to be played on. cancel is as in
/// tavli_rollout_of_position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_from_json(
    json: *const c_char,
    cancel: *const Cancel,
    rollout: *mut *mut Rollout,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `json` is an unchanged text that ends with a zero;
        // `cancel` is NULL or not freed; at `rollout` is room for one handle.
        let (place, json, cancel) =
            unsafe { (OutPointer::new("rollout", rollout)?, text::read("json", json)?, cancel::read(cancel)?) };
        store_handle(place, read_record(json, &cancel)?);
        Ok(())
    })
}

/// The rollout of a record; an error if the call is cancelled. Remarks on players that have not learned its rules.
pub(crate) fn read_record(json: &str, cancel: &run::Cancel) -> Result<rollout::Rollout, RolloutRecordError> {
    let read = rollout::Rollout::from_json_with(json, SuppliedPlayers::default(), &|| cancel.is_cancelled())?;
    remark_on_players(&read);
    Ok(read)
}

/// Remarks on players that have not learned the rules of a rollout.
fn remark_on_players(rollout: &rollout::Rollout) {
    if let Some(found) = rollout.remark() {
        remark(found);
    }
}

/// Stores what `of` finds in a rollout at a place of this name.
///
/// # Safety
/// Until this returns: `rollout` is not freed; at `place` is room for one value.
pub(crate) unsafe fn store_of<T>(
    rollout: *const Rollout,
    name: &str,
    place: *mut T,
    of: impl FnOnce(&Rollout) -> Result<T, Failure>,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees what `OutPointer::new` and `reference` require.
        let (place, rollout) = unsafe { (OutPointer::new(name, place)?, pointer::reference("rollout", rollout)?) };
        place.store(of(rollout)?);
        Ok(())
    })
}

/// A rollout, and the buffer 'buffer' for `capacity` items; `count`, which errors call `count_name`, may be NULL.
///
/// # Safety
/// Nobody frees `rollout` during `'a`; the buffer is as [`Buffer::new`] requires.
pub(crate) unsafe fn rollout_and_buffer<'a, T: Copy>(
    rollout: *const Rollout,
    buffer: *mut T,
    capacity: usize,
    count_name: &str,
    count: *mut usize,
) -> Result<(&'a Rollout, Buffer<T>), Failure> {
    // SAFETY: the caller guarantees, during `'a`: `rollout` is not freed; `buffer` and the place of its count are what
    // `Buffer::new` requires.
    unsafe {
        let rollout = pointer::reference("rollout", rollout)?;
        Ok((rollout, Buffer::new(buffer, capacity, count_name, count)?))
    }
}

/// Writes a rollout as JSON, with all that is needed to play on. Buffer and size are as in tavli_position_write; with a
/// capacity of 0 the size of the text is stored, and the status is TAVLI_STATUS_BUFFER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_to_json(
    rollout: *const Rollout,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `buffer` is room for `capacity`
        // bytes of JSON, and at `size`, unless it is NULL, for one number.
        let (rollout, buffer) = unsafe { rollout_and_buffer(rollout, buffer, capacity, "size", size)? };
        let json = rollout.read()?.to_json();
        text::write(&json, buffer)
    })
}

/// Plays until a rule of the rollout's stop holds or it is cancelled, and stores the rule in reason, which may be NULL.
/// A later call continues a cancelled rollout; after its end it plays nothing.
///
/// cancel and progress may be NULL. While it plays, other threads may call tavli_rollout_poll and tavli_rollout_cancel.
/// With a tavli_rollout_checkpoint the rollout is saved; if saving fails at the end the status is TAVLI_STATUS_FILE,
/// and the rollout keeps its trials.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_play(
    rollout: *const Rollout,
    workers: *const Workers,
    cancel: *const Cancel,
    progress: ProgressCallback,
    data: *mut c_void,
    reason: *mut StopReason,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout`, `workers` and `cancel` are handles of their own
        // functions, not freed (`cancel` may be NULL); at `reason`, unless it is NULL, is room for one reason;
        // `progress` may be called with `data`.
        let (reason, rollout, workers, cancel, listener) = unsafe {
            (
                OutPointer::optional("reason", reason)?,
                pointer::reference("rollout", rollout)?,
                workers::read(workers)?,
                cancel::read(cancel)?,
                Listener::new(progress, data),
            )
        };
        let mut playing = rollout.write()?;
        let cancel = cancel.child();
        rollout.set_running(Some(Running { cancel: cancel.clone(), latest: ProgressReport::at_start(&playing) }));
        let guard = RunningGuard(rollout);
        let session = Session { tier: workers.tier, cancel, checkpoint: rollout.checkpoint().clone() };
        let tell = |progress: &rollout::RolloutProgress| {
            let report = ProgressReport::from(progress);
            listener.tell(&report);
            let mut running = rollout.running.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(running) = &mut *running {
                running.latest = report;
            }
        };
        let played = session.play(&mut *playing, &workers.workers, tell);
        // The lock first: when this call is no longer seen to play the rollout, others may use it.
        drop(playing);
        drop(guard);
        let rule = played?;
        if let Some(reason) = reason {
            reason.store(rule.into());
        }
        Ok(())
    })
}

/// Reports the progress of a rollout that another thread is playing: its last report, the interim results, the best
/// first, into a buffer for capacity results, and their number in count, which may be NULL. With a capacity of 0 the
/// buffer may be NULL, and only the progress is stored. While no call plays the rollout the status is
/// TAVLI_STATUS_IDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_poll(
    rollout: *const Rollout,
    progress: *mut Progress,
    buffer: *mut CandidateResult,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `progress` is room for one
        // report, at `buffer` for `capacity` results, and at `count`, unless it is NULL, for one number.
        let (rollout, progress, buffer) = unsafe {
            (
                pointer::reference("rollout", rollout)?,
                OutPointer::new("progress", progress)?,
                Buffer::new(buffer, capacity, "count", count)?,
            )
        };
        let report = rollout.with_running(|running| running.latest.clone())?;
        if capacity > 0 {
            buffer.store(report.results())?;
        }
        progress.store(report.progress());
        Ok(())
    })
}

/// Ends the call in which another thread is playing a rollout, within a few hundredths of a second, as its switch
/// would; the switch stays as it is. While no call plays the rollout the status is TAVLI_STATUS_IDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_cancel(rollout: *const Rollout) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is a handle that a function here made, and is
        // not freed.
        let rollout = unsafe { pointer::reference("rollout", rollout) }?;
        rollout.with_running(|running| running.cancel.cancel())
    })
}

/// Changes when a rollout ends; more trials than before extend it. A stop that is NULL is the default. The allocation
/// can be changed only before the first game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_until(rollout: *const Rollout, stop: *const Stop) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; `stop` is NULL or an unchanged
        // struct of the size that it states.
        let (rollout, stop) = unsafe { (pointer::reference("rollout", rollout)?, stop::read(stop)?) };
        let mut rollout = rollout.write()?;
        *rollout = stop.end(rollout.clone())?;
        Ok(())
    })
}

/// Stores the facts of a rollout as a whole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_summary(rollout: *const Rollout, summary: *mut Summary) -> Status {
    // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `summary` is room for one summary.
    unsafe { store_of(rollout, "summary", summary, |rollout| Ok(Summary::from(&*rollout.read()?))) }
}

/// Lists the results of a rollout's candidates, the best first, into a buffer for capacity results. Their number is
/// stored in count, which may be NULL; if the buffer is too small nothing is listed, and the status is
/// TAVLI_STATUS_BUFFER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_results(
    rollout: *const Rollout,
    buffer: *mut CandidateResult,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `buffer` is room for `capacity`
        // results, and at `count`, unless it is NULL, for one number.
        let (rollout, buffer) = unsafe { rollout_and_buffer(rollout, buffer, capacity, "count", count)? };
        let rollout = rollout.read()?;
        let results = rollout.summary().standings.iter();
        buffer.store(&results.map(CandidateResult::from).collect::<Vec<CandidateResult>>())
    })
}

/// Stores a candidate of a rollout by its index: its moves, and the position that is rolled out. Without a roll there
/// are no moves, and the position is the rollout's own, seen by the player on roll.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_candidate(rollout: *const Rollout, index: u64, play: *mut Play) -> Status {
    let candidate_of = |rollout: &Rollout| {
        let rollout = rollout.read()?;
        let candidates = rollout.candidates();
        let at = usize::try_from(index).ok();
        let candidate = at.and_then(|at| candidates.get(at)).ok_or_else(|| {
            let message =
                format!("there is no candidate {index}: the rollout has {}, numbered from 0", candidates.len());
            Failure::new(Status::Index, message)
        })?;
        Ok(Play::new(&candidate.board, candidate.moves.as_ref()))
    };
    // SAFETY: the caller guarantees, until this returns: `rollout` is not freed; at `play` is room for one play.
    unsafe { store_of(rollout, "play", play, candidate_of) }
}

/// Frees a rollout; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_rollout_free(rollout: *mut Rollout) {
    guarded(|| {
        // SAFETY: the caller guarantees: `rollout` is NULL or of a function that makes one, freed once, and no call is
        // using it.
        unsafe { pointer::take_back(rollout) };
        Ok(())
    });
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Rollout>();
};
