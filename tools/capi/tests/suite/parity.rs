//! C does with rollouts all that the command does: files, parts, facts, differences, games, and a look from outside.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::support::{Handle, last_error, ok, opening, opening_31, play, results, uniform, workers};
use tavli::rollout;
use tavli::{Board, GameEnd, NO_STOP, Playouts, RuleSet, Tier};
use tavli_capi::*;

fn stop(change: impl FnOnce(&mut Stop)) -> Stop {
    let mut stop = tavli_stop_default();
    change(&mut stop);
    stop
}

fn trials(trials: u64) -> Stop {
    stop(|stop| stop.trials = trials)
}

fn scratch(name: &str) -> (PathBuf, CString) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}.json", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let text = CString::new(path.to_str().expect("UTF-8")).expect("no zero");
    (path, text)
}

fn library(path: &std::path::Path) -> rollout::Rollout {
    rollout::Rollout::load(path).expect("a saved rollout")
}

fn summary(rollout: &Handle<Rollout>) -> Summary {
    let mut summary = std::mem::MaybeUninit::uninit();
    // SAFETY: a handle and room for a summary, which is written.
    unsafe {
        ok(tavli_rollout_summary(rollout.get(), summary.as_mut_ptr()));
        summary.assume_init()
    }
}

/// The last board is over by the rules of McGammon alone, which are won when all checkers are home.
#[test]
fn a_finished_game_has_no_plays() {
    let [mut off, mut home] = [[0; 26]; 2];
    off[24] = -1;
    (home[1], home[2], home[23], home[24]) = (8, 7, -5, -10);
    for (points, rules, plays) in [(off, 0, 0), (home, 0, 1), (home, 1, 0)] {
        let mut count = 99;
        // SAFETY: 26 numbers and a variable.
        unsafe { ok(tavli_plays_count(points.as_ptr(), 6, 3, rules, &raw mut count)) };
        assert_eq!(count, plays, "{points:?} under {rules}");
        // SAFETY: 26 numbers, no room for a play, and a variable.
        let status = unsafe { tavli_plays(points.as_ptr(), 6, 3, rules, null_mut(), 0, &raw mut count) };
        assert_eq!((status == Status::Ok, count), (plays == 0, plays));
    }
}

#[test]
fn files_are_those_of_the_command() {
    let (path, text) = scratch("saved");
    let rollout = opening_31(&uniform(), &trials(1500));
    // SAFETY: handles, texts and variables.
    unsafe {
        ok(tavli_rollout_checkpoint(rollout.get(), text.as_ptr(), 0.001));
        assert_eq!(play(&rollout, &workers(2, None)), Ok(StopReason::Trials));
        let saved = library(&path);
        assert_eq!(saved.trials(), 0..1500);
        let found = results(&rollout).expect("results");
        let expected = saved.summary().standings.iter().map(CandidateResult::from);
        assert_eq!(found, expected.collect::<Vec<CandidateResult>>());

        let further = trials(1600);
        ok(tavli_rollout_until(rollout.get(), &raw const further));
        ok(tavli_rollout_checkpoint(rollout.get(), null(), 0.0));
        assert_eq!(play(&rollout, &workers(2, None)), Ok(StopReason::Trials));
        assert_eq!(library(&path).trials(), 0..1500, "it is saved no more");
        ok(tavli_rollout_save(rollout.get(), text.as_ptr()));
        let load = |rollout| tavli_rollout_load(text.as_ptr(), null(), rollout);
        let again = Handle::new(load, tavli_rollout_free).expect("a rollout");
        assert_eq!(results(&again), results(&rollout));

        let nowhere = c"/nowhere/of/this/name/x.json";
        assert_eq!(tavli_rollout_save(rollout.get(), nowhere.as_ptr()), Status::File);
        assert!(last_error().contains("/nowhere"), "{}", last_error());
        let load = |rollout| tavli_rollout_load(nowhere.as_ptr(), null(), rollout);
        assert_eq!(Handle::new(load, tavli_rollout_free).err(), Some(Status::File));
        assert_eq!(tavli_rollout_save(rollout.get(), c"".as_ptr()), Status::File);
        assert_eq!(last_error(), "the path is empty: name a file");
        let load = |rollout| tavli_rollout_load(c"".as_ptr(), null(), rollout);
        assert_eq!(Handle::new(load, tavli_rollout_free).err(), Some(Status::File));
        assert_eq!(last_error(), "the path is empty: name a file");
        std::fs::write(&path, "{}").expect("a file");
        let load = |rollout| tavli_rollout_load(text.as_ptr(), null(), rollout);
        assert_eq!(Handle::new(load, tavli_rollout_free).err(), Some(Status::Record));
        let status = tavli_rollout_checkpoint(rollout.get(), text.as_ptr(), -1.0);
        assert_eq!(status, Status::Settings);
    }
}

#[test]
fn parts_are_the_whole() {
    let make = || opening_31(&uniform(), &trials(4000));
    let whole = make();
    assert_eq!(play(&whole, &workers(2, None)), Ok(StopReason::Trials));
    let parts: Vec<Handle<Rollout>> = (1..=3)
        .map(|shard| {
            let part = make();
            // SAFETY: a handle.
            ok(unsafe { tavli_rollout_shard(part.get(), shard, 3) });
            assert_eq!(play(&part, &workers(1, None)), Ok(StopReason::Trials));
            let facts = summary(&part);
            assert_eq!((facts.shard, facts.shards, facts.is_complete), (shard, 3, 1));
            assert!(facts.first_trial == 0 || shard > 1);
            part
        })
        .collect();
    let merge = |parts: &[*const Rollout]| {
        // SAFETY: as many handles as there are.
        let make = |whole| unsafe { tavli_rollout_merge(parts.as_ptr(), parts.len(), whole) };
        Handle::new(make, tavli_rollout_free)
    };
    let handles: Vec<*const Rollout> = parts.iter().rev().map(Handle::get).collect();
    let merged = merge(&handles).expect("a whole");
    assert_eq!(results(&merged), results(&whole));
    assert_eq!(merge(&handles[1..]).err(), Some(Status::Merge));
    assert!(last_error().contains("are in no shard"), "{}", last_error());
    assert_eq!(merge(&[handles[2], handles[2], handles[1]]).err(), Some(Status::Merge));
    assert!(last_error().starts_with("items 0 and 1 of the list:"), "{}", last_error());
    assert_eq!(merge(&[null()]).err(), Some(Status::Pointer));
    // SAFETY: a handle whose games have been played.
    let status = unsafe { tavli_rollout_shard(whole.get(), 1, 2) };
    assert_eq!(status, Status::Settings);
    for (shard, of, message) in [
        (3, 2, "there is no shard 3 of 2: the first is 1 and the last 2"),
        (1, 0, "the number of shards is 1 or more, not 0"),
    ] {
        // SAFETY: a handle.
        let status = unsafe { tavli_rollout_shard(whole.get(), shard, of) };
        assert_eq!((status, &*last_error()), (Status::Settings, message));
    }
}

#[test]
fn a_rollout_states_what_it_is() {
    let settings = Settings { seed: 77, first_roll: 31, truncate: 60, evaluator: c"none".as_ptr(), ..uniform() };
    let rules = stop(|stop| {
        stop.trials = 2000;
        stop.standard_error = 0.25;
        stop.allocation = Allocation::JsdRace as u32;
        stop.race_jsd = 1.5;
    });
    let rollout = opening_31(&settings, &rules);
    let (mut found_settings, mut found_rules) = (tavli_settings_default(), tavli_stop_default());
    let mut points: [c_int; 26] = [0; 26];
    let mut name: [c_char; 16] = [0; 16];
    // SAFETY: a handle and variables; the name ends with a zero.
    unsafe {
        ok(tavli_rollout_settings(rollout.get(), &raw mut found_settings));
        ok(tavli_rollout_stop(rollout.get(), &raw mut found_rules));
        ok(tavli_rollout_position(rollout.get(), points.as_mut_ptr()));
        ok(tavli_rollout_policy(rollout.get(), 1, name.as_mut_ptr(), 16, null_mut()));
        assert_eq!(CStr::from_ptr(name.as_ptr()), c"uniform");
    }
    // The names of the policies are the library's texts.
    let found_settings =
        Settings { policy: settings.policy, policy_opponent: null(), evaluator: settings.evaluator, ..found_settings };
    assert_eq!(found_settings, settings);
    assert_eq!(found_rules, rules);
    assert_eq!(points, opening());
    let facts = summary(&rollout);
    assert_eq!((facts.trials, facts.games, facts.is_complete), (0, 0, 0));
    let wrong = stop(|stop| stop.allocation = 4);
    // SAFETY: a handle and a variable.
    let status = unsafe { tavli_rollout_until(rollout.get(), &raw const wrong) };
    assert_eq!(status, Status::Settings);
    assert!(last_error().contains("0 to 3, not 4"), "{}", last_error());
}

#[test]
fn halving_drops_candidates_and_every_pair_differs() {
    let rules = stop(|stop| {
        stop.trials = 1500;
        stop.allocation = Allocation::Halving as u32;
    });
    let rollout = opening_31(&uniform(), &rules);
    assert_eq!(play(&rollout, &workers(2, None)), Ok(StopReason::Trials));
    let results = results(&rollout).expect("results");
    assert_eq!(results.iter().map(|one| one.is_dropped).sum::<u64>(), 14);
    assert_eq!(summary(&rollout).games, 4 * 16 * 100);
    let mut count = 0;
    let mut differences = Vec::<Difference>::with_capacity(120);
    // SAFETY: room for 120 differences, all of which are written.
    unsafe {
        let status = tavli_rollout_differences(rollout.get(), null_mut(), 0, &raw mut count);
        assert_eq!((status, count), (Status::Buffer, 120));
        let buffer = differences.as_mut_ptr();
        ok(tavli_rollout_differences(rollout.get(), buffer, 120, null_mut()));
        differences.set_len(120);
    }
    assert_eq!(differences[0].equity, results[1].behind);
    assert_eq!(differences[0].trials, 1500);
    let mut one = differences[0];
    let (a, b) = (differences[119].candidate, differences[119].other);
    // SAFETY: a handle and a variable.
    unsafe {
        ok(tavli_rollout_difference(rollout.get(), a, b, &raw mut one));
        assert_eq!(one, differences[119]);
        let status = tavli_rollout_difference(rollout.get(), 0, 16, &raw mut one);
        assert_eq!(status, Status::Index);
    }
}

#[test]
fn games_one_by_one_are_those_of_the_library() {
    let settings = Settings { truncate: 100, ..tavli_settings_default() };
    let mut games = vec![PlayedGame { outcome: 9, plies: 0 }; 700];
    let mut count = 0;
    // SAFETY: room for 700 games, handles and variables.
    ok(unsafe {
        tavli_playout_games(
            opening().as_ptr(),
            &raw const settings,
            30,
            games.len(),
            workers(2, None).get(),
            null(),
            None,
            null_mut(),
            games.as_mut_ptr(),
            &raw mut count,
        )
    });
    assert_eq!(count, 700);
    let mut records: Vec<GameEnd> = Vec::new();
    Playouts::new(Board::START, RuleSet::Backgammon, 1)
        .expect("games")
        .truncated_after(100.try_into().expect("not 0"))
        .run_with_ends(Tier::Portable, 30..730, &mut records, NO_STOP)
        .unwrap();
    let expected = records
        .iter()
        .map(|record| PlayedGame { outcome: record.outcome.map_or(-1, |outcome| outcome as i32), plies: record.plies });
    assert_eq!(games, expected.collect::<Vec<PlayedGame>>());
    assert!(games.iter().any(|game| game.outcome == -1));
}

#[test]
fn estimates_are_those_of_the_library() {
    let tally = Playouts::new(Board::START, RuleSet::Backgammon, 1)
        .expect("games")
        .run(Tier::Portable, 0..3000, NO_STOP)
        .unwrap()
        .tally;
    let mut outcomes = [0; 8];
    outcomes[..6].copy_from_slice(&tally.outcomes);
    let given = Tally {
        games: 3000,
        outcomes,
        unfinished: 0,
        plies: tally.plies as u64,
        plies_squared: tally.plies_squared as u64,
        plays: tally.plays as u64,
        longest: tally.longest.into(),
    };
    let mut found = std::mem::MaybeUninit::<Estimates>::uninit();
    // SAFETY: variables; the estimates are written.
    let found = unsafe {
        ok(tavli_tally_estimates(&raw const given, found.as_mut_ptr()));
        found.assume_init()
    };
    assert_eq!(found.win, tally.win().into());
    assert_eq!(found.equity, tally.equity().into());
    assert_eq!(found.plies, tally.mean_plies().into());
    assert_eq!(found.plays, tally.mean_plays());
    assert_eq!(found.outcomes[4].mean, tally.outcomes[4] as f64 / 3000.0);
    type Change = fn(&mut Tally);
    let changes: [(Change, &str); 6] = [
        (|tally| tally.games = 5, "do not add up to its games, 5"),
        (|tally| tally.games += 1, "do not add up to its games, 3001"),
        (|tally| tally.unfinished = 1, "and unfinished, 1, do not add up"),
        (
            |tally| (tally.outcomes[7], tally.games) = (5, 3005),
            "there are 6 outcomes, and the rest of the room is 0, not 5",
        ),
        (|tally| tally.plies_squared = 1, "have a larger sum of squares than 1"),
        (|tally| tally.longest = 1 << 32, "no game has 4294967296 plies"),
    ];
    for (change, message) in changes {
        let (mut given, mut again) = (given, found);
        change(&mut given);
        // SAFETY: variables.
        let status = unsafe { tavli_tally_estimates(&raw const given, &raw mut again) };
        assert_eq!(status, Status::Settings);
        assert!(last_error().contains(message), "{}", last_error());
    }
}

/// Reports that have results, counted in the number at `data`.
unsafe extern "C" fn count_reports(progress: *const Progress, data: *mut c_void) {
    // SAFETY: the library passes a report that lives meanwhile, and the number that was given along.
    let (progress, number) = unsafe { (&*progress, &*data.cast::<AtomicU64>()) };
    // SAFETY: as many results as the report says.
    let results = unsafe { std::slice::from_raw_parts(progress.results, progress.candidates) };
    assert_eq!(results.len(), 16);
    assert!(results[0].trials <= progress.trials);
    number.fetch_add(1, Ordering::Relaxed);
}

/// The trials that reports expect, and the switch that ends the rollout after some reports.
struct Expectations {
    trials: Vec<f64>,
    cancel: Handle<Cancel>,
}

unsafe extern "C" fn keep_expectations(progress: *const Progress, data: *mut c_void) {
    // SAFETY: the library passes a report that lives meanwhile, and the data that was given along.
    let (progress, seen) = unsafe { (&*progress, &mut *data.cast::<Expectations>()) };
    seen.trials.push(progress.expected_trials);
    if seen.trials.len() == 3 {
        // SAFETY: a handle.
        ok(unsafe { tavli_cancel_throw(seen.cancel.get()) });
    }
}

#[test]
fn without_a_number_of_trials_reports_expect_what_is_known() {
    let workers = workers(1, None);
    let expected = |stop: Stop| {
        let rollout = opening_31(&uniform(), &stop);
        let mut seen = Expectations { trials: Vec::new(), cancel: crate::support::cancel() };
        let (switch, data) = (seen.cancel.get(), (&raw mut seen).cast());
        // SAFETY: handles and variables that outlive the call; the place of the reason is NULL.
        ok(unsafe {
            tavli_rollout_play(rollout.get(), workers.get(), switch, Some(keep_expectations), data, null_mut())
        });
        seen.trials
    };
    let by_time = expected(stop(|stop| (stop.trials, stop.seconds) = (0, 100.0)));
    assert!(by_time.iter().all(|&trials| 0.0 < trials && trials < 1e12), "{by_time:?}");
    let by_jsd = expected(stop(|stop| (stop.trials, stop.jsd) = (0, 1e12)));
    assert!(by_jsd.iter().all(|&trials| trials == f64::INFINITY), "{by_jsd:?}");
}

#[test]
fn another_thread_watches_and_ends_a_rollout() {
    let rollout = opening_31(&uniform(), &trials(1 << 50));
    let workers = workers(2, None);
    let mut progress = std::mem::MaybeUninit::<Progress>::uninit();
    let mut buffer = Vec::<CandidateResult>::with_capacity(16);
    // SAFETY: a handle that no call is playing, and room for what is asked for.
    unsafe {
        let idle = tavli_rollout_poll(rollout.get(), progress.as_mut_ptr(), null_mut(), 0, null_mut());
        assert_eq!(idle, Status::Idle);
        assert_eq!(tavli_rollout_cancel(rollout.get()), Status::Idle);
    }
    let reports = AtomicU64::new(0);
    let mut reason = StopReason::Trials;
    std::thread::scope(|scope| {
        let (rollout, workers, reports) = (&rollout, &workers, &reports);
        let playing = scope.spawn(move || {
            let mut reason = StopReason::Trials;
            // SAFETY: handles and variables that outlive the call.
            ok(unsafe {
                tavli_rollout_play(
                    rollout.get(),
                    workers.get(),
                    null(),
                    Some(count_reports),
                    std::ptr::from_ref(reports).cast_mut().cast(),
                    &raw mut reason,
                )
            });
            reason
        });
        loop {
            let mut count = 0;
            // SAFETY: a handle, and room for 16 results and for a report.
            let status = unsafe {
                tavli_rollout_poll(rollout.get(), progress.as_mut_ptr(), buffer.as_mut_ptr(), 16, &raw mut count)
            };
            if status == Status::Ok {
                // SAFETY: with `Ok` both were written.
                let far = unsafe {
                    buffer.set_len(count);
                    progress.assume_init()
                };
                assert!(far.results.is_null() && far.candidates == 16);
                if buffer[0].trials > 0 {
                    break;
                }
            }
            std::thread::yield_now();
        }
        // SAFETY: a handle.
        ok(unsafe { tavli_rollout_cancel(rollout.get()) });
        reason = playing.join().expect("no panic");
    });
    assert_eq!(reason, StopReason::Cancelled);
    assert!(reports.load(Ordering::Relaxed) > 0);
    assert!(summary(&rollout).trials >= buffer[0].trials);
}
