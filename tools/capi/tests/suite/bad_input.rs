//! Whatever the caller passes, calls return errors that say what was wrong, and nothing crashes.

use std::ffi::{CString, c_char, c_int};
use std::ptr::{dangling, dangling_mut, null, null_mut};

use crate::support::{Handle, cancel, last_error, ok, opening, opening_31, play, uniform, workers};
use tavli_capi::*;

/// Inputs of each kind.
const INPUTS: usize = 10_000;

/// Numbers that look random: SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.below(most + 1);
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// A text: random bytes, or one of these with some bytes changed.
    fn text(&mut self, originals: &[&str]) -> CString {
        let mut bytes = if self.below(4) == 0 {
            self.bytes(300)
        } else {
            originals[self.below(originals.len())].as_bytes().to_vec()
        };
        for _ in 0..self.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = self.below(bytes.len());
            match self.below(4) {
                0 => bytes[at] = self.next() as u8,
                1 => bytes[at] = b"0123456789:-/= aAoOzZ"[self.below(21)],
                2 => bytes.truncate(at),
                _ => bytes.insert(at, b'0' + self.below(10) as u8),
            }
        }
        bytes.retain(|&byte| byte != 0);
        CString::new(bytes).expect("no zero")
    }

    /// 26 numbers: mostly small ones, sometimes any.
    fn points(&mut self) -> [c_int; 26] {
        let mut points = if self.below(2) == 0 { opening() } else { [0; 26] };
        for _ in 0..self.below(3) {
            points[self.below(26)] = match self.below(4) {
                0 => self.next() as c_int,
                _ => self.below(33) as c_int - 16,
            };
        }
        points
    }

    /// Settings from bytes: any, or the default with one member changed.
    fn settings(&mut self) -> Settings {
        let mut settings = uniform();
        match self.below(8) {
            0 => settings.size = self.next() as u32,
            1 => settings.version = self.next() as u32,
            2 => settings.rules = self.below(4) as u32,
            3 => settings.first_roll = self.below(70) as u32,
            4 => settings.truncate = self.next() as u32,
            5 => settings.seed = self.next(),
            _ => {
                settings.rules = self.next() as u32;
                settings.first_roll = self.next() as u32;
            }
        }
        settings
    }

    fn stop(&mut self) -> Stop {
        let mut stop = tavli_stop_default();
        let any = f64::from_bits(self.next());
        match self.below(7) {
            0 => stop.size = self.next() as u32,
            1 => stop.version = self.next() as u32,
            2 => stop.trials = self.next(),
            3 => stop.trials = 0,
            4 => stop.standard_error = any,
            5 => stop.jsd = any,
            _ => stop.seconds = any,
        }
        stop
    }
}

/// Expects success, or an error with words.
fn answered(status: Status) -> bool {
    if status == Status::Ok {
        return true;
    }
    assert_ne!(status, Status::Panic, "{}", last_error());
    assert!(!last_error().is_empty());
    false
}

#[test]
fn random_texts_as_positions() {
    let originals = [
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:cAkAAAAAAAAE",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        "0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0",
        "board:You:Opponent:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1",
    ];
    let mut numbers = Numbers(1);
    let mut read = 0;
    for _ in 0..INPUTS {
        let text = numbers.text(&originals);
        let mut points = [99; 26];
        // SAFETY: a text, and room for 26 numbers.
        let status = unsafe { tavli_position_read(text.as_ptr(), points.as_mut_ptr()) };
        if answered(status) {
            read += 1;
        } else {
            assert_eq!(points, [99; 26], "nothing is stored");
        }
        let mut buffer = [0 as c_char; 256];
        let (format, capacity) = (numbers.below(7) as u32, numbers.below(257));
        // SAFETY: the buffer is at least as large as it is said to be.
        let status =
            unsafe { tavli_position_convert(text.as_ptr(), format, buffer.as_mut_ptr(), capacity, null_mut()) };
        answered(status);
    }
    assert!(read > INPUTS / 20 && read < INPUTS * 19 / 20, "{read}");
}

#[test]
fn random_numbers_as_positions_and_settings() {
    let workers = workers(1, None);
    let thrown = cancel();
    // SAFETY: a handle.
    ok(unsafe { tavli_cancel_throw(thrown.get()) });
    let mut numbers = Numbers(2);
    let mut made = 0;
    for _ in 0..INPUTS {
        let (points, settings, stop) = (numbers.points(), numbers.settings(), numbers.stop());
        let stop = match numbers.below(3) {
            0 => &raw const stop,
            _ => null(),
        };
        let (die, other) = (numbers.below(8) as c_int, numbers.next() as c_int % 8);
        let mut count = 0;
        let mut tally = std::mem::MaybeUninit::<Tally>::uninit();
        // SAFETY: every pointer belongs to a handle or a variable; what is thrown lets nothing be played.
        let rollout = unsafe {
            let rules = settings.rules;
            if answered(tavli_plays_count(points.as_ptr(), die, other, rules, &raw mut count)) {
                let mut plays = Vec::<Play>::with_capacity(count);
                let buffer = plays.as_mut_ptr();
                ok(tavli_plays(points.as_ptr(), die, other, rules, buffer, count, null_mut()));
            }
            answered(tavli_playouts(
                points.as_ptr(),
                &raw const settings,
                numbers.next(),
                numbers.next() >> numbers.below(64),
                workers.get(),
                thrown.get(),
                None,
                null_mut(),
                tally.as_mut_ptr(),
            ));
            let by_plays = numbers.below(2) == 0;
            Handle::new(
                |rollout| {
                    if by_plays {
                        let settings = &raw const settings;
                        tavli_rollout_of_plays(points.as_ptr(), die, other, settings, stop, null(), rollout)
                    } else {
                        let settings = &raw const settings;
                        tavli_rollout_of_position(points.as_ptr(), settings, stop, null(), rollout)
                    }
                },
                tavli_rollout_free,
            )
        };
        match rollout {
            Ok(rollout) => {
                made += 1;
                let mut reason = StopReason::Trials;
                // SAFETY: every pointer belongs to a handle or a variable.
                ok(unsafe {
                    tavli_rollout_play(rollout.get(), workers.get(), thrown.get(), None, null_mut(), &raw mut reason)
                });
                assert_eq!(reason, StopReason::Cancelled);
            }
            Err(status) => assert!(!answered(status)),
        }
    }
    assert!(made > INPUTS / 50, "{made}");
}

#[test]
fn random_texts_as_records() {
    let stop = Stop { trials: 40, ..tavli_stop_default() };
    let settings = Settings { first_roll: 0, ..uniform() };
    let rollout = opening_31(&settings, &stop);
    play(&rollout, &workers(1, None)).expect("played");
    let mut json = vec![0_u8; 1 << 20];
    // SAFETY: the buffer is as large as it is said to be.
    ok(unsafe { tavli_rollout_to_json(rollout.get(), json.as_mut_ptr().cast(), json.len(), null_mut()) });
    let json = CString::from_vec_with_nul(json[..=json.iter().position(|&b| b == 0).expect("an end")].to_vec());
    let json = json.expect("a text").into_string().expect("UTF-8");
    let mut numbers = Numbers(3);
    for _ in 0..INPUTS {
        let text = numbers.text(&[&json]);
        // SAFETY: a text and a variable.
        let make = |rollout| unsafe { tavli_rollout_from_json(text.as_ptr(), null(), rollout) };
        match Handle::new(make, tavli_rollout_free) {
            Ok(_) => assert_eq!(text.to_str(), Ok(json.as_str())),
            Err(status) => assert!(!answered(status)),
        }
    }
}

#[test]
fn random_names_of_tiers_and_pinnings() {
    let mut numbers = Numbers(4);
    for _ in 0..INPUTS / 10 {
        let pinning = numbers.text(&["none", "cores", "numa:spread:no-smt", "spread", "0", "0,2-5"]);
        let tier = numbers.text(&["avx512", "x86-64-v4", "avx2", "portable"]);
        let threads = 1 + numbers.below(3) as u32;
        let (pinning, tier) = (pinning.as_ptr(), tier.as_ptr());
        // SAFETY: texts and a variable.
        let make = |workers| unsafe { tavli_workers_start(threads, pinning, tier, workers) };
        if let Err(status) = Handle::new(make, tavli_workers_free) {
            assert!(!answered(status));
        }
    }
    // SAFETY: a variable.
    let make = |workers| unsafe { tavli_workers_start(5000, null(), null(), workers) };
    assert_eq!(Handle::new(make, tavli_workers_free).err(), Some(Status::Workers));
    assert!(last_error().contains("5000 threads"), "{}", last_error());
    let long = CString::new("y".repeat(100_000)).expect("a text");
    for (pinning, said) in [(c"\x1b[31mx\x07", r"'\u{1b}[31mx\u{7}' is not a way to pin"), (long.as_c_str(), "yyy")] {
        // SAFETY: a text and a variable.
        let make = |workers| unsafe { tavli_workers_start(1, pinning.as_ptr(), null(), workers) };
        assert_eq!(Handle::new(make, tavli_workers_free).err(), Some(Status::Workers));
        let error = last_error();
        assert!(error.contains(said) && error.len() < 3000, "{error}");
    }
}

/// Expects a pointer to be refused by its name.
#[track_caller]
fn refused(status: Status, expected: &str) {
    assert_eq!(status, Status::Pointer, "{expected}");
    assert!(last_error().starts_with(&format!("the pointer '{expected}' is ")), "{}", last_error());
}

#[test]
fn every_pointer_is_checked() {
    let points = opening();
    let points = points.as_ptr();
    let text = c"4HPwATDgc/ABMA".as_ptr();
    let workers = workers(1, None);
    let workers = workers.get();
    let rollout = opening_31(&uniform(), &tavli_stop_default());
    let rollout = rollout.get();
    let mut size = 0;
    let mut play = Play { points: [0; 26], moves: [0; 32] };
    let mut tally = std::mem::MaybeUninit::<Tally>::uninit();
    let tally = tally.as_mut_ptr();
    let off = |pointer: *const c_int| pointer.cast::<u8>().wrapping_add(1).cast::<c_int>();
    // SAFETY: all other pointers belong to handles and variables, and the bad ones are refused.
    unsafe {
        refused(tavli_position_read(null(), off(points).cast_mut()), "points");
        refused(tavli_position_read(text, null_mut()), "points");
        let mut read = [0; 26];
        refused(tavli_position_read(null(), read.as_mut_ptr()), "text");
        refused(tavli_position_write(null(), 0, null_mut(), 0, null_mut()), "points");
        refused(tavli_position_write(off(points), 0, null_mut(), 0, null_mut()), "points");
        refused(tavli_position_write(points, 0, null_mut(), 99, null_mut()), "buffer");
        refused(tavli_position_convert(null(), 0, null_mut(), 0, null_mut()), "text");
        refused(tavli_plays_count(null(), 3, 1, 0, &raw mut size), "points");
        refused(tavli_plays_count(points, 3, 1, 0, null_mut()), "count");
        refused(tavli_plays(null(), 3, 1, 0, &raw mut play, 1, null_mut()), "points");
        refused(tavli_plays(points, 3, 1, 0, null_mut(), 99, null_mut()), "buffer");
        refused(tavli_cancel_new(null_mut()), "cancel");
        refused(tavli_cancel_throw(null()), "cancel");
        refused(tavli_workers_start(1, null(), null(), null_mut()), "workers");
        refused(tavli_workers_count(null(), &raw mut size), "workers");
        refused(tavli_workers_count(workers, null_mut()), "count");
        refused(tavli_workers_tier(null(), null_mut(), 0, null_mut()), "workers");
        refused(tavli_workers_tier(workers, null_mut(), 99, null_mut()), "buffer");
        let playouts = |points, settings: *const u8, workers, cancel: *const u8, tally| {
            let (settings, cancel) = (settings.cast(), cancel.cast());
            tavli_playouts(points, settings, 0, 1, workers, cancel, None, null_mut(), tally)
        };
        let odd = dangling::<u8>();
        refused(playouts(null(), null(), workers, null(), tally), "points");
        refused(playouts(points, odd, workers, null(), tally), "settings");
        refused(playouts(points, null(), null(), null(), tally), "workers");
        refused(playouts(points, null(), workers, odd, tally), "cancel");
        refused(playouts(points, null(), workers, null(), null_mut()), "tally");
        let mut made = null_mut();
        refused(tavli_rollout_merge((&raw const rollout).cast(), usize::MAX, &raw mut made), "parts");
        let (many, buffer) = (1 << 59, dangling_mut());
        let (cancel, count, data) = (null(), null_mut(), null_mut());
        let played = tavli_playout_games(points, null(), 0, many, workers, cancel, None, data, buffer, count);
        assert_eq!(played, Status::Settings);
        let said = "576460752303423488 games take 9223372036854775808 bytes of memory, more than there are";
        assert!(last_error().starts_with(said), "{}", last_error());
        let of_position = |points, settings: *const u8, stop: *const u8, rollout| {
            tavli_rollout_of_position(points, settings.cast(), stop.cast(), null(), rollout)
        };
        refused(of_position(null(), null(), null(), &raw mut made), "points");
        refused(of_position(points, odd, null(), &raw mut made), "settings");
        refused(of_position(points, null(), odd, &raw mut made), "stop");
        refused(of_position(points, null(), null(), null_mut()), "rollout");
        let no = null();
        refused(tavli_rollout_of_plays(null(), 3, 1, no, null(), null(), &raw mut made), "points");
        refused(tavli_rollout_of_plays(points, 3, 1, no, null(), null(), null_mut()), "rollout");
        let of_candidates = |points, plays, rollout| {
            tavli_rollout_of_candidates(points, 3, 1, plays, 1, null(), null(), null(), rollout)
        };
        refused(of_candidates(null(), &raw const play, &raw mut made), "points");
        refused(of_candidates(points, null(), &raw mut made), "plays");
        refused(of_candidates(points, &raw const play, null_mut()), "rollout");
        refused(tavli_rollout_from_json(null(), null(), &raw mut made), "json");
        refused(tavli_rollout_from_json(text, null(), null_mut()), "rollout");
        refused(tavli_rollout_to_json(null(), null_mut(), 0, null_mut()), "rollout");
        refused(tavli_rollout_to_json(rollout, null_mut(), usize::MAX, null_mut()), "buffer");
        let play_it = |rollout, workers, reason| tavli_rollout_play(rollout, workers, null(), None, null_mut(), reason);
        refused(play_it(null(), workers, null_mut()), "rollout");
        refused(play_it(rollout, null(), null_mut()), "workers");
        refused(play_it(rollout, workers, dangling_mut::<u8>().cast()), "reason");
        refused(tavli_rollout_until(null(), null()), "rollout");
        refused(tavli_rollout_until(rollout, odd.cast()), "stop");
        refused(tavli_rollout_summary(null(), dangling_mut()), "rollout");
        refused(tavli_rollout_summary(rollout, null_mut()), "summary");
        refused(tavli_rollout_results(null(), null_mut(), 0, null_mut()), "rollout");
        refused(tavli_rollout_results(rollout, null_mut(), 99, null_mut()), "buffer");
        refused(tavli_rollout_candidate(null(), 0, &raw mut play), "rollout");
        refused(tavli_rollout_candidate(rollout, 0, null_mut()), "play");
        assert!(made.is_null());
        tavli_cancel_free(null_mut());
        tavli_workers_free(null_mut());
        tavli_rollout_free(null_mut());
    }
}

#[test]
fn errors_say_what_was_wrong() {
    let points = opening();
    let mut buffer = [0 as c_char; 8];
    let mut rollout = null_mut();
    let settings = |change: fn(&mut Settings)| {
        let mut settings = tavli_settings_default();
        change(&mut settings);
        settings
    };
    let stop = |change: fn(&mut Stop)| {
        let mut stop = tavli_stop_default();
        change(&mut stop);
        stop
    };
    let far = {
        let mut points = points;
        points[3] = 300;
        points
    };
    let no_play = Play { points, moves: [0; 32] };
    let mut play = no_play;
    let existing = opening_31(&uniform(), &tavli_stop_default());
    // SAFETY: every pointer belongs to a handle or a variable.
    unsafe {
        let of_position = |points: &[c_int; 26], settings: Settings, stop: Stop, rollout: *mut *mut Rollout| {
            tavli_rollout_of_position(points.as_ptr(), &raw const settings, &raw const stop, null(), rollout)
        };
        let of_candidates = |count: usize, rollout: *mut *mut Rollout| {
            let (points, play) = (points.as_ptr(), &raw const no_play);
            tavli_rollout_of_candidates(points, 3, 1, play, count, null(), null(), null(), rollout)
        };
        let plain = tavli_settings_default;
        let usual = tavli_stop_default;
        let made = &raw mut rollout;
        let cases: [(&dyn Fn() -> Status, Status, &str); 17] = [
            (
                &|| tavli_position_read(c"\xff".as_ptr(), [0; 26].as_mut_ptr()),
                Status::Text,
                "text is not UTF-8 text: '\\xff'",
            ),
            (
                &|| tavli_position_read(c"start".as_ptr(), [0; 26].as_mut_ptr()),
                Status::Position,
                "'start' is not a position",
            ),
            (&|| of_position(&far, plain(), usual(), made), Status::Position, "'300' at index 3"),
            (
                &|| tavli_position_write(points.as_ptr(), 5, null_mut(), 0, null_mut()),
                Status::Position,
                "invalid format 5",
            ),
            (&|| tavli_plays_count(points.as_ptr(), 7, 1, 0, &mut 0), Status::Roll, "not 7"),
            (&|| tavli_plays_count(points.as_ptr(), 3, -1, 0, &mut 0), Status::Roll, "not -1"),
            (
                &|| tavli_plays_count(points.as_ptr(), 3, 1, 6, &mut 0),
                Status::Settings,
                "rules are TavliRules, 0 to 5, not 6",
            ),
            (
                &|| of_position(&points, settings(|s| s.size = 24), usual(), made),
                Status::Settings,
                "'settings' has 24 bytes and version 3; this library takes 64 bytes and version 3",
            ),
            (&|| of_position(&points, settings(|s| s.version = 1), usual(), made), Status::Settings, "version 1"),
            (&|| of_position(&points, settings(|s| s.first_roll = 17), usual(), made), Status::Settings, "not 17"),
            (&|| of_position(&points, plain(), stop(|s| s.size = 0), made), Status::Settings, "'stop' has 0 bytes"),
            (&|| of_position(&points, plain(), stop(|s| s.seconds = -1.0), made), Status::Settings, "not -1"),
            (
                &|| of_position(&points, plain(), stop(|s| s.jsd = 1.0), made),
                Status::Settings,
                "at least two candidates",
            ),
            (
                &|| of_position(&points, plain(), stop(|s| s.race_jsd = 5.0), made),
                Status::Settings,
                "race_jsd is 5, which only TAVLI_ALLOCATION_JSD_RACE obeys",
            ),
            (&|| of_candidates(1, made), Status::Candidate, "4HPwATDgc/ABMA is not the position after a play of 31"),
            (&|| of_candidates(0, made), Status::Candidate, "0 candidates"),
            (&|| tavli_rollout_from_json(c"{}".as_ptr(), null(), made), Status::Record, "not a record of a rollout"),
        ];
        for (call, status, expected) in cases {
            assert_eq!(call(), status, "{expected}");
            assert!(last_error().contains(expected), "{}", last_error());
        }
        assert!(rollout.is_null());
        let mut size = 0;
        let buffer = buffer.as_mut_ptr();
        assert_eq!(tavli_position_write(points.as_ptr(), 0, buffer, 8, &raw mut size), Status::Buffer);
        assert_eq!(size, 15);
        assert_eq!(tavli_rollout_candidate(existing.get(), 16, &raw mut play), Status::Index);
        assert!(last_error().contains("no candidate 16"), "{}", last_error());
    }
}
