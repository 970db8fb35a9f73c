//! Policies and evaluators through C: whoever plays, the numbers are the library's.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::{null, null_mut};

use crate::support::{Handle, NOTHING, last_error, ok, opening, opening_31, play, points, results, tally, workers};
use tavli::evaluators;
use tavli::policies::{Observer, PolicyPair, built_in};
use tavli::rollout::{self, EndRulesRequest, RolloutRequest};
use tavli::run::{Cpus, Pinning, Placement};
use tavli::{Board, NO_STOP, Playouts, Position, RuleSet, Tier};
use tavli_capi::*;

const GAMES: usize = 60;

/// The pairs of names that settings may have, and what they mean in playouts.
const NAMES: [([Option<&CStr>; 2], [&str; 2]); 4] = [
    ([None, None], ["uniform", "uniform"]),
    ([Some(c"pubeval"), None], ["pubeval", "pubeval"]),
    ([None, Some(c"pubeval")], ["uniform", "pubeval"]),
    ([Some(c"pubeval"), Some(c"uniform")], ["pubeval", "uniform"]),
];

fn settings([policy, opponent]: [Option<&CStr>; 2]) -> Settings {
    let name = |name: Option<&CStr>| name.map_or(null(), CStr::as_ptr);
    Settings { seed: 5, policy: name(policy), policy_opponent: name(opponent), ..tavli_settings_default() }
}

fn players(names: [&str; 2]) -> PolicyPair {
    let [policy, opponent] = names.map(|name| built_in(name).expect("a policy"));
    PolicyPair::new(policy, opponent)
}

fn playouts(board: Board) -> Playouts {
    Playouts::new(board, RuleSet::Backgammon, 5).expect("games")
}

#[test]
fn playouts_are_those_of_the_library() {
    let workers = workers(2, None);
    for (names, meaning) in NAMES {
        let settings = settings(names);
        let tally = tally(&opening(), &settings, (7, GAMES as u64), &workers, None).expect("games");
        let mut games = [PlayedGame { outcome: 9, plies: 0 }; GAMES];
        // SAFETY: handles and variables; the games have room for as many as are asked for.
        unsafe {
            ok(tavli_playout_games(
                opening().as_ptr(),
                &raw const settings,
                7,
                GAMES,
                workers.get(),
                null(),
                None,
                null_mut(),
                games.as_mut_ptr(),
                null_mut(),
            ));
        }
        let mut records = Vec::new();
        let numbers = 7..7 + GAMES as u64;
        let (start, recording) = (playouts(Board::START), Observer::collecting(&mut records));
        let expected = players(meaning).run_observed(&start, Tier::Portable, numbers, recording, NO_STOP);
        let expected = expected.unwrap();
        assert_eq!(tally.outcomes[..6], expected.tally.outcomes, "{meaning:?}");
        assert_eq!(u128::from(tally.plies), expected.tally.plies);
        let expected: Vec<PlayedGame> = records
            .iter()
            .map(|record| PlayedGame {
                outcome: record.outcome.map_or(-1, |outcome| outcome as i32),
                plies: record.plies,
            })
            .collect();
        assert_eq!(games[..], expected, "{meaning:?}");
    }
}

#[test]
fn playouts_of_many_positions_are_those_of_each_alone() {
    let boards = ["4HPwATDgc/ABMA", "7e4OAABtdw8AAA", "AICqqgCoqqqqAA"];
    let boards = boards.map(|id| Board::from_position_id(id).expect("a position"));
    let positions: Vec<[c_int; 26]> = boards.iter().map(points).collect();
    for (names, meaning) in NAMES {
        let settings = settings(names);
        let mut tallies = [NOTHING; 3];
        // SAFETY: handles, and room for a tally of each position.
        ok(unsafe {
            tavli_playouts_many(
                positions.as_ptr(),
                positions.len(),
                &raw const settings,
                0,
                9,
                workers(2, None).get(),
                null(),
                None,
                null_mut(),
                tallies.as_mut_ptr(),
                null_mut(),
            )
        });
        for (tally, board) in tallies.iter().zip(boards) {
            let alone = players(meaning).run(&playouts(board), Tier::best(), 0..9, NO_STOP).unwrap();
            assert_eq!(tally.outcomes[..6], alone.tally.outcomes, "{meaning:?}");
            assert_eq!(u128::from(tally.plies), alone.tally.plies);
        }
    }
}

/// The command's request by the same names.
fn request(names: [&str; 2], trials: u64) -> RolloutRequest {
    RolloutRequest {
        roll: Some("31".parse().expect("a roll")),
        settings: rollout::PlayoutSettings { seed: 5, ..rollout::PlayoutSettings::default() },
        players: Some(players(names)),
        end_rules: EndRulesRequest { trials: Some(trials), ..EndRulesRequest::default() },
        ..RolloutRequest::default()
    }
}

/// Plays a rollout of the library.
fn play_library(rollout: &mut rollout::Rollout) {
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, None).expect("a placement");
    let workers = tavli::run::Workers::start(&placement).expect("workers");
    let played = rollout::Session::default().play(rollout, &workers, |_| ());
    played.expect("nothing is saved");
}

#[test]
fn rollouts_are_those_of_the_command() {
    let stop = Stop { trials: 40, ..tavli_stop_default() };
    for (names, meaning) in NAMES {
        // Rollouts have another default than playouts.
        let names = [names[0].or(Some(c"uniform")), names[1]];
        let rollout = opening_31(&settings(names), &stop);
        assert_eq!(play(&rollout, &workers(2, None)), Ok(StopReason::Trials));
        let request = request(meaning, 40);
        let mut expected = request.rollout(&Position::from(Board::START)).expect("a rollout");
        play_library(&mut expected);
        let expected = expected.summary().standings.iter();
        let expected: Vec<CandidateResult> = expected.map(CandidateResult::from).collect();
        assert_eq!(results(&rollout), Ok(expected), "{meaning:?}");
        let mut found = tavli_settings_default();
        // SAFETY: a handle that outlives the names, which end with a zero.
        let found = unsafe {
            ok(tavli_rollout_settings(rollout.get(), &raw mut found));
            [found.policy, found.policy_opponent].map(|name| CStr::from_ptr(name))
        };
        assert_eq!(found.map(|name| name.to_str().expect("UTF-8")), meaning);
        for (opponent, name) in [0, 1].into_iter().zip(meaning) {
            let mut text: [c_char; 16] = [0; 16];
            // SAFETY: a handle, and room for 16 bytes, of which one is a zero.
            let found = unsafe {
                let buffer = text.as_mut_ptr();
                ok(tavli_rollout_policy(rollout.get(), opponent, buffer, 16, null_mut()));
                CStr::from_ptr(text.as_ptr())
            };
            assert_eq!(found.to_str(), Ok(name));
        }
    }
}

#[test]
fn rollouts_of_default_settings_are_played_by_the_default_player() {
    let names = |settings: *const Settings| {
        // SAFETY: a position, settings or NULL, and a place for a handle.
        let make =
            |rollout| unsafe { tavli_rollout_of_position(opening().as_ptr(), settings, null(), null(), rollout) };
        let rollout = Handle::new(make, tavli_rollout_free).expect("a rollout");
        let mut found = tavli_settings_default();
        // SAFETY: a handle, and a place for settings, whose names live as long as the rollout.
        unsafe {
            ok(tavli_rollout_settings(rollout.get(), &raw mut found));
            [found.policy, found.policy_opponent].map(|name| CStr::from_ptr(name).to_owned())
        }
    };
    let mcgammon = Settings { rules: Rules::Mcgammon as u32, ..tavli_settings_default() };
    assert_eq!(names(null()), [c"fast"; 2].map(CStr::to_owned));
    assert_eq!(names(&tavli_settings_default()), [c"fast"; 2].map(CStr::to_owned));
    assert_eq!(names(&mcgammon), [c"uniform"; 2].map(CStr::to_owned));
}

#[test]
fn unknown_names_are_errors_that_list_the_known_ones() {
    let make = |settings: &Settings| {
        let points = opening();
        // SAFETY: variables and texts.
        let make = |rollout| unsafe { tavli_rollout_of_position(points.as_ptr(), settings, null(), null(), rollout) };
        Handle::new(make, tavli_rollout_free).err()
    };
    for names in [[Some(c"gnubg"), None], [None, Some(c"gnubg")]] {
        let settings = settings(names);
        let (points, workers) = (opening(), workers(1, None));
        let (mut found, mut game) = (NOTHING, []);
        // SAFETY: handles and variables; nothing is played.
        let statuses = unsafe {
            let (one, settings) = (points.as_ptr(), &raw const settings);
            let no_data = null_mut();
            [
                tavli_playouts_many(
                    &raw const points,
                    1,
                    settings,
                    0,
                    1,
                    workers.get(),
                    null(),
                    None,
                    no_data,
                    &raw mut found,
                    null_mut(),
                ),
                tavli_playout_games(
                    one,
                    settings,
                    0,
                    0,
                    workers.get(),
                    null(),
                    None,
                    no_data,
                    game.as_mut_ptr(),
                    null_mut(),
                ),
            ]
        };
        assert_eq!(statuses, [Status::Settings; 2]);
        assert_eq!(found, NOTHING, "nothing is stored");
        assert_eq!(tally(&points, &settings, (0, 1), &workers, None), Err(Status::Settings));
        assert_eq!(make(&settings), Some(Status::Settings));
        assert_eq!(
            last_error(),
            "unknown policy 'gnubg'; choose one of: uniform, pubeval, td80, fast, strong, sampled, or name the file of a \
             player; +2ply, +cube or +bearoff:6x6 may follow"
        );
    }
    let not_text = CString::new([0xff]).expect("no zero");
    assert_eq!(make(&settings([Some(&not_text), None])), Some(Status::Text));
    assert!(last_error().starts_with("policy is not UTF-8 text: '"), "{}", last_error());
}

#[test]
fn evaluators_value_games_that_are_cut_off() {
    let settings = Settings { truncate: 7, evaluator: c"sampled:4".as_ptr(), ..settings([Some(c"uniform"), None]) };
    let stop = Stop { trials: 50, ..tavli_stop_default() };
    let rollout = opening_31(&settings, &stop);
    assert_eq!(play(&rollout, &workers(2, None)), Ok(StopReason::Trials));
    let mut expected = RolloutRequest {
        settings: rollout::PlayoutSettings {
            truncation: std::num::NonZeroU32::new(7),
            ..request(["uniform"; 2], 50).settings
        },
        evaluator: Some(evaluators::built_in("sampled:4").expect("an evaluator")),
        ..request(["uniform"; 2], 50)
    }
    .rollout(&Position::from(Board::START))
    .expect("a rollout");
    play_library(&mut expected);
    let standings = expected.summary().standings.iter();
    let expected: Vec<CandidateResult> = standings.map(CandidateResult::from).collect();
    let found = results(&rollout).expect("results");
    assert_eq!(found, expected);
    assert!((found[0].probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let mut stated = tavli_settings_default();
    // SAFETY: a handle that outlives the name, which ends with a zero.
    let name = unsafe {
        ok(tavli_rollout_settings(rollout.get(), &raw mut stated));
        CStr::from_ptr(stated.evaluator)
    };
    assert_eq!(name, c"sampled:4:uniform");
}

#[test]
fn the_player_values_games_that_are_cut_off_unless_an_evaluator_is_named() {
    for (policy, evaluator, expected) in [
        (None, None, c"fast"),
        (Some(c"td80"), None, c"td80"),
        (Some(c"uniform"), None, c"sampled:36:uniform"),
        (Some(c"uniform"), Some(c"fast"), c"fast"),
        (None, Some(c"none"), c"none"),
    ] {
        let settings =
            Settings { truncate: 3, evaluator: evaluator.map_or(null(), CStr::as_ptr), ..settings([policy, None]) };
        let rollout = opening_31(&settings, &tavli_stop_default());
        let mut stated = tavli_settings_default();
        // SAFETY: a handle that outlives the name, which ends with a zero.
        let name = unsafe {
            ok(tavli_rollout_settings(rollout.get(), &raw mut stated));
            CStr::from_ptr(stated.evaluator)
        };
        assert_eq!(name, expected);
        // The settings that a rollout states make an equal one.
        let again = opening_31(&stated, &tavli_stop_default());
        // SAFETY: as above.
        let name = unsafe {
            ok(tavli_rollout_settings(again.get(), &raw mut stated));
            CStr::from_ptr(stated.evaluator)
        };
        assert_eq!(name, expected);
    }
}

#[test]
fn another_rule_unbinds_the_trials() {
    let stop = |standard_error| Stop { standard_error, ..tavli_stop_default() };
    for (rules, expected) in [(stop(0.0), 46_656), (stop(0.5), rollout::Rollout::MAX_TRIALS)] {
        let rollout = opening_31(&settings([None, None]), &rules);
        let mut stated = tavli_stop_default();
        // SAFETY: a handle and a variable.
        ok(unsafe { tavli_rollout_stop(rollout.get(), &raw mut stated) });
        assert_eq!(stated.trials, expected);
    }
}

#[test]
fn evaluators_that_cannot_be_had_are_errors() {
    let points = opening();
    let cases = [
        (c"pubeval", 7, "'pubeval' is a policy: it picks plays and gives no probabilities"),
        (c"gnubg", 7, "unknown evaluator 'gnubg'; choose one of: td80, fast, strong, sampled"),
        (c"sampled", 0, "evaluator is for games that are cut off: set truncate too"),
    ];
    for (name, plies, expected) in cases {
        let settings = Settings { truncate: plies, evaluator: name.as_ptr(), ..tavli_settings_default() };
        // SAFETY: variables and texts.
        let make = |rollout| unsafe {
            tavli_rollout_of_position(points.as_ptr(), &raw const settings, null(), null(), rollout)
        };
        let status = Handle::new(make, tavli_rollout_free).err();
        assert_eq!(status, Some(Status::Settings), "{expected}");
        assert!(last_error().contains(expected), "{}", last_error());
    }
    let settings = Settings { truncate: 7, evaluator: c"sampled".as_ptr(), ..tavli_settings_default() };
    assert_eq!(tally(&points, &settings, (0, 1), &workers(1, None), None), Err(Status::Settings));
    assert!(last_error().starts_with("playouts have no evaluator"), "{}", last_error());
}
