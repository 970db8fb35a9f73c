//! The cube through C is the library's.

use std::ffi::{CStr, CString, c_char};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::ptr::{null, null_mut};

use crate::support::{Handle, cancel, last_error, ok, play, results, workers};
use flate2::read::GzDecoder;
use tavli::Position;
use tavli::cube::{self, CubeInPlay, CubeState, OutcomeProbabilities};
use tavli::rollout::{EndRulesRequest, RolloutRequest, Session};
use tavli::run::{Cpus, Pinning, Placement};
use tavli_capi::*;

/// The values in a place to which no call has written.
const NOTHING: CubeValues = CubeValues {
    no_double: 9.0,
    double_take: 9.0,
    double_pass: 9.0,
    cubeless: 9.0,
    action: [b'?' as c_char; TAVLI_ACTION_SIZE],
};

fn values(chances: [f64; 5], position: &CStr) -> Result<CubeValues, Status> {
    let mut values = NOTHING;
    // SAFETY: five numbers, a text, and room for values.
    match unsafe { tavli_cube_values(chances.as_ptr(), position.as_ptr(), &raw mut values) } {
        Status::Ok => Ok(values),
        status => Err(status),
    }
}

fn action(values: &CubeValues) -> &str {
    // SAFETY: an action ends with a zero.
    let action = unsafe { CStr::from_ptr(values.action.as_ptr()) };
    action.to_str().expect("ASCII")
}

fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).collect()
}

#[test]
fn values_and_actions_are_those_of_the_library() {
    let positions = [
        c"4HPwATDgc/ABMA:cAkAAAAAAAAE",
        c"XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10",
        c"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:0:0:7:10",
        c"4HPwATDgc/ABMA",
    ];
    for position in positions {
        for chances in [[0.7, 0.2, 0.01, 0.1, 0.0], [0.3, 0.05, 0.0, 0.2, 0.01], [1.0, 0.0, 0.0, 0.0, 0.0]] {
            let found = values(chances, position).expect("a position with a cube");
            let text = position.to_str().expect("ASCII");
            let read: Position = text.parse().expect("a position");
            let expected = cube::values(&read, &OutcomeProbabilities::new(chances).expect("chances")).expect("a cube");
            assert_eq!(found, CubeValues::from(expected), "{text}");
            assert_eq!(action(&found), expected.action.text());
        }
    }
}

#[test]
fn what_cannot_be_valued_is_named() {
    assert_eq!(values([0.5, 0.6, 0.0, 0.0, 0.0], c"4HPwATDgc/ABMA"), Err(Status::Settings));
    assert!(last_error().contains("are not chances"), "{}", last_error());
    assert_eq!(values([0.5, 0.0, 0.0, 0.0, 0.0], c"4HPwATDgc/ABM"), Err(Status::Position));
    let mut room = values([0.5, 0.0, 0.0, 0.0, 0.0], c"4HPwATDgc/ABMA").expect("values");
    let chances = [0.5, 0.0, 0.0, 0.0, 0.0];
    let text = c"4HPwATDgc/ABMA";
    // SAFETY: five numbers, a text, and room for values, or NULL in place of one of them.
    let statuses = unsafe {
        [
            tavli_cube_values(null(), text.as_ptr(), &raw mut room),
            tavli_cube_values(chances.as_ptr(), null(), &raw mut room),
            tavli_cube_values(chances.as_ptr(), text.as_ptr(), null_mut()),
        ]
    };
    assert_eq!(statuses, [Status::Pointer; 3]);
}

#[test]
fn many_positions_have_the_values_of_gnu_backgammon() {
    // See the README next to the file.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernel/cube/tests/data/eval_0ply.tsv.gz");
    let mut text = String::new();
    let file = File::open(path).expect("golden rows");
    GzDecoder::new(file).read_to_string(&mut text).expect("UTF-8");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().expect("a head").split('\t').collect();
    let place = |name: &str| columns.iter().position(|&column| column == name).expect("a column");
    let of_chances = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"].map(place);
    let [id, match_id, beavers, action_of] = ["position_id", "match_id", "beavers", "action"].map(place);
    let of_values = ["nd", "dt", "dp"].map(place);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    // A Match ID does not hold beavers; and in one position both sides hold a point.
    let text_of = |row: &[&str]| format!("{}:{}", row[id], row[match_id]);
    let is_possible = |row: &Vec<&str>| row[beavers] == "0" && text_of(row).parse::<Position>().is_ok();
    let rows: Vec<Vec<&str>> = rows.into_iter().filter(is_possible).collect();
    assert!(rows.len() > 3500, "{}", rows.len());
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let chances: Vec<[f64; 5]> = rows.iter().map(|row| of_chances.map(|column| number(row[column]))).collect();
    let texts: Vec<CString> = rows.iter().map(|row| CString::new(text_of(row)).expect("no zero")).collect();
    let mut found = vec![NOTHING; rows.len()];
    // SAFETY: chances, a text and room for values of each row.
    ok(unsafe {
        tavli_cube_values_many(chances.as_ptr().cast(), pointers(&texts).as_ptr(), rows.len(), found.as_mut_ptr())
    });
    let mut compared = 0;
    for ((row, found), text) in rows.iter().zip(&found).zip(&texts) {
        let expected = of_values.map(|column| number(row[column]));
        let values = [found.no_double, found.double_take, found.double_pass];
        for (value, expected) in values.iter().zip(expected) {
            let scale = expected.abs().max(1.0);
            assert!((value - expected).abs() < 1e-5 * scale, "{text:?}: {found:?}, not {expected}");
        }
        let is_close = |a: f64, b: f64| (a - b).abs() < 1e-4;
        let [nd, dt, dp] = expected;
        if !is_close(nd, dt) && !is_close(nd, dp) && !is_close(dt, dp) {
            compared += 1;
            assert_eq!(action(found), row[action_of], "{text:?}");
        }
    }
    assert!(compared > 2500, "{compared} actions compared");
}

#[test]
fn of_many_positions_the_bad_one_is_named() {
    let chances = [[0.5, 0.0, 0.0, 0.0, 0.0]; 2];
    let bad_chances = [chances[0], [0.5, 0.6, 0.0, 0.0, 0.0]];
    let opening = c"4HPwATDgc/ABMA".as_ptr();
    let good = [opening, opening];
    let mut room = [NOTHING; 2];
    let buffer = room.as_mut_ptr();
    for (chances, texts, status, message) in [
        (&bad_chances, good, Status::Settings, "position 1: [0.5, 0.6, 0.0, 0.0, 0.0] are not chances"),
        (&chances, [opening, null()], Status::Pointer, "position 1: the pointer 'texts' is NULL"),
        (&chances, [c"nonsense".as_ptr(), opening], Status::Position, "position 0: 'nonsense' is not a position"),
        (&chances, [opening, c"\xff".as_ptr()], Status::Text, "position 1: texts is not UTF-8 text: '\\xff'"),
        // The chances after a roll belong to another position.
        (
            &chances,
            [opening, c"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".as_ptr()],
            Status::Position,
            "position 1: a position is valued before its roll, and this one has the roll 31",
        ),
        // At 7-3 in a match to 7.
        (
            &chances,
            [opening, c"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:3:0:7:10".as_ptr()],
            Status::Position,
            "position 1: not the state of a game: the player on roll has 7 points in a match of 7",
        ),
    ] {
        // SAFETY: chances, texts and room for values of two positions.
        let found = unsafe { tavli_cube_values_many(chances.as_ptr().cast(), texts.as_ptr(), 2, buffer) };
        assert_eq!(found, status, "{}", last_error());
        assert!(last_error().starts_with(message), "{}", last_error());
    }
    // SAFETY: the pointers of variables, or NULL in place of one of them.
    let statuses = unsafe {
        [
            tavli_cube_values_many(null(), good.as_ptr(), 2, buffer),
            tavli_cube_values_many(chances.as_ptr().cast(), null(), 2, buffer),
            tavli_cube_values_many(chances.as_ptr().cast(), good.as_ptr(), 2, null_mut()),
        ]
    };
    assert_eq!(statuses, [Status::Pointer; 3]);
    assert_eq!(room, [NOTHING; 2], "nothing is stored");
}

/// A race, in a match to 7 and as a money game; the opening; and a finished game.
const TEXTS: [&CStr; 4] = [
    c"1e4AAFDbHQAAAA:cAngAFAAGAAE",
    c"1e4AAFDbHQAAAA",
    c"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10",
    c"0,0,0,0,0,0,-5,0,-3,0,0,0,0,-5,0,0,0,0,0,0,0,0,0,0,-2,0",
];

const UNVALUED: CubeEvaluation =
    CubeEvaluation { cubeless: Evaluation { probabilities: [9.0; 8], equity: 9.0 }, cube: NOTHING };

#[test]
fn positions_are_valued_with_their_own_cubes() {
    let texts = TEXTS.map(CStr::as_ptr);
    let workers = workers(1, None);
    let mut found = [UNVALUED; TEXTS.len()];
    let mut count = 0;
    // SAFETY: texts, a handle, and room for a value of each.
    let evaluate = |rules, texts: &[*const c_char], cancel, found: *mut CubeEvaluation, count: *mut usize| unsafe {
        let player = c"fast".as_ptr();
        tavli_evaluate_with_cube(texts.as_ptr(), texts.len(), player, rules, workers.get(), cancel, found, count)
    };
    ok(evaluate(0, &texts, null(), found.as_mut_ptr(), &raw mut count));
    assert_eq!(count, TEXTS.len());
    for (found, text) in found.iter().zip(TEXTS) {
        let CubeEvaluation { cubeless, cube } = found;
        let of = |outcomes: &[Outcome]| outcomes.iter().map(|&outcome| cubeless.probabilities[outcome as usize]).sum();
        let chances: [f64; 5] = [
            of(&[Outcome::WinSingle, Outcome::WinGammon, Outcome::WinBackgammon]),
            of(&[Outcome::WinGammon, Outcome::WinBackgammon]),
            of(&[Outcome::WinBackgammon]),
            of(&[Outcome::LoseGammon, Outcome::LoseBackgammon]),
            of(&[Outcome::LoseBackgammon]),
        ];
        if cubeless.equity == 3.0 {
            assert_eq!([cube.no_double, cube.double_take, cube.cubeless], [3.0; 3]);
            assert_eq!(action(cube), "Not available", "the game is over");
            continue;
        }
        let expected = values(chances, text).expect("a position with a cube");
        for (found, expected) in [
            (cube.no_double, expected.no_double),
            (cube.double_take, expected.double_take),
            (cube.double_pass, expected.double_pass),
            (cube.cubeless, expected.cubeless),
        ] {
            assert!((found - expected).abs() < 1e-12, "{text:?}: {cube:?}, not {expected}");
        }
        assert_eq!(action(cube), action(&expected));
    }
    assert_ne!(found[0].cube.no_double, found[1].cube.no_double);
    assert_eq!(action(&found[2].cube), "Double, take");

    let switch = cancel();
    // SAFETY: the switch belongs to a handle.
    ok(unsafe { tavli_cancel_throw(switch.get()) });
    for texts in [&texts[..], &[c"no position, and not read".as_ptr()]] {
        ok(evaluate(0, texts, switch.get(), found.as_mut_ptr(), &raw mut count));
        assert_eq!(count, 0);
    }
    let refused = |rules, texts: &[*const c_char]| {
        let mut room = [UNVALUED; TEXTS.len()];
        let status = evaluate(rules, texts, null(), room.as_mut_ptr(), null_mut());
        assert_eq!(room, [UNVALUED; TEXTS.len()]);
        (status, last_error())
    };
    let hypergammon = refused(Rules::Hypergammon as u32, &texts);
    assert_eq!(hypergammon.0, Status::Settings);
    assert!(hypergammon.1.contains("no efficiency of the cube"), "{}", hypergammon.1);
    for (text, message) in [
        (c"4HPwATDgc/ABM", "position 1: "),
        (c"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "position 1: a position is valued before its roll"),
    ] {
        let bad = refused(0, &[texts[0], text.as_ptr()]);
        assert_eq!(bad.0, Status::Position);
        assert!(bad.1.starts_with(message), "{}", bad.1);
    }
}

/// More than are valued between two looks at the switch.
#[test]
fn many_positions_are_valued_as_one() {
    const NUMBER: usize = (1 << 16) + 7;
    let workers = workers(1, None);
    let evaluate = |texts: &[*const c_char]| {
        let (mut found, mut count) = (vec![UNVALUED; texts.len()], 9);
        // SAFETY: texts, a handle, and room for a value of each.
        let status = unsafe {
            tavli_evaluate_with_cube(
                texts.as_ptr(),
                texts.len(),
                c"fast".as_ptr(),
                0,
                workers.get(),
                null(),
                found.as_mut_ptr(),
                &raw mut count,
            )
        };
        (status, found, count)
    };
    let (_, few, _) = evaluate(&TEXTS.map(CStr::as_ptr));
    let mut texts: Vec<*const c_char> = TEXTS.iter().cycle().take(NUMBER).map(|text| text.as_ptr()).collect();
    let (status, many, count) = evaluate(&texts);
    assert_eq!((status, count), (Status::Ok, NUMBER));
    assert!(many.iter().zip(few.iter().cycle()).all(|(one, other)| one == other));
    texts[NUMBER - 1] = c"no position".as_ptr();
    let (status, found, _) = evaluate(&texts);
    assert_eq!(status, Status::Position);
    assert!(last_error().starts_with(&format!("position {}: ", NUMBER - 1)), "{}", last_error());
    assert!(found.iter().all(|value| *value == UNVALUED), "nothing is stored");
}

fn with_cube(text: &CStr, stop: &Stop) -> Result<Handle<Rollout>, Status> {
    // SAFETY: a text, and pointers of variables.
    let make = |rollout| unsafe { tavli_rollout_with_cube(text.as_ptr(), null(), stop, null(), rollout) };
    Handle::new(make, tavli_rollout_free)
}

fn decision(rollout: &Handle<Rollout>) -> CubeDecision {
    let mut decision = std::mem::MaybeUninit::uninit();
    // SAFETY: a handle, and room for a decision, which is written with `Ok`.
    unsafe {
        ok(tavli_rollout_cube(rollout.get(), decision.as_mut_ptr()));
        decision.assume_init()
    }
}

#[test]
fn rollouts_with_the_cube_are_those_of_the_library() {
    let stop = Stop { trials: 72, ..tavli_stop_default() };
    let machine = workers(1, None);
    let placement = Placement::new(&Cpus::allowed(), Pinning::CORES, None).expect("a placement");
    let of_library = tavli::run::Workers::start(&placement).expect("workers");
    for text in &TEXTS[..2] {
        let position: Position = text.to_str().expect("ASCII").parse().expect("a position");
        let cube = CubeInPlay { state: CubeState::from_context(position.context()).expect("a cube"), efficiency: None };
        let request = RolloutRequest {
            cube: Some(cube),
            end_rules: EndRulesRequest { trials: Some(72), ..EndRulesRequest::default() },
            ..RolloutRequest::default()
        };
        let mut expected = request.rollout(&position).expect("a rollout");
        Session::default().play(&mut expected, &of_library, |_| ()).expect("it is not saved");
        let of_c = with_cube(text, &stop).expect("a rollout");
        let before = decision(&of_c);
        assert!(before.no_double.mean.is_nan() && action(&before.values).is_empty());
        play(&of_c, &machine).expect("it is played");
        let found = decision(&of_c);
        let expected_decision = expected.cube_decision().expect("a decision");
        assert_eq!(found.no_double, expected_decision.no_double.into());
        let double_take = expected_decision.double_take.expect("a cube that may be turned");
        assert_eq!(found.double_take, double_take.into());
        assert_eq!(found.values, expected_decision.values.into());
        let results = results(&of_c).expect("results");
        assert_eq!(results.len(), 2);
        for result in &results {
            let of_choice = [found.no_double, found.double_take][result.candidate as usize];
            assert_eq!(result.cubeful, of_choice);
        }
        let mut summary = std::mem::MaybeUninit::<Summary>::uninit();
        // SAFETY: a handle, and room for a summary, which is written with `Ok`.
        let summary = unsafe {
            ok(tavli_rollout_summary(of_c.get(), summary.as_mut_ptr()));
            summary.assume_init()
        };
        assert_eq!((summary.has_cube, summary.candidates), (1, 2));
    }
}

#[test]
fn plays_and_cubes_that_cannot_be_turned_have_no_decision_or_half_of_one() {
    let stop = Stop { trials: 36, ..tavli_stop_default() };
    let machine = workers(1, None);
    // The dice of an XGID, and a cube of the opponent.
    let plays = with_cube(c"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", &stop).expect("a rollout");
    play(&plays, &machine).expect("it is played");
    let found = results(&plays).expect("results");
    assert_eq!(found.len(), 16);
    assert!(found.is_sorted_by(|a, b| a.cubeful.mean >= b.cubeful.mean), "ranked with the cube");
    assert!(decision(&plays).values.no_double.is_nan());
    let owned = with_cube(c"XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10", &stop).expect("a rollout");
    play(&owned, &machine).expect("it is played");
    let owned = decision(&owned);
    assert!(owned.double_take.mean.is_nan() && owned.no_double.standard_error > 0.0);
    assert_eq!(action(&owned.values), "Not available");
    let refused = |text: &CStr, stop: &Stop| {
        let status = with_cube(text, stop).expect_err("it cannot be rolled out");
        (status, last_error())
    };
    let (status, message) = refused(c"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:3:0:7:10", &stop);
    assert_eq!(status, Status::Position);
    assert!(message.contains("the match is over"), "{message}");
    let races = Stop { allocation: Allocation::JsdRace as u32, ..stop };
    let (status, message) = refused(TEXTS[0], &races);
    assert_eq!(status, Status::Settings);
    assert!(message.contains("plays no double and double, take to the end"), "{message}");
    // SAFETY: NULL, and pointers of variables.
    unsafe {
        let mut made = null_mut();
        assert_eq!(tavli_rollout_with_cube(null(), null(), null(), null(), &raw mut made), Status::Pointer);
        let text = TEXTS[0].as_ptr();
        assert_eq!(tavli_rollout_with_cube(text, null(), null(), null(), null_mut()), Status::Pointer);
        assert_eq!(tavli_rollout_cube(null(), null_mut()), Status::Pointer);
    }
}
