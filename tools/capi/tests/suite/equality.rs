//! The C interface gives the library's values, bit for bit.

use std::ffi::{CStr, CString, c_char};
use std::num::{NonZeroU32, NonZeroUsize};
use std::ptr::{null, null_mut};

use crate::support::{Handle, ok, opening, opening_31, play, points, results, uniform, workers};
use tavli::policies::PolicyPair;
use tavli::rollout::{self, Session};
use tavli::run::{Cpus, Pinning, Placement};
use tavli::{Board, NO_STOP, Outcome, Playouts, Plays, Position, Roll, RuleSet, Tier};
use tavli_capi::*;

/// Positions of every kind: the opening, contact, checkers on both bars, many plays, a bear-off.
const POSITION_IDS: [&str; 5] =
    ["4HPwATDgc/ABMA", "7e4OAABtdw8AAA", "t80AASi1UgwEPA", "AICqqgCoqqqqAA", "FQAAIAoAAAAAAA"];

fn boards() -> impl Iterator<Item = Board> {
    let boards = POSITION_IDS.map(Board::from_position_id);
    boards.into_iter().map(|board| board.expect("a position"))
}

fn moves(play: &Play) -> &str {
    // SAFETY: the library ends the moves with a zero.
    unsafe { CStr::from_ptr(play.moves.as_ptr()) }.to_str().expect("UTF-8")
}

/// Calls a function that writes a text: first for its size, then for itself, then with a byte too few.
fn text(write: impl Fn(*mut c_char, usize, *mut usize) -> Status) -> String {
    let mut size = 0;
    assert_eq!(write(null_mut(), 0, &raw mut size), Status::Buffer);
    let mut bytes = vec![0xff_u8; size];
    let buffer = bytes.as_mut_ptr().cast();
    assert_eq!(write(buffer, size - 1, null_mut()), Status::Buffer);
    assert!(bytes.iter().all(|&byte| byte == 0xff), "nothing is written");
    let buffer = bytes.as_mut_ptr().cast();
    ok(write(buffer, size, null_mut()));
    let text = CString::from_vec_with_nul(bytes).expect("a zero at the end");
    text.into_string().expect("UTF-8")
}

#[test]
fn positions_in_every_format() {
    for board in boards() {
        let position = Position::from(board);
        let numbers = points(&board);
        let texts = [
            position.position_id().to_string(),
            format!("{}:{}", position.position_id(), position.match_id()),
            position.xgid(),
            position.fibs(),
            numbers.map(|number| number.to_string()).join(" "),
        ];
        for (format, expected) in texts.iter().enumerate() {
            let format = format as u32;
            let written = text(|buffer, capacity, size| {
                // SAFETY: `text` passes a buffer of this capacity.
                unsafe { tavli_position_write(numbers.as_ptr(), format, buffer, capacity, size) }
            });
            assert_eq!(&written, expected);
            assert!(written.len() < 256, "TAVLI_TEXT_SIZE");
            let given = CString::new(written).expect("no zero");
            let mut read = [0; 26];
            // SAFETY: a text, and room for 26 numbers.
            ok(unsafe { tavli_position_read(given.as_ptr(), read.as_mut_ptr()) });
            assert_eq!(read, numbers);
        }
    }
}

#[test]
fn conversion_keeps_the_game() {
    let xgid = c"XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:1:2:0:5:10";
    let position: Position = xgid.to_str().expect("UTF-8").parse().expect("a position");
    let convert = |format: Format| {
        text(|buffer, capacity, size| {
            // SAFETY: `text` passes a buffer of this capacity.
            unsafe { tavli_position_convert(xgid.as_ptr(), format as u32, buffer, capacity, size) }
        })
    };
    assert_eq!(convert(Format::Xgid), xgid.to_str().expect("UTF-8"));
    assert!(convert(Format::MatchId).ends_with(position.match_id().as_str()));
    assert_eq!(convert(Format::Fibs), position.fibs());
}

#[test]
fn rule_sets_have_their_number_and_name() {
    let header = include_str!("../../include/tavli.h");
    let has = |constant: &str| header.lines().any(|line| line.trim().trim_end_matches(',') == constant);
    for (number, rules) in RuleSet::ALL.iter().enumerate() {
        let line = format!("TAVLI_RULES_{} = {number}", rules.name().to_uppercase());
        assert!(has(&line), "the header lacks {line}");
        let mut start = [0; 26];
        // SAFETY: room for 26 numbers.
        ok(unsafe { tavli_position_start(number as u32, start.as_mut_ptr()) });
        assert_eq!(start, points(&rules.start()));
    }
    for (number, outcome) in Outcome::ALL.iter().enumerate() {
        let line = format!("TAVLI_OUTCOME_{} = {number}", outcome.name().to_uppercase());
        assert!(has(&line), "the header lacks {line}");
    }
}

#[test]
fn a_finished_game_is_a_position() {
    let mut own = [0; 26];
    own[1] = 1;
    let board = Board::new(&own, &own).expect("a position");
    let roll: Roll = "21".parse().expect("a roll");
    let plays = Plays::new(&board, roll, RuleSet::Backgammon);
    let over = plays.get(0).expect("a play").board();
    let numbers = points(&over);
    let id = text(|buffer, capacity, size| {
        // SAFETY: 26 numbers, and a buffer of this capacity.
        unsafe { tavli_position_write(numbers.as_ptr(), Format::PositionId as u32, buffer, capacity, size) }
    });
    assert_eq!(id, over.position_id().as_str());
    let mut count = 1;
    // SAFETY: 26 numbers, and a variable.
    ok(unsafe { tavli_plays_count(numbers.as_ptr(), 2, 1, 0, &raw mut count) });
    assert_eq!(count, 0);
}

#[test]
fn plays_of_every_roll() {
    for board in boards() {
        let numbers = points(&board);
        for (&rules, number) in RuleSet::ALL.iter().zip(0..) {
            for roll in Roll::ALL {
                let (die, other) = (roll.low().into(), roll.high().into());
                let (mut count, mut listed) = (0, 0);
                // SAFETY: 26 numbers, and a variable.
                ok(unsafe { tavli_plays_count(numbers.as_ptr(), die, other, number, &raw mut count) });
                if rules.is_over(&board) {
                    assert_eq!(count, 0);
                    continue;
                }
                let expected = Plays::new(&board, roll, rules);
                assert_eq!(count, expected.len());
                let mut buffer = Vec::<Play>::with_capacity(count);
                let list = |buffer: &mut Vec<Play>, capacity, listed: &mut usize| {
                    let buffer = buffer.as_mut_ptr();
                    // SAFETY: the buffer has at least this capacity.
                    unsafe { tavli_plays(numbers.as_ptr(), die, other, number, buffer, capacity, listed) }
                };
                assert_eq!(list(&mut buffer, count - 1, &mut listed), Status::Buffer);
                assert_eq!(listed, count);
                ok(list(&mut buffer, count, &mut listed));
                // SAFETY: all of them were written.
                unsafe { buffer.set_len(count) };
                for (index, found) in buffer.iter().enumerate() {
                    let play = expected.get(index).expect("there are as many");
                    assert_eq!(found.points, points(&play.board()));
                    assert_eq!(moves(found), expected.moves(&play).to_string());
                }
            }
        }
    }
}

fn tally(playouts: &Playouts, tier: Tier, games: core::ops::Range<u64>) -> Tally {
    let tally = playouts.run(tier, games, NO_STOP).unwrap().tally;
    Tally {
        games: tally.games,
        outcomes: core::array::from_fn(|at| {
            let outcome = Outcome::ALL.get(at);
            outcome.map_or(0, |&outcome| tally.count(outcome))
        }),
        unfinished: tally.unfinished(),
        plies: tally.plies.try_into().expect("few"),
        plies_squared: tally.plies_squared.try_into().expect("few"),
        plays: tally.plays.try_into().expect("few"),
        longest: tally.longest.into(),
    }
}

#[test]
fn playouts_on_every_tier() {
    for (board, first_roll) in boards().zip([0, 1, 2, 31, 66]) {
        for &tier in Tier::available() {
            let workers = workers(2, Some(tier.name()));
            let settings = Settings { seed: 0xfeed, first_roll, truncate: first_roll, ..tavli_settings_default() };
            let name = ["any", "open", "stratified"].get(first_roll as usize);
            let name = name.map_or_else(|| first_roll.to_string(), ToString::to_string);
            let mut playouts = Playouts::new(board, RuleSet::Backgammon, settings.seed)
                .expect("games")
                .with_first_roll(name.parse().expect("a first roll"));
            if let Some(plies) = NonZeroU32::new(settings.truncate) {
                playouts = playouts.truncated_after(plies);
            }
            let first = (1 << 32) - 77;
            let found = crate::support::tally(&points(&board), &settings, (first, 500), &workers, None);
            assert_eq!(found, Ok(tally(&playouts, tier, first..first + 500)));
        }
    }
}

/// The results of the library.
fn expected(rollout: &rollout::Rollout) -> Vec<CandidateResult> {
    let summary = rollout.summary();
    summary.standings.iter().map(CandidateResult::from).collect()
}

fn no_summary() -> Summary {
    Summary {
        candidates: 0,
        first_trial: 0,
        trials: 0,
        games: 0,
        seed: 0,
        seconds: 0.0,
        shard: 0,
        shards: 0,
        die: 0,
        other_die: 0,
        is_complete: 0,
        has_cube: 0,
    }
}

#[test]
fn rollouts_of_plays() {
    let stop = Stop { trials: 1300, ..tavli_stop_default() };
    let rollout = opening_31(&uniform(), &stop);
    let request = rollout::RolloutRequest {
        roll: Some("31".parse().expect("a roll")),
        players: Some(PolicyPair::default()),
        end_rules: rollout::EndRulesRequest::after_trials(1300),
        ..rollout::RolloutRequest::default()
    };
    let mut library = request.rollout(&Board::START.into()).expect("a rollout");
    let one = Placement::new(&Cpus::allowed(), Pinning::None, NonZeroUsize::new(1));
    let library_workers = tavli::run::Workers::start(&one.expect("a place")).expect("a worker");
    let session = Session::default();
    let play_library = |library: &mut rollout::Rollout| {
        session.play(library, &library_workers, |_| ()).expect("nothing is saved");
    };
    play_library(&mut library);
    assert_eq!(play(&rollout, &workers(3, None)), Ok(StopReason::Trials));
    assert_eq!(results(&rollout).expect("results"), expected(&library));

    for (index, candidate) in library.candidates().iter().enumerate() {
        let mut play = Play { points: [0; 26], moves: [0; 32] };
        // SAFETY: a handle and a variable.
        ok(unsafe { tavli_rollout_candidate(rollout.get(), index as u64, &raw mut play) });
        assert_eq!(play.points, points(&candidate.board));
        assert_eq!(moves(&play), candidate.moves.expect("a play").to_string());
    }

    // Extended, and continued from JSON.
    let json = text(|buffer, capacity, size| {
        // SAFETY: `text` passes a buffer of this capacity.
        unsafe { tavli_rollout_to_json(rollout.get(), buffer, capacity, size) }
    });
    let json = CString::new(json).expect("no zero");
    // SAFETY: a text and a variable.
    let make = |rollout| unsafe { tavli_rollout_from_json(json.as_ptr(), null(), rollout) };
    let again = Handle::new(make, tavli_rollout_free).expect("a rollout");
    let further = Stop { trials: 2592, ..tavli_stop_default() };
    let mut library = library.until(rollout::EndRules::after_trials(2592)).expect("more trials");
    play_library(&mut library);
    for rollout in [&rollout, &again] {
        // SAFETY: a handle and a variable.
        ok(unsafe { tavli_rollout_until(rollout.get(), &raw const further) });
        assert_eq!(play(rollout, &workers(1, None)), Ok(StopReason::Trials));
        assert_eq!(results(rollout).expect("results"), expected(&library));
        let mut summary = no_summary();
        // SAFETY: a handle and a variable.
        ok(unsafe { tavli_rollout_summary(rollout.get(), &raw mut summary) });
        assert_eq!((summary.candidates, summary.trials, summary.seed), (16, 2592, 1));
        assert_eq!((summary.first_trial, summary.games), (0, 16 * 2592));
        assert_eq!((summary.die, summary.other_die), (3, 1));
        assert_eq!((summary.shard, summary.shards), (0, 0));
        assert_eq!(summary.is_complete, 1);
        assert!(summary.seconds > 0.0);
    }
}

#[test]
fn rollouts_of_candidates_and_positions() {
    let numbers = opening();
    let mut buffer = [Play { points: [0; 26], moves: [0; 32] }; 16];
    // SAFETY: room for the 16 plays.
    ok(unsafe { tavli_plays(numbers.as_ptr(), 3, 1, 0, buffer.as_mut_ptr(), buffer.len(), null_mut()) });
    let stop = Stop { trials: 1296, ..tavli_stop_default() };
    // SAFETY: every pointer belongs to a variable.
    let make = |rollout| unsafe {
        tavli_rollout_of_candidates(
            numbers.as_ptr(),
            1,
            3,
            buffer[3..].as_ptr(),
            2,
            &uniform(),
            &raw const stop,
            null(),
            rollout,
        )
    };
    let two = Handle::new(make, tavli_rollout_free).expect("a rollout");
    let workers = workers(2, None);
    assert_eq!(play(&two, &workers), Ok(StopReason::Trials));
    let all = opening_31(&uniform(), &stop);
    assert_eq!(play(&all, &workers), Ok(StopReason::Trials));
    let all = results(&all).expect("results");
    for result in results(&two).expect("results") {
        let same = all.iter().find(|of_all| of_all.candidate == result.candidate + 3);
        assert_eq!(same.expect("a result").outcomes, result.outcomes);
    }

    // SAFETY: every pointer belongs to a variable.
    let make =
        |rollout| unsafe { tavli_rollout_of_position(numbers.as_ptr(), &uniform(), &raw const stop, null(), rollout) };
    let position = Handle::new(make, tavli_rollout_free).expect("a rollout");
    assert_eq!(play(&position, &workers), Ok(StopReason::Trials));
    let playouts = Playouts::new(Board::START, RuleSet::Backgammon, 1).expect("games");
    let found = results(&position).expect("one");
    assert_eq!(
        found[0].outcomes[..Outcome::COUNT],
        playouts.run(Tier::Portable, 0..1296, NO_STOP).unwrap().tally.outcomes
    );
}

#[test]
fn a_play_that_wins_is_a_candidate() {
    let (mut own, mut opponent) = ([0; 26], [0; 26]);
    (own[1], opponent[1]) = (1, 1);
    let numbers = points(&Board::new(&own, &opponent).expect("a position"));
    let mut play_off = Play { points: [0; 26], moves: [0; 32] };
    // SAFETY: room for one play, and there is only one.
    ok(unsafe { tavli_plays(numbers.as_ptr(), 2, 1, 0, &raw mut play_off, 1, null_mut()) });
    assert_eq!(moves(&play_off), "1/off");
    // SAFETY: every pointer belongs to a variable.
    let make = |rollout| unsafe {
        tavli_rollout_of_candidates(numbers.as_ptr(), 2, 1, &raw const play_off, 1, null(), null(), null(), rollout)
    };
    let rollout = Handle::new(make, tavli_rollout_free).expect("a rollout");
    assert_eq!(play(&rollout, &workers(1, None)), Ok(StopReason::Trials));
    assert_eq!(results(&rollout).expect("one")[0].equity.mean, 1.0);
}

#[test]
fn the_tier_is_the_one_that_was_named() {
    for tier in Tier::available() {
        let workers = workers(1, Some(tier.name()));
        let found = text(|buffer, capacity, size| {
            // SAFETY: `text` passes a buffer of this capacity.
            unsafe { tavli_workers_tier(workers.get(), buffer, capacity, size) }
        });
        assert_eq!(found, tier.name());
    }
}

#[test]
fn the_version_is_told() {
    // SAFETY: a text that lives as long as the library.
    let version = unsafe { CStr::from_ptr(tavli_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}
