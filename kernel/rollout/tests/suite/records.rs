//! Records of rollouts are whole, are merged, and are refused if they are damaged.

use core::cell::Cell;
use core::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::playing::{opening, played, stratified, workers};
use super::variance_reduction::Wrong;
use crate::support::{begun, request, request_of_plays};
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, Probabilities};
use tavli_backgammon::playout::RECORDED_SIGNATURE;
use tavli_backgammon::plays::View;
use tavli_backgammon::policies::{Policy, PolicyPair, Uniform};
use tavli_backgammon::stepping::RollBatch;
use tavli_backgammon::{Board, FirstRoll, NO_STOP, Planes, RuleSet, Stopped};
use tavli_cube::{CubeInPlay, CubeState};
use tavli_file::record::EnvelopeError;
use tavli_file::{Existing, FileError, Target};
use tavli_players::named;
use tavli_rollout::{
    Checkpoint, EndReason, EndRules, MergeError, PlayoutSettings, Rollout, RolloutRecordError, RolloutRequest, Session,
    Shard, SuppliedPlayers,
};
use tavli_run::Cancel;
use tavli_testing::random::Random;

#[test]
fn merging_names_the_conflict() {
    let workers = workers(2);
    let part = |settings, trials, index| {
        let shard = Shard::new(index, 3).expect("a shard");
        let request = RolloutRequest { shard: Some(shard), ..request_of_plays("31", settings, trials) };
        played(begun(Board::START, &request), &workers)
    };
    let settings = stratified();
    let parts: Vec<Rollout> = (1..=3).map(|index| part(settings, 6 * 1296, index)).collect();
    let error = |parts: &[&Rollout]| {
        let parts: Vec<Rollout> = parts.iter().map(|&part| part.clone()).collect();
        Rollout::merge(&parts).expect_err("a conflict").to_string()
    };
    assert!(Rollout::merge(&parts).is_ok());
    assert_eq!(Rollout::merge(&[]).expect_err("nothing"), MergeError::Nothing);
    assert_eq!(
        error(&[&parts[0], &parts[2]]),
        "trials 2592 to 5183 are in no shard: of 7776 trials, each must be in one"
    );
    assert!(error(&[&parts[1], &parts[0]]).contains("trials 5184 to 7775 are in no shard"));
    assert_eq!(
        error(&[&parts[0], &parts[1], &parts[1], &parts[2]]),
        "both hold trials 2592 to 5183: leave one of the two out"
    );
    let other = |settings| part(settings, 6 * 1296, 2);
    for (other, expected) in [
        (other(PlayoutSettings { seed: 2, ..settings }), "the seed is 1 in one, 2 in the other"),
        (
            other(PlayoutSettings { first_roll: FirstRoll::Any, ..settings }),
            "the first roll is stratified in one, any in the other",
        ),
        (
            other(PlayoutSettings { truncation: NonZeroU32::new(9), ..settings }),
            "the truncation is none in one, 9 plies in the other",
        ),
        (other(PlayoutSettings { rules: RuleSet::McGammon, ..settings }), "backgammon in one, mcgammon"),
        (part(settings, 7 * 1296, 2), "the number of trials is 7776 in one, 9072 in the other"),
        (played(begun(Board::START, &request(settings, 46_656)), &workers), "the roll is 31 in one, none in the other"),
    ] {
        let message = error(&[&parts[0], &other, &parts[2]]);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn records_come_back() {
    let end_rules = EndRules {
        trials: 1 << 50,
        standard_error: Some(0.1 + 0.2),
        jsd: Some(1.0 / 3.0),
        time: Some(Duration::from_nanos(1_234_567_891)),
    };
    let settings = PlayoutSettings { seed: u64::MAX, truncation: NonZeroU32::new(60), ..PlayoutSettings::default() };
    let rollout = played(opening(settings, 1).until(end_rules).expect("rules"), &workers(2));
    let again = Rollout::from_json(&rollout.to_json()).expect("a record");
    assert_eq!(again.to_json(), rollout.to_json());
    assert_eq!(again.summary().standings, rollout.summary().standings);
    assert_eq!((again.end_rules(), again.settings()), (rollout.end_rules(), rollout.settings()));
}

#[test]
fn other_records_are_refused_with_the_reason() {
    let text = played(opening(PlayoutSettings::default(), 1296), &workers(2)).to_json();
    let error = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        Rollout::from_json(&text.replacen(from, to, 1)).expect_err("refused").to_string()
    };
    assert!(error("\"version\":10", "\"version\":3").contains("version 3; this program reads versions 4 to 10"));
    assert!(error("tavli rollout", "tavli roll").contains("its format is 'tavli roll'"));
    assert!(error(&format!("{RECORDED_SIGNATURE:016x}"), "0000000000000000").contains("signature 0000000000000000"));
    assert!(error("\"seed\":1", "\"seed\":2").contains("it is damaged: its checksum is "));
    assert!(error("\"seed\":1", "\"seeds\":1").contains("unknown field `seeds`"));
    assert!(error("{", "").contains("it is not a record of a rollout"));
    assert!(matches!(Rollout::from_json(""), Err(RolloutRecordError::Envelope(EnvelopeError::Json { .. }))));
}

/// The games of `fast` had other values before its values obeyed the rules.
#[test]
fn records_of_nets_that_valued_otherwise_are_refused() {
    let fast = PolicyPair::alike(named::policy("fast").expect("a player"));
    let request = RolloutRequest { players: Some(fast), ..request_of_plays("31", PlayoutSettings::default(), 36) };
    let text = played(begun(Board::START, &request), &workers(2)).to_json();
    assert!(Rollout::from_json(&text).is_ok());
    let (before, ours) = ("a753b6ee1b7f3994", named::signature_of_policies(["fast"; 2]));
    let error = Rollout::from_json(&text.replacen(&ours, before, 1)).expect_err("refused");
    let expected = format!(
        "it was saved by a version whose games have other values (signature {before}, here {ours}): continue with that \
         version, or begin a new one"
    );
    assert_eq!(error.to_string(), expected);
}

/// Plays and values of the name of a file.
#[derive(Debug)]
struct LikeFile;

impl LikeFile {
    const NAME: &str = "../players/players/td80.player";
}

impl Policy for LikeFile {
    fn name(&self) -> &str {
        LikeFile::NAME
    }

    fn view(&self) -> View {
        Uniform.view()
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        Uniform.pick(decisions, picks, stop)
    }
}

impl Evaluator for LikeFile {
    fn name(&self) -> &str {
        LikeFile::NAME
    }

    fn estimate(
        &self,
        conditions: &EvaluationConditions<'_>,
        positions: &[Planes],
        values: &mut [Probabilities],
    ) -> Result<(), Stopped> {
        Wrong.estimate(conditions, positions, values)
    }
}

/// A file of the name of a caller's own player is another player. Names of files in records have checksums.
#[test]
fn files_do_not_continue_the_games_of_own_players_of_their_names() {
    let file = named::evaluator(LikeFile::NAME, NO_STOP).expect("a file");
    let by = |players: PolicyPair, evaluator: Arc<dyn Evaluator>| {
        let settings = PlayoutSettings { truncation: NonZeroU32::new(2), ..PlayoutSettings::default() };
        let request = RolloutRequest { players: Some(players), evaluator: Some(evaluator), ..request(settings, 9) };
        played(begun(Board::START, &request), &workers(1)).to_json()
    };
    let error = |text: &str| Rollout::from_json(text).map(|_| ()).expect_err("refused").to_string();
    let alike = PolicyPair::alike(Arc::new(LikeFile));
    let opponent = PolicyPair::new(Arc::new(Uniform), Arc::new(LikeFile));
    for (players, member) in [(alike, "policy"), (opponent, "opponent_policy")] {
        let error = error(&by(players, file.clone()));
        let expected = format!("invalid {member}: unknown policy '{}'", LikeFile::NAME);
        assert!(error.starts_with(&expected), "{error}");
    }
    let error = error(&by(PolicyPair::default(), Arc::new(LikeFile)));
    let expected = format!("invalid evaluator: unknown evaluator '{}'", LikeFile::NAME);
    assert!(error.starts_with(&expected), "{error}");
    assert!(Rollout::from_json(&by(PolicyPair::default(), file)).is_ok());
}

#[test]
fn records_of_the_version_before_are_read() {
    let text = include_str!("../../../tavli/fuzz/seeds/rollout/plays");
    assert!(text.contains("\"version\":4"), "an old record");
    let rollout = Rollout::from_json(text).expect("a record");
    assert_eq!((rollout.trials(), rollout.evaluator().is_none()), (0..40, true));
    let again = Rollout::from_json(&rollout.to_json()).expect("a record of this version");
    assert_eq!(again.summary().standings, rollout.summary().standings);
}

/// Version 10 calls `games` and `horizon` by the names that the code has for them. Version 9 added `cubes`.
#[test]
fn records_of_older_names_are_read() {
    let text = include_str!("../../../tavli/fuzz/seeds/rollout/valued");
    let cubes = text.find(",\"cubes\":").expect("sums of cubes");
    let without_cubes = format!("{}{}", &text[..cubes], &text[text.rfind("}}]}}").expect("its end")..]);
    let version_8 = without_cubes.replace("\"version\":9", "\"version\":8").replace("29a63ee6", "bf1403d9");
    for (text, version) in [(text, 9), (&version_8, 8)] {
        assert!(text.contains(&format!("\"version\":{version},")), "an old record");
        let rollout = Rollout::from_json(text).expect("a record");
        assert_eq!((rollout.trials(), rollout.evaluator().is_some()), (0..40, true));
        let written = rollout.to_json();
        for (old, new) in [("\"games\":[", "\"trials\":["), ("\"horizon\":{", "\"corrections\":{")] {
            assert!(text.contains(old) && !written.contains(old), "{old}");
            assert!(written.contains(new) && !text.contains(new), "{new}");
        }
        let again = Rollout::from_json(&written).expect("a record of this version");
        assert_eq!(again.summary().standings, rollout.summary().standings);
    }
}

#[test]
fn mutated_records_are_refused() {
    let settings = PlayoutSettings { first_roll: FirstRoll::Any, ..PlayoutSettings::default() };
    let short = played(opening(settings, 500), &workers(1)).to_json();
    let long = played(opening(PlayoutSettings::default(), 500), &workers(1)).to_json();
    let mut numbers = Random(1);
    let pieces =
        ["-", "9", "0", "1e400", "null", "\"", "[", "]", "{", "}", ",", "\\u0000", "18446744073709551616", "\u{e9}"];
    for i in 0..10_000 {
        let original = if i % 100 == 0 { &long } else { &short };
        let mut bytes = original.clone().into_bytes();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(bytes.len());
            match numbers.below(5) {
                0 => bytes[at] ^= 1 << numbers.below(8),
                1 => bytes.truncate(at),
                2 => drop(bytes.drain(at..(at + 1 + numbers.below(30)).min(bytes.len()))),
                3 => drop(bytes.splice(at..at, pieces[numbers.below(pieces.len())].bytes())),
                _ => {
                    let from = numbers.below(bytes.len());
                    let copy = bytes[from..(from + 40).min(bytes.len())].to_vec();
                    drop(bytes.splice(at..at, copy));
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        match Rollout::from_json(&text) {
            Err(error) => assert!(!error.to_string().is_empty()),
            // For example a hexadecimal digit replaced by itself.
            Ok(rollout) => assert_eq!(&rollout.to_json(), original, "{text}"),
        }
    }
}

/// Reading a record that names a table of another size than 6 points and checkers solves that table.
#[test]
fn reading_stops_while_a_table_is_solved() {
    let text = {
        let player = named::policy("pubeval+bearoff:6x3").expect("a player");
        let request = RolloutRequest {
            players: Some(PolicyPair::alike(player)),
            ..request_of_plays("31", PlayoutSettings::default(), 36)
        };
        played(begun(Board::START, &request), &workers(1)).to_json()
    };
    for after in [0, 1, 50] {
        let looks = Cell::new(0);
        let stop = || {
            looks.update(|looks| looks + 1);
            looks.get() > after
        };
        let read = Rollout::from_json_with(&text, SuppliedPlayers::default(), &stop);
        assert!(matches!(read, Err(RolloutRecordError::Stopped)), "{read:?}");
        assert_eq!(looks.get(), after + 1);
    }
    assert!(Rollout::from_json_with(&text, SuppliedPlayers::default(), NO_STOP).is_ok());
}

#[test]
fn records_that_contradict_themselves_are_refused() {
    // The checksum is right: it is computed after the change.
    let text = played(opening(stratified(), 1296), &workers(1)).to_json();
    let signed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let changed = text.replacen(from, to, 1);
        match Rollout::from_json(&changed) {
            Err(RolloutRecordError::Envelope(EnvelopeError::Checksum { found, contents })) => {
                Rollout::from_json(&changed.replacen(&found, &contents, 1)).expect_err("refused").to_string()
            }
            other => panic!("{other:?}"),
        }
    };
    let losses = "\"lose_single\":[";
    let first = text[text.find(losses).expect("losses") + losses.len()..].split(',').next();
    let first = first.expect("a number");
    let products = text.find("\"products\":[[[").expect("products") + "\"products\":[[[".len();
    let product = text[products..].split(',').next().expect("a number");
    for (from, to, expected) in [
        ("\"trials\":[0,1296]".to_owned(), "\"trials\":[0,1297]".to_owned(), "invalid trials:"),
        ("\"trials\":[0,1296]".to_owned(), "\"trials\":[0,1295]".to_owned(), "do not add up"),
        ("\"trials\":[0,1296]".to_owned(), "\"trials\":[36,1296]".to_owned(), "invalid trials:"),
        ("\"trials\":1296".to_owned(), "\"trials\":0".to_owned(), "1 to 72057594037927936 trials"),
        (format!("{losses}{first}"), format!("{losses}7"), "do not add up"),
        (losses.to_owned(), format!("{losses}0,"), "one for each of 441 strata"),
        (losses.to_owned(), "\"tie\":[".to_owned(), "does not know the outcome 'tie'"),
        ("\"ends\":[{".to_owned(), "\"ends\":[{},{".to_owned(), "one for each candidate"),
        (
            format!("\"products\":[[[{product}"),
            "\"products\":[[[999999".to_owned(),
            "larger than this number of trials can give",
        ),
        (
            format!("\"products\":[[[{product}"),
            "\"products\":[[[-1".to_owned(),
            "larger than this number of trials can give",
        ),
        (
            "\"products\":[[[".to_owned(),
            "\"products\":[[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]],[[".to_owned(),
            "one for each pair",
        ),
        (
            "\"candidates\":[0,1,".to_owned(),
            "\"candidates\":[1,0,".to_owned(),
            "begin with the first trial and have every candidate",
        ),
        ("\"first\":0".to_owned(), "\"first\":36".to_owned(), "begin with the first trial and have every candidate"),
        (
            "\"rounds\":[".to_owned(),
            "\"rounds\":[{\"first\":0,\"candidates\":[],\"ends\":[],\"products\":[]},".to_owned(),
            "begin with the first trial and have every candidate",
        ),
        ("\"allocation\":\"even\"".to_owned(), "\"allocation\":\"race:0\"".to_owned(), "invalid allocation:"),
        ("\"roll\":\"31\"".to_owned(), "\"roll\":\"66\"".to_owned(), "after a play of 66"),
        ("\"roll\":\"31\"".to_owned(), "\"roll\":null".to_owned(), "without a roll"),
        ("\"roll\":\"31\"".to_owned(), "\"roll\":\"97\"".to_owned(), "invalid roll:"),
        ("\"shard\":null".to_owned(), "\"shard\":\"2/2\"".to_owned(), "too few for 2 shards"),
        ("stratified".to_owned(), "any".to_owned(), "one for each of 1 strata"),
        ("4HPwATDgc/ABMA".to_owned(), "4HPwATDgc/ABM*".to_owned(), "invalid position_id:"),
        ("\"standard_error\":null".to_owned(), "\"standard_error\":-1.0".to_owned(), "above 0"),
    ] {
        let message = signed(&from, &to);
        assert!(message.contains(expected), "{from} {to}: {message}");
    }
}

/// A text in which the number `index` after all of `after` is another.
pub(crate) fn with_number(text: &str, after: &[&str], index: usize, to: &str) -> String {
    let mut at = 0;
    for part in after {
        at += text[at..].find(part).expect(part) + part.len();
    }
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '-';
    let mut left = index;
    loop {
        at += text[at..].find(is_digit).expect("a number");
        let end = at + text[at..].find(|letter| !is_digit(letter)).expect("more than a number");
        if left == 0 {
            return format!("{}{to}{}", &text[..at], &text[end..]);
        }
        (at, left) = (end, left - 1);
    }
}

/// A sum of squares below that of the mean would print as certainty.
#[test]
fn sums_that_no_games_have_are_refused() {
    let valued = |cube| {
        let evaluator = named::evaluator("td80", NO_STOP).expect("an evaluator");
        let settings = PlayoutSettings { truncation: NonZeroU32::new(3), ..stratified() };
        let request = RolloutRequest {
            players: Some(PolicyPair::alike(named::policy("td80").expect("a player"))),
            evaluator: Some(evaluator.clone()),
            luck: Some(evaluator),
            cube,
            ..request(settings, 144)
        };
        let request = match cube {
            Some(_) => request,
            None => RolloutRequest { roll: Some("52".parse().expect("a roll")), ..request },
        };
        played(begun(Board::START, &request), &workers(2)).to_json()
    };
    let state = CubeState::default();
    let [plays, cube] = [None, Some(CubeInPlay { state, efficiency: None })].map(valued);
    let (values, products) = ("sums of values and squares", "sums of squares and products");
    // Of a candidate, and then of each of the seven values, there are four numbers.
    let of_equity = 6 * 4;
    for (text, after, index, to, reason) in [
        (&plays, &["corrections", "\"squares\":"][..], of_equity, "-34128523609826883232", values),
        (&plays, &["corrections", "\"squares\":"], 0, "-90000000000000000000", values),
        (&plays, &["corrections", "\"squares\":"], of_equity, "1000000000000000000000000", values),
        (&plays, &["corrections", "\"cubes\":"], 6, "1000000000000000000000000000000000", values),
        (&plays, &["corrections", "\"products\":"], of_equity, "1000000000000000000000", products),
        (&cube, &["corrections", "\"squares\":"], 28 + of_equity, "-34128523609826883232", values),
        (&cube, &["cubeful", "\"values\":"], 5, "1000000000000", values),
        (&cube, &["cubeful", "\"squares\":"], 0, "0", values),
        (&cube, &["cubeful", "\"products\":"], 0, "100000000000000000000", products),
    ] {
        assert!(Rollout::from_json(text).is_ok());
        let changed = with_number(text, after, index, to);
        let Err(RolloutRecordError::Envelope(EnvelopeError::Checksum { found, contents })) =
            Rollout::from_json(&changed)
        else {
            panic!("{after:?} {to}");
        };
        let signed = changed.replacen(&found, &contents, 1);
        let error = Rollout::from_json(&signed).map(|_| ()).expect_err(to).to_string();
        assert!(error.contains(reason), "{after:?} {to}: {error}");
    }
}

#[test]
fn checkpoints_are_written_while_it_plays() {
    let path = std::env::temp_dir().join(format!("tavli-checkpoint-{}.json", std::process::id()));
    let session = Session {
        checkpoint: Some(Checkpoint {
            target: Target::open(&path, Existing::Refuse).expect("a place to save"),
            interval: Duration::ZERO,
        }),
        ..Session::default()
    };
    let mut rollout = opening(PlayoutSettings::default(), 20_000);
    let mut trials = Vec::new();
    session
        .play(&mut rollout, &workers(2), |_| {
            trials.push(Rollout::load(&path).expect("a whole record").trials().end);
        })
        .expect("a place to save");
    let saved = Rollout::load(&path).expect("a whole record");
    assert_eq!(saved.to_json(), rollout.to_json());
    assert!(trials.is_sorted(), "{trials:?}");
    let error = rollout.save(&path).expect_err("the session holds it");
    assert!(matches!(error, FileError::InUseHere { .. }), "{error}");
    drop(session);
    rollout.save(&path).expect("nobody holds it");
    std::fs::remove_file(&path).expect("it was there");
}

/// A folder that comes and goes, and a session that saves a file in it as often as it can.
fn fleeting(name: &str) -> (PathBuf, PathBuf, Session) {
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("{name}-{}", std::process::id());
    let (there, away) = (base.join(&name), base.join(name + "-away"));
    std::fs::create_dir(&there).expect("a place to write");
    let target = Target::open(&there.join("a.json"), Existing::Refuse).expect("a place to save");
    let session = Session {
        cancel: Cancel::new(),
        checkpoint: Some(Checkpoint { target, interval: Duration::ZERO }),
        ..Session::default()
    };
    (there, away, session)
}

#[test]
fn a_checkpoint_that_fails_is_tried_again() {
    let (there, away, session) = fleeting("again");
    let mut rollout = opening(PlayoutSettings::default(), 1 << 50);
    let mut failed = false;
    let ended = session.play(&mut rollout, &workers(2), |progress| {
        let is_there = there.exists();
        match progress.unsaved {
            None if is_there && !failed => std::fs::rename(&there, &away).expect("it is there"),
            Some(kind) if !is_there => {
                assert_eq!(kind, std::io::ErrorKind::NotFound);
                failed = true;
                std::fs::rename(&away, &there).expect("it is there");
            }
            None if failed => session.cancel.cancel(),
            _ => {}
        }
    });
    assert_eq!(ended.expect("it is there again"), EndReason::Cancelled);
    let saved = Rollout::load(&there.join("a.json")).expect("a whole record");
    assert_eq!(saved.to_json(), rollout.to_json());
    std::fs::remove_dir_all(&there).expect("it was there");
}

#[test]
fn a_rollout_that_cannot_be_saved_keeps_its_games() {
    let (there, away, session) = fleeting("kept");
    let mut rollout = opening(PlayoutSettings::default(), 1 << 50);
    let error = session
        .play(&mut rollout, &workers(2), |_| {
            let _ = std::fs::rename(&there, &away);
            session.cancel.cancel();
        })
        .expect_err("the folder does not exist");
    assert_eq!(error.reason, Some(EndReason::Cancelled));
    assert!(error.to_string().starts_with("cannot save the rollout: cannot write "));
    let trials = rollout.summary().trials;
    let again = played(opening(PlayoutSettings::default(), trials), &workers(2));
    assert_eq!(rollout.summary().standings, again.summary().standings);
    // A rollout that cannot be saved does not begin.
    let error = session.play(&mut rollout, &workers(2), |_| ()).expect_err("the folder does not exist");
    assert_eq!(error.reason, None);
    assert_eq!(rollout.summary().trials, trials);
    std::fs::remove_dir_all(&away).expect("it was there");
}
