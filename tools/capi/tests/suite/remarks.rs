//! Remarks of calls that succeed.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use crate::support::{Handle, last_remarks, ok, opening, points, workers};
use tavli::{Position, RuleSet};
use tavli_capi::*;

/// A text with the mark of the Crawford game at 4-2 in a match to 7, where nobody is one point from winning.
const NO_CRAWFORD_GAME: &CStr = c"XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10";

fn read(text: &CStr) -> String {
    let mut numbers = [0; 26];
    // SAFETY: a text, and room for 26 numbers.
    ok(unsafe { tavli_position_read(text.as_ptr(), numbers.as_mut_ptr()) });
    last_remarks()
}

#[test]
fn texts_that_contradict_themselves_are_remarked_on() {
    assert_eq!(last_remarks(), "");
    let text = NO_CRAWFORD_GAME.to_str().expect("ASCII");
    let remark = Position::read(text).expect("a position").remark.expect("a remark");
    let expected = format!("'{text}': {remark}");
    assert_eq!(read(NO_CRAWFORD_GAME), expected);
    // They belong to the last call, whether it succeeds or fails.
    assert_eq!(read(c"4HPwATDgc/ABMA"), "");
    assert_eq!(read(NO_CRAWFORD_GAME), expected);
    // SAFETY: no pointer is read if one is NULL.
    unsafe { tavli_position_read(null(), null_mut()) };
    assert_eq!(last_remarks(), "");
    // A call that fails keeps no remark.
    let (chances, texts) = ([[0.5, 0.0, 0.0, 0.0, 0.0]; 2], [NO_CRAWFORD_GAME.as_ptr(), c"no position".as_ptr()]);
    let mut values = Vec::with_capacity(2);
    // SAFETY: five numbers and a text for each position, and room for as many values.
    let status = unsafe { tavli_cube_values_many(chances.as_ptr().cast(), texts.as_ptr(), 2, values.as_mut_ptr()) };
    assert_eq!((status, last_remarks()), (Status::Position, String::new()));
    // One text twice is remarked on once.
    let chances = [[0.5, 0.0, 0.0, 0.0, 0.0]; 2];
    let texts: [*const c_char; 2] = [NO_CRAWFORD_GAME.as_ptr(); 2];
    let mut values = Vec::with_capacity(2);
    // SAFETY: five numbers and a text for each position, and room for as many values.
    ok(unsafe { tavli_cube_values_many(chances.as_ptr().cast(), texts.as_ptr(), 2, values.as_mut_ptr()) });
    assert_eq!(last_remarks(), expected);
    let other = std::thread::spawn(last_remarks);
    assert_eq!(other.join().expect("no panic"), "");
}

#[test]
fn rules_that_a_player_has_not_learned_are_remarked_on() {
    let workers = workers(1, None);
    let remark = tavli::named::remark_on_values("fast", RuleSet::Hypergammon).expect("a remark");
    let evaluate = |rules: Rules, start: &[i32; 26]| {
        let mut value = Vec::with_capacity(1);
        // SAFETY: 26 numbers, a text, workers, and room for a value.
        ok(unsafe {
            tavli_evaluate(
                start,
                1,
                c"fast".as_ptr(),
                rules as u32,
                workers.get(),
                null(),
                value.as_mut_ptr(),
                null_mut(),
            )
        });
        last_remarks()
    };
    let start = points(&RuleSet::Hypergammon.start());
    assert_eq!(evaluate(Rules::Hypergammon, &start), remark);
    assert_eq!(evaluate(Rules::Backgammon, &opening()), "");
    let settings = Settings {
        rules: Rules::Hypergammon as u32,
        evaluator: c"fast".as_ptr(),
        truncate: 3,
        ..crate::support::uniform()
    };
    let begin = |rollout| {
        // SAFETY: 26 numbers, settings, and a place for a handle.
        unsafe { tavli_rollout_of_position(start.as_ptr(), &raw const settings, null(), null(), rollout) }
    };
    let rollout = Handle::new(begin, tavli_rollout_free).expect("a rollout");
    assert_eq!(last_remarks(), remark);
    // Saved and read again, too.
    let mut json = vec![0_u8; 1 << 16];
    // SAFETY: a handle, and room for a text.
    ok(unsafe { tavli_rollout_to_json(rollout.get(), json.as_mut_ptr().cast(), json.len(), null_mut()) });
    assert_eq!(last_remarks(), "");
    // SAFETY: a text, and a place for a handle.
    let read = |rollout| unsafe { tavli_rollout_from_json(json.as_ptr().cast(), null(), rollout) };
    let read = Handle::new(read, tavli_rollout_free).expect("a rollout");
    assert_eq!(last_remarks(), remark);
    drop((rollout, read));
}

#[test]
fn a_cube_and_a_score_that_games_ignore_are_remarked_on() {
    let read = |game: &CStr, text: &CStr| {
        // SAFETY: texts, and a place for a handle.
        let read = |position| unsafe { tavli_any_position_read(game.as_ptr(), null(), text.as_ptr(), position) };
        let position = Handle::new(read, tavli_any_position_free).expect("a position");
        let remarks = last_remarks();
        drop(position);
        remarks
    };
    let remark = "the position's cube and score are ignored: its games count points without them";
    assert_eq!(read(c"backgammon", c"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10"), remark);
    assert_eq!(read(c"backgammon", c"XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10"), remark);
    assert_eq!(read(c"backgammon", c"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"), "");
    assert_eq!(read(c"draughts", c"W:W31:B1"), "");
}

#[test]
fn searches_with_few_simulations_or_biased_by_strangers_to_the_rules_are_remarked_on() {
    let workers = workers(1, None);
    let search = |settings: SearchSettings, start: &[i32; 26]| {
        let run = |search| {
            // SAFETY: 26 numbers, settings, workers, and a place for a handle.
            unsafe {
                tavli_search_run(
                    start.as_ptr(),
                    3,
                    1,
                    &raw const settings,
                    workers.get(),
                    null(),
                    None,
                    null_mut(),
                    search,
                )
            }
        };
        let search = Handle::new(run, tavli_search_free).expect("a search");
        let remarks = last_remarks();
        drop(search);
        remarks
    };
    let simulations = |simulations| SearchSettings { simulations, ..tavli_search_settings_default() };
    let few = search(simulations(16), &opening());
    assert!(few.starts_with("16 simulations for 16 trees, each of which tries all of 16 plays"), "{few}");
    assert_eq!(search(simulations(1000), &opening()), "");
    let biased = SearchSettings { rules: Rules::Hypergammon as u32, bias: 1.0, ..simulations(1000) };
    let remark = tavli::named::remark_on_values("fast", RuleSet::Hypergammon).expect("a remark");
    assert_eq!(search(biased, &points(&RuleSet::Hypergammon.start())), remark);
}
