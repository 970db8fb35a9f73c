//! Many threads, many handles, and switches thrown at any moment.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::{Handle, cancel, last_error, ok, opening, opening_31, play, results, tally, uniform, workers};
use tavli_capi::*;

/// Only as many games as the test needs: ThreadSanitizer makes them slow.
fn stop(trials: u64) -> Stop {
    Stop { trials, ..tavli_stop_default() }
}

#[test]
fn threads_share_workers() {
    let workers = workers(2, None);
    let run = |seed| {
        let settings = Settings { seed, ..tavli_settings_default() };
        // Few trials, because ThreadSanitizer watches this test, too: 72 took it four minutes.
        let rollout = opening_31(&settings, &stop(18));
        assert_eq!(play(&rollout, &workers), Ok(StopReason::Trials));
        results(&rollout).expect("results")
    };
    let alone: Vec<_> = (0..4).map(run).collect();
    let run = &run;
    let together: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || run(seed))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert_eq!(together, alone);
}

#[test]
fn switches_are_thrown_at_any_moment() {
    let workers = workers(2, None);
    let points = opening();
    for round in 0..40_u64 {
        let (cancel, other) = (cancel(), opening_31(&uniform(), &stop(1 << 40)));
        let games = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_micros(round * 500));
                // SAFETY: a handle that outlives the thread.
                ok(unsafe { tavli_cancel_throw(cancel.get()) });
            });
            scope.spawn(|| {
                let mut reason = StopReason::Trials;
                // SAFETY: every pointer belongs to a handle or a variable.
                ok(unsafe {
                    tavli_rollout_play(other.get(), workers.get(), cancel.get(), None, null_mut(), &raw mut reason)
                });
                assert_eq!(reason, StopReason::Cancelled);
            });
            let settings = tavli_settings_default();
            let tally = tally(&points, &settings, (0, 1 << 40), &workers, Some(&cancel));
            tally.expect("games").games
        });
        assert!(games < 1 << 40);
        // A cancelled rollout has a whole number of trials, and can be looked at.
        let found = results(&other).expect("results");
        let trials = |result: &CandidateResult| result.outcomes.iter().sum::<u64>();
        assert!(found.iter().all(|result| trials(result) == trials(&found[0])));
    }
}

#[test]
fn a_rollout_is_changed_by_one_call_at_a_time() {
    let workers = workers(2, None);
    let rollout = opening_31(&uniform(), &stop(144));
    let (busy, played) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    match play(&rollout, &workers).and_then(|_| results(&rollout)) {
                        Ok(_) => played.fetch_add(1, Ordering::Relaxed),
                        Err(Status::Busy) => {
                            assert!(last_error().starts_with("another call is using the rollout"));
                            busy.fetch_add(1, Ordering::Relaxed)
                        }
                        Err(status) => panic!("{status:?}: {}", last_error()),
                    };
                }
            });
        }
    });
    assert_eq!(busy.into_inner() + played.into_inner(), 200);
    let alone = opening_31(&uniform(), &stop(144));
    assert_eq!(play(&alone, &workers), Ok(StopReason::Trials));
    assert_eq!(results(&rollout), results(&alone));
}

/// The data of a callback.
struct Scene<'a> {
    cancel: &'a Handle<Cancel>,
    rollout: &'a Handle<Rollout>,
    calls: usize,
}

unsafe extern "C" fn look_and_cancel(progress: *const Progress, data: *mut c_void) {
    // SAFETY: the progress is valid during the call, and the data is the scene that was given along.
    let (progress, scene) = unsafe { (&*progress, &mut *data.cast::<Scene<'_>>()) };
    assert!((0.0..=1.0).contains(&progress.fraction));
    assert!(progress.seconds > 0.0 && progress.expected_trials > 0.0);
    // Nothing waits for itself.
    assert_eq!(results(scene.rollout), Err(Status::Busy));
    scene.calls += 1;
    // SAFETY: a handle.
    ok(unsafe { tavli_cancel_throw(scene.cancel.get()) });
}

#[test]
fn a_callback_may_cancel() {
    let (workers, cancel) = (workers(1, None), cancel());
    let rollout = opening_31(&uniform(), &stop(1 << 40));
    let mut scene = Scene { cancel: &cancel, rollout: &rollout, calls: 0 };
    let mut reason = StopReason::Trials;
    // SAFETY: every pointer belongs to a handle or a variable, and the callback takes this data.
    ok(unsafe {
        tavli_rollout_play(
            rollout.get(),
            workers.get(),
            cancel.get(),
            Some(look_and_cancel),
            (&raw mut scene).cast(),
            &raw mut reason,
        )
    });
    assert_eq!(reason, StopReason::Cancelled);
    assert!(scene.calls > 0);
}

/// A switch, and the playouts that were played when it was thrown.
struct Thrown<'a> {
    cancel: &'a Handle<Cancel>,
    told: Option<u64>,
}

unsafe extern "C" fn cancel_after_some(progress: *const Progress, data: *mut c_void) {
    // SAFETY: the progress is valid during the call, and the data is what was given along.
    let (progress, thrown) = unsafe { (&*progress, &mut *data.cast::<Thrown<'_>>()) };
    if progress.trials > 0 && thrown.told.is_none() {
        thrown.told = Some(progress.trials);
        // SAFETY: a handle.
        ok(unsafe { tavli_cancel_throw(thrown.cancel.get()) });
    }
}

/// Plays without end until a callback throws the switch. Returns the playouts counted, and those that were played when
/// it was thrown.
fn play_until_thrown(workers: &Handle<Workers>) -> (u64, u64) {
    let points = opening();
    let cancel = cancel();
    let mut thrown = Thrown { cancel: &cancel, told: None };
    let mut tally = std::mem::MaybeUninit::<Tally>::uninit();
    // SAFETY: every pointer belongs to a handle or a variable, the callback takes this data, and with `Ok` the tally is
    // written.
    let games = unsafe {
        ok(tavli_playouts(
            points.as_ptr(),
            null(),
            0,
            1 << 40,
            workers.get(),
            cancel.get(),
            Some(cancel_after_some),
            (&raw mut thrown).cast(),
            tally.as_mut_ptr(),
        ));
        tally.assume_init().games
    };
    (games, thrown.told.expect("it was thrown"))
}

#[test]
fn what_is_cancelled_counts_nothing_more() {
    let workers = workers(2, None);
    // Those who share the workers have work waiting.
    let counted: Vec<(u64, u64)> = thread::scope(|scope| {
        let callers: Vec<_> = (0..4).map(|_| scope.spawn(|| play_until_thrown(&workers))).collect();
        let counted = callers.into_iter().map(|caller| caller.join());
        counted.map(|counted| counted.expect("no panic")).collect()
    });
    for (games, told) in counted {
        assert!(games <= told, "{games} games counted, {told} played when it was cancelled");
    }
}

#[test]
fn handles_come_and_go() {
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let workers = workers(2, None);
                    let rollout = opening_31(&uniform(), &stop(2));
                    assert_eq!(play(&rollout, &workers), Ok(StopReason::Trials));
                    drop((workers, cancel()));
                    results(&rollout).expect("results");
                }
            });
        }
    });
}

#[cfg(unix)]
unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// In a forked process their threads are not there: a call that waited for them would never return.
#[cfg(unix)]
#[test]
fn workers_are_refused_in_a_forked_process() {
    let workers = workers(1, None);
    let count = |workers| {
        let mut count = 0;
        // SAFETY: a handle of `tavli_workers_start`, and a place for one number.
        unsafe { tavli_workers_count(workers, &raw mut count) }
    };
    assert_eq!(count(workers.get()), Status::Ok);
    // SAFETY: the new process calls what it is here to try, and ends.
    let child = unsafe { fork() };
    if child == 0 {
        let is_refused =
            count(workers.get()) == Status::Workers && last_error().contains("started before the process forked");
        // SAFETY: a handle of `tavli_workers_start`, which is freed once in this process.
        unsafe { tavli_workers_free(workers.get().cast_mut()) };
        // SAFETY: it ends the process.
        unsafe { _exit(i32::from(!is_refused)) };
    }
    let mut status = -1;
    // SAFETY: a place for one number.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
    assert_eq!(count(workers.get()), Status::Ok);
}
