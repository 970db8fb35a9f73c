//! Positions of games by name: C gets the library's results.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::thread;
use std::time::Duration;

use crate::support::{Handle, cancel, last_error, last_remarks, ok, workers};
use tavli::games::{AnyDecisionRequest, AnyPosition as KernelPosition};
use tavli::run;
use tavli::{NO_STOP, Tier};
use tavli_capi::*;

fn read(game: &str, text: Option<&str>) -> Result<Handle<AnyPosition>, Status> {
    let game = CString::new(game).expect("no zero");
    let text = text.map(|text| CString::new(text).expect("no zero"));
    let text = text.as_deref().map_or(null(), CStr::as_ptr);
    // SAFETY: the texts live until the call returns.
    let make = |position| unsafe { tavli_any_position_read(game.as_ptr(), null(), text, position) };
    Handle::new(make, tavli_any_position_free)
}

fn written(position: &Handle<AnyPosition>) -> String {
    let mut buffer = [0 as c_char; 256];
    // SAFETY: the buffer is as large as is said, and a text ends with a zero.
    unsafe {
        ok(tavli_any_position_write(position.get(), buffer.as_mut_ptr(), buffer.len(), null_mut()));
        CStr::from_ptr(buffer.as_ptr()).to_str().expect("UTF-8").to_owned()
    }
}

/// The play of an index: its moves and the position after it.
fn play(
    position: &Handle<AnyPosition>,
    roll: *const c_char,
    index: usize,
) -> Result<(String, Handle<AnyPosition>), Status> {
    let mut buffer = [0 as c_char; 256];
    // SAFETY: the buffer is as large as is said, and the roll is NULL or a literal.
    let make = |after| unsafe {
        tavli_any_play(position.get(), roll, index, after, buffer.as_mut_ptr(), buffer.len(), null_mut())
    };
    let after = Handle::new(make, tavli_any_position_free)?;
    // SAFETY: a text ends with a zero.
    let moves = unsafe { CStr::from_ptr(buffer.as_ptr()) };
    Ok((moves.to_str().expect("UTF-8").to_owned(), after))
}

fn count(position: &Handle<AnyPosition>, roll: *const c_char) -> Result<usize, Status> {
    let mut count = 0;
    // SAFETY: the roll is NULL or a literal, and the count a variable.
    match unsafe { tavli_any_plays_count(position.get(), roll, &raw mut count) } {
        Status::Ok => Ok(count),
        status => Err(status),
    }
}

#[test]
fn plays_are_those_of_the_library() {
    let fen = "B:W17,18,26,K30:B13,21:H3";
    for (game, text, roll) in [
        ("draughts", None, None),
        ("draughts", Some(fen), None),
        ("plakoto", None, Some(c"31")),
        ("fevga", None, Some(c"66")),
        ("tictactoe", None, None),
    ] {
        let position = read(game, text).expect("a position");
        let kernel =
            text.map_or_else(|| KernelPosition::start(game, None), |text| KernelPosition::read(game, None, text));
        let kernel = kernel.expect("a position");
        assert_eq!(written(&position), kernel.state());
        let plays = kernel.plays(roll.map(|roll| roll.to_str().expect("ASCII"))).expect("plays");
        let roll = roll.map_or(null(), CStr::as_ptr);
        assert_eq!(count(&position, roll), Ok(plays.len()));
        for (index, wanted) in plays.iter().enumerate() {
            let (moves, after) = play(&position, roll, index).expect("a play");
            assert_eq!((moves, written(&after)), (wanted.moves.clone(), wanted.position.state()));
        }
        assert_eq!(play(&position, roll, plays.len()).err(), Some(Status::Index));
    }
}

#[test]
fn what_a_text_has_beside_the_position_is_refused_or_remarked_on() {
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    assert_eq!(read("backgammon", Some(xgid)).err(), Some(Status::Position));
    let error = last_error();
    assert!(error.starts_with("the position has the roll 31: "), "{error}");
    let game = "[Rules \"report\"] 1. 11-15 23-19 2. 8-11";
    let position = read("draughts", Some(game)).expect("a game");
    let remark = "the game was played by report rules, and its last position is taken by english rules";
    assert_eq!(last_remarks(), format!("'{game}': {remark}"));
    drop(position);
}

#[test]
fn games_end_with_points() {
    let ends = |text| {
        let position = read("draughts", Some(text)).expect("a position");
        let (mut is_over, mut points): (c_int, c_int) = (-1, -9);
        // SAFETY: the places are variables.
        ok(unsafe { tavli_any_position_points(position.get(), &raw mut is_over, &raw mut points) });
        (is_over, points)
    };
    assert_eq!(ends("B:W32:B28"), (1, -1));
    assert_eq!(ends("B:WK1:BK32:H80"), (1, 0));
    assert_eq!(ends("B:WK1:BK32"), (0, 0));
}

/// The tally of some games of seed 1.
fn playouts(
    position: &Handle<AnyPosition>,
    games: core::ops::Range<u64>,
    workers: &Handle<Workers>,
    cancel: *const Cancel,
) -> (Status, AnyTally) {
    let mut tally = AnyTally {
        games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        outcomes: [0; TAVLI_OUTCOMES],
        points: 0,
        plies: 0,
        longest: 0,
    };
    let (first, number) = (games.start, games.end - games.start);
    // SAFETY: the handles are sound, and the tally a variable.
    let status = unsafe { tavli_any_playouts(position.get(), 1, first, number, workers.get(), cancel, &raw mut tally) };
    (status, tally)
}

#[test]
fn playouts_have_the_outcomes_of_the_library() {
    let workers = workers(1, None);
    for game in ["plakoto", "fevga", "backgammon", "tictactoe"] {
        let (status, tally) = playouts(&read(game, None).expect("the start"), 0..2000, &workers, null());
        ok(status);
        let kernel = KernelPosition::start(game, None).expect("a position");
        let wanted = kernel.playouts(Tier::best(), 1, 0..2000, NO_STOP).expect("games");
        let points = [
            (Outcome::WinSingle, 1),
            (Outcome::WinGammon, 2),
            (Outcome::WinBackgammon, 3),
            (Outcome::LoseSingle, -1),
            (Outcome::LoseGammon, -2),
            (Outcome::LoseBackgammon, -3),
        ];
        for (outcome, points) in points {
            assert_eq!(tally.outcomes[outcome as usize], wanted.count(points), "{game}, {points}");
        }
        let decided = tally.outcomes.iter().sum::<u64>();
        assert_eq!(decided, tally.wins + tally.losses, "{game}");
        assert_eq!(game == "tictactoe", wanted.count(2) == 0, "{game}");
    }
}

#[test]
fn playouts_and_searches_are_those_of_the_library() {
    let (workers, switch) = (workers(2, None), cancel());
    let start = read("draughts", None).expect("the start");
    let playouts = |games, cancel| playouts(&start, games, &workers, cancel);
    // What `tavli playout start --game draughts --games 10000` prints.
    let (status, tally) = playouts(0..10_000, switch.get());
    ok(status);
    assert_eq!((tally.wins, tally.draws, tally.losses, tally.points), (4871, 66, 5063, -192));
    let (first, rest) = (playouts(0..3_000, null()).1, playouts(3_000..10_000, null()).1);
    assert_eq!(first.plies + rest.plies, tally.plies);
    assert_eq!(first.longest.max(rest.longest), tally.longest);

    let search = |workers: &Handle<Workers>| {
        let (mut plays, mut count) = (Vec::with_capacity(7), 0);
        // SAFETY: there is room for 7 plays, all of which are stored.
        unsafe {
            let room = plays.as_mut_ptr();
            ok(tavli_any_search(start.get(), null(), 20_000, 3, workers.get(), null(), room, 7, &raw mut count));
            plays.set_len(count);
        }
        plays
    };
    let plays: Vec<AnySearchPlay> = search(&workers);
    assert_eq!(plays, search(&crate::support::workers(1, Some("portable"))));
    assert_eq!(plays.iter().map(|play| play.visits).sum::<u64>(), 20_000);
    assert!(plays.is_sorted_by(|one, other| one.value >= other.value), "{plays:?}");
    let mut indices: Vec<u64> = plays.iter().map(|play| play.play).collect();
    indices.sort_unstable();
    assert_eq!(indices, [0, 1, 2, 3, 4, 5, 6]);

    // A call that is cancelled has the games that it has played, from the first on.
    let (status, some) = thread::scope(|scope| {
        let throw = scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            // SAFETY: the switch is sound.
            ok(unsafe { tavli_cancel_throw(switch.get()) });
        });
        let played = playouts(0..1_000_000_000, switch.get());
        throw.join().expect("it sleeps");
        played
    });
    ok(status);
    assert!((1..1_000_000_000).contains(&some.games), "{some:?}");
    assert_eq!(playouts(0..some.games, null()).1, some);
}

/// A decision about a roll of a position, and the plays that raced.
fn decide(
    position: &Handle<AnyPosition>,
    roll: &CStr,
    settings: &AnyDecisionSettings,
    cancel: *const Cancel,
    callback: ProgressCallback,
    data: *mut c_void,
) -> Result<(AnyDecision, Vec<AnyRacedPlay>), Status> {
    let workers = workers(2, None);
    let (mut decision, mut plays, mut count) = (Vec::with_capacity(1), Vec::with_capacity(64), 0);
    // SAFETY: there is room for a decision and 64 plays, and what is counted is stored.
    unsafe {
        let status = tavli_any_decide(
            position.get(),
            roll.as_ptr(),
            settings,
            workers.get(),
            cancel,
            callback,
            data,
            decision.as_mut_ptr(),
            plays.as_mut_ptr(),
            64,
            &raw mut count,
        );
        if status != Status::Ok {
            return Err(status);
        }
        decision.set_len(1);
        plays.set_len(count);
    }
    Ok((decision[0], plays))
}

/// Counts the reports, and throws the switch after the first.
unsafe extern "C" fn throw(progress: *const Progress, data: *mut c_void) {
    // SAFETY: the report is sound, and the data is the switch of the test.
    unsafe {
        assert!((*progress).fraction >= 0.0 && (*progress).candidates == 0);
        ok(tavli_cancel_throw(data.cast()));
    }
}

#[test]
fn decisions_are_those_of_the_library() {
    for game in ["plakoto", "fevga"] {
        let position = read(game, None).expect("the start");
        let settings = tavli_any_decision_settings_default();
        let (decision, plays) = decide(&position, c"42", &settings, null(), None, null_mut()).expect("a decision");
        let request = AnyDecisionRequest { roll: Some("42".to_owned()), ..AnyDecisionRequest::default() };
        let kernel = KernelPosition::start(game, None).expect("a position");
        let prepared = request.prepare(&kernel, Tier::best(), NO_STOP).expect("a net");
        let found = prepared.decide(&run::Workers::here(), &run::Cancel::new(), |_| ());
        let found = found.expect("nothing stops it");
        assert_eq!(plays.len(), found.plays.len());
        for (play, wanted) in plays.iter().zip(&found.plays) {
            assert_eq!(play.play, wanted.raced.choice as u64);
            assert_eq!((play.trials, play.is_dropped == 1), (wanted.raced.trials, wanted.raced.is_dropped));
            assert_eq!((play.equity, play.behind), (wanted.raced.equity.into(), wanted.raced.behind.into()));
        }
        assert_eq!((decision.play, decision.sure), (plays[0].play, found.decision.sure));
        assert_eq!(decision.ended_by, found.ended_by.into());
    }
}

#[test]
fn a_decision_is_cancelled_and_refused() {
    let position = read("plakoto", None).expect("the start");
    let switch = cancel();
    let endless =
        AnyDecisionSettings { within: 0.0, trials: 1_000_000_000, plies: 0, ..tavli_any_decision_settings_default() };
    let data = switch.get().cast_mut().cast();
    let (decision, plays) = decide(&position, c"42", &endless, switch.get(), Some(throw), data).expect("a result");
    assert_eq!((decision.ended_by, decision.verdict), (StopReason::Cancelled, Verdict::Open));
    assert_eq!(decision.games, plays.iter().map(|play| play.trials).sum::<u64>());
    let defaults = tavli_any_decision_settings_default();
    let uniform = AnyDecisionSettings { policy: c"uniform".as_ptr(), ..defaults };
    for (roll, settings, status, words) in [
        (c"37", defaults, Status::Roll, "'37' is not a roll"),
        (c"42", AnyDecisionSettings { within: -1.0, ..defaults }, Status::Settings, "0 or more, not -1"),
        (
            c"42",
            AnyDecisionSettings { filter: f64::NAN, ..defaults },
            Status::Settings,
            "filter is a number of points, 0 or more, or below 0 to keep every play, not NaN",
        ),
        (c"42", AnyDecisionSettings { trials: 0, ..defaults }, Status::Settings, "trials, not 0"),
        (c"42", AnyDecisionSettings { seconds: -1.0, ..defaults }, Status::Settings, "or 0 for no rule, not -1"),
        (c"42", AnyDecisionSettings { size: 4, ..defaults }, Status::Settings, "begin with the struct"),
        (c"42", uniform, Status::Settings, "'uniform' does not value"),
    ] {
        let refused = decide(&position, roll, &settings, null(), None, null_mut());
        assert_eq!(refused.err(), Some(status), "{words}");
        assert!(last_error().contains(words), "{}", last_error());
    }
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(read("chess", None).err(), Some(Status::Settings));
    assert!(last_error().contains("'chess' is not one of the games: backgammon"), "{}", last_error());
    assert_eq!(read("draughts", Some("B:W99")).err(), Some(Status::Position));
    let draughts = read("draughts", None).expect("the start");
    assert_eq!(count(&draughts, c"31".as_ptr()), Err(Status::Roll));
    assert!(last_error().contains("has no dice"), "{}", last_error());
    let plakoto = read("plakoto", None).expect("the start");
    assert_eq!(count(&plakoto, null()), Err(Status::Roll));
    let over = read("draughts", Some("B:W32:B28")).expect("a position");
    assert_eq!(count(&over, null()), Err(Status::Game));
    // SAFETY: each pointer is NULL or a handle.
    unsafe {
        assert_eq!(tavli_any_position_write(null(), null_mut(), 0, null_mut()), Status::Pointer);
        assert_eq!(tavli_any_position_write(draughts.get(), null_mut(), 0, null_mut()), Status::Buffer);
        tavli_any_position_free(null_mut());
    }
}
