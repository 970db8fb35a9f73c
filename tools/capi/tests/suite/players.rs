//! Players through C: values of positions, games against each other, and luck-adjusted rollouts equal the library's.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::null;

use crate::support::{Handle, cancel, last_error, ok, opening, play, points, results, tally, workers};
use tavli::duel::Duel;
use tavli::evaluation;
use tavli::policies::PolicyPair;
use tavli::run;
use tavli::{Board, NO_STOP, Outcome as KernelOutcome, Position, RuleSet, Tier, named, rollout};
use tavli_capi::*;

/// Three bear-offs, the opening, and a finished game.
fn boards() -> Vec<Board> {
    let race = |own: &[i8], other: &[i8]| {
        let mut points = [0; 26];
        points[1..=own.len()].copy_from_slice(own);
        for (point, checkers) in (1..).zip(other) {
            points[25 - point] = -checkers;
        }
        Board::from_points(&points).expect("a position")
    };
    vec![
        race(&[0, 0, 1, 0, 0, 1], &[2, 0, 1]),
        race(&[3, 1], &[0, 0, 0, 0, 0, 15]),
        Board::START,
        race(&[2], &[]),
        race(&[0, 2], &[1, 1]),
    ]
}

const NOTHING: Evaluation = Evaluation { probabilities: [9.0; 8], equity: 9.0 };

fn evaluate<'a>(boards: &[Board], player: impl Into<Option<&'a CStr>>, rules: u32) -> Result<Vec<Evaluation>, Status> {
    let positions: Vec<[c_int; 26]> = boards.iter().map(points).collect();
    let mut found = vec![NOTHING; boards.len()];
    let mut count = usize::MAX;
    // SAFETY: handles, a text, and room for a value of each position.
    let status = unsafe {
        tavli_evaluate(
            positions.as_ptr(),
            positions.len(),
            player.into().map_or(null(), CStr::as_ptr),
            rules,
            workers(2, None).get(),
            null(),
            found.as_mut_ptr(),
            &raw mut count,
        )
    };
    match status {
        Status::Ok => {
            assert_eq!(count, boards.len());
            Ok(found)
        }
        status => Err(status),
    }
}

#[test]
fn positions_have_the_values_of_the_library() {
    let boards = boards();
    for (player, rules) in [
        (c"td80", RuleSet::Backgammon),
        (c"fast+bearoff:6", RuleSet::Portes),
        (c"sampled:5+bearoff:6x3+1ply", RuleSet::Backgammon),
    ] {
        let number = RuleSet::ALL.iter().position(|&one| one == rules);
        let found = evaluate(&boards, player, number.expect("one of all") as u32);
        let evaluator = named::evaluator(player.to_str().expect("UTF-8"), NO_STOP).expect("a player");
        let placement = run::Placement::new(&run::Cpus::allowed(), run::Pinning::CORES, None).expect("CPUs");
        let threads = run::Workers::start(&placement).expect("threads");
        let expected = evaluation::Evaluation::new(evaluator, rules)
            .values(&boards, Tier::Portable, &threads, &run::Cancel::new())
            .expect("positions");
        for (found, expected) in found.expect("values").iter().zip(expected) {
            for &outcome in KernelOutcome::ALL {
                let probability = found.probabilities[outcome as usize];
                assert_eq!(probability, expected.probability(outcome), "{player:?}");
            }
            assert_eq!(found.probabilities[6..], [0.0; 2]);
            assert_eq!(found.equity, expected.equity());
        }
    }
    // The value of a finished game is certain.
    let over = evaluate(&boards[3..4], c"td80", 0).expect("a value");
    assert_eq!(over[0].probabilities[Outcome::LoseSingle as usize], 1.0);
}

/// The command's values: see `bear_offs_have_exact_values_without_and_with_the_cube` there.
#[test]
fn values_are_those_of_the_default_player_unless_another_is_named() {
    // Two checkers on the ace point against one on the six point.
    let mut points = [0; 26];
    (points[1], points[6], points[19]) = (1, 1, -1);
    let race = Board::from_points(&points).expect("a position");
    let boards = [boards(), vec![race]].concat();
    for (rules, player) in [(0, c"strong+bearoff:6+bearoff:6x6"), (1, c"sampled")] {
        assert_eq!(evaluate(&boards, None, rules), evaluate(&boards, player, rules), "{player:?}");
    }
    assert_ne!(evaluate(&[race], None, 0), evaluate(&[race], c"strong", 0));
}

#[test]
fn what_cannot_be_valued_is_refused() {
    let boards = boards();
    for (player, rules, status, message) in [
        (c"pubeval", 0, Status::Settings, "'pubeval' is a policy"),
        (c"gnubg", 0, Status::Settings, "unknown evaluator 'gnubg'"),
        (c"td80", 6, Status::Settings, "rules are TavliRules, 0 to 5, not 6"),
        (c"td80", 4, Status::Game, "position 1: "),
    ] {
        assert_eq!(evaluate(&boards, player, rules), Err(status), "{player:?}");
        assert!(last_error().contains(message), "{}", last_error());
    }
}

/// The table of 7 points and 9 checkers takes a minute.
const LARGE: &CStr = c"fast+bearoff:7x9";

#[test]
fn a_cancelled_call_has_no_values_and_waits_for_no_table() {
    let thrown = cancel();
    // SAFETY: a switch that is not freed before.
    unsafe { tavli_cancel_throw(thrown.get()) };
    for player in [c"td80", LARGE] {
        let mut count = usize::MAX;
        let mut value = NOTHING;
        // Numbers that are not a position are refused. SAFETY: handles, a text, and places for one value and one
        // number.
        unsafe {
            ok(tavli_evaluate(
                [[300; 26]].as_ptr(),
                1,
                player.as_ptr(),
                0,
                workers(1, None).get(),
                thrown.get(),
                &raw mut value,
                &raw mut count,
            ));
        }
        assert_eq!((count, value), (0, NOTHING));
    }
    let score = duel([LARGE, c"td80"], 2, thrown.get(), &mut 0).expect("it is cancelled");
    assert_eq!(score.games, 0);
    let settings = Settings { policy: LARGE.as_ptr(), ..tavli_settings_default() };
    let tally = tally(&opening(), &settings, (0, 36), &workers(1, None), Some(&thrown));
    assert_eq!(tally.expect("it is cancelled").games, 0);
}

#[test]
fn a_rollout_of_a_cancelled_call_is_not_made() {
    let thrown = cancel();
    // SAFETY: a switch that is not freed before.
    unsafe { tavli_cancel_throw(thrown.get()) };
    let settings = Settings { policy: LARGE.as_ptr(), ..tavli_settings_default() };
    // SAFETY: a position, settings with a text, a switch, and the place for a handle.
    let make = |rollout| unsafe {
        tavli_rollout_of_position(opening().as_ptr(), &raw const settings, null(), thrown.get(), rollout)
    };
    assert_eq!(Handle::new(make, tavli_rollout_free).err(), Some(Status::Cancelled));
    assert!(last_error().starts_with("stopped before the player's bear-off table"), "{}", last_error());
    // Nobody keeps the small table, so it is solved again.
    let saved = {
        let player = named::policy("pubeval+bearoff:5x4").expect("a player");
        let request =
            rollout::RolloutRequest { players: Some(PolicyPair::alike(player)), ..rollout::RolloutRequest::default() };
        let rollout = request.rollout(&Position::from(Board::START));
        rollout.expect("a rollout").to_json()
    };
    let json = CString::new(saved).expect("no zero");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cancelled.json");
    std::fs::write(&path, json.as_bytes()).expect("it can be written");
    let path = CString::new(path.to_str().expect("a text")).expect("no zero");
    for (switch, status) in [(thrown.get(), Some(Status::Cancelled)), (null(), None)] {
        // SAFETY: a text, a switch, and the place for a handle.
        let read = |rollout| unsafe { tavli_rollout_from_json(json.as_ptr(), switch, rollout) };
        assert_eq!(Handle::new(read, tavli_rollout_free).err(), status);
        // SAFETY: a text, a switch, and the place for a handle.
        let load = |rollout| unsafe { tavli_rollout_load(path.as_ptr(), switch, rollout) };
        assert_eq!(Handle::new(load, tavli_rollout_free).err(), status);
    }
}

unsafe extern "C" fn remember(progress: *const Progress, data: *mut c_void) {
    // SAFETY: the library passes a report, and the data is the number of the test.
    unsafe { *data.cast::<u64>() = (*progress).trials };
}

/// Plays a duel with dice of seed 3.
fn duel([player, opponent]: [&CStr; 2], games: u64, cancel: *const Cancel, seen: &mut u64) -> Result<Score, Status> {
    let mut score = Score { games: u64::MAX, outcomes: [7; 8], points_per_game: Estimate::default() };
    // SAFETY: handles, texts, and places for a number and a score.
    let status = unsafe {
        tavli_duel(
            player.as_ptr(),
            opponent.as_ptr(),
            games,
            3,
            Rules::Backgammon as u32,
            workers(2, None).get(),
            cancel,
            Some(remember),
            (&raw mut *seen).cast(),
            &raw mut score,
        )
    };
    match status {
        Status::Ok => Ok(score),
        status => Err(status),
    }
}

#[test]
fn a_duel_is_that_of_the_library() {
    let mut seen = 0;
    let found = duel([c"td80", c"pubeval"], 120, null(), &mut seen).expect("games");
    let placement = run::Placement::new(&run::Cpus::allowed(), run::Pinning::CORES, None).expect("CPUs");
    let threads = run::Workers::start(&placement).expect("threads");
    let players = ["td80", "pubeval"].map(|name| named::policy(name).expect("a player"));
    let expected = Duel::new(players, RuleSet::Backgammon, 3, 60);
    let expected = expected.play(Tier::Portable, &threads, |_| ()).score;
    assert_eq!(found.games, 120);
    assert_eq!(found.outcomes[..6], expected.outcomes);
    assert_eq!(found.outcomes[6..], [0; 2]);
    let points = expected.points.per_game();
    assert_eq!(found.points_per_game, Estimate::from(points));
    assert!(found.points_per_game.standard_error > 0.0);
    assert!(seen <= 120 && seen.is_multiple_of(2), "reports count games: {seen}");
    for (games, name, message) in [
        (0, c"td80", "games are an even number 2 to 72057594037927936"),
        (3, c"td80", "two on the same dice, not 3"),
        (u64::MAX - 1, c"td80", "games are an even number"),
        (2, c"gnubg", "unknown policy 'gnubg'"),
    ] {
        let found = duel([c"pubeval", name], games, null(), &mut seen);
        assert_eq!(found, Err(Status::Settings), "{games}");
        assert!(last_error().contains(message), "{}", last_error());
    }
    let thrown = cancel();
    // SAFETY: a handle.
    unsafe { tavli_cancel_throw(thrown.get()) };
    let none = duel([c"td80", c"pubeval"], 1 << 40, thrown.get(), &mut seen);
    assert!(none.expect("a score").games < 1 << 40);
}

#[test]
fn luck_is_taken_out_of_a_rollout() {
    let name = c"sampled:1+bearoff:6x3";
    let policy = c"uniform+bearoff:6x3";
    let settings = Settings { policy: policy.as_ptr(), luck: name.as_ptr(), ..tavli_settings_default() };
    let stop = Stop { trials: 36, ..tavli_stop_default() };
    let board = boards().swap_remove(4);
    // SAFETY: every pointer belongs to a variable, and the names live on.
    let make =
        |rollout| unsafe { tavli_rollout_of_position(points(&board).as_ptr(), &settings, &stop, null(), rollout) };
    let rollout = crate::support::Handle::new(make, tavli_rollout_free).expect("a rollout");
    play(&rollout, &workers(2, None)).expect("games");
    let result = results(&rollout).expect("a result")[0];
    let exact = evaluate(&[board], name, 0).expect("a value")[0];
    // Perfect play minus its luck has no variance.
    assert!((result.equity.mean - exact.equity).abs() < 1e-8);
    assert!(result.equity.standard_deviation < 1e-8);
    let mut found = tavli_settings_default();
    // SAFETY: a handle, and a place for settings, whose names live as long as the rollout.
    let luck = unsafe {
        ok(tavli_rollout_settings(rollout.get(), &raw mut found));
        CStr::from_ptr(found.luck)
    };
    assert_eq!(luck, c"sampled:1:uniform+bearoff:6x3");
    // Playouts have no luck.
    assert_eq!(tally(&opening(), &settings, (0, 1), &workers(1, None), None), Err(Status::Settings));
    assert!(last_error().contains("playouts do not subtract luck"), "{}", last_error());
}
