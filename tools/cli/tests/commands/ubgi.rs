//! UBGI, the protocol of backgammon's engines.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use regex::Regex;
use tavli::Position;

use crate::external::board;
use crate::support::{errors, run_with_input, tavli, text};

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

/// What a session of UBGI answers, without its lines of info.
fn ubgi(options: &[&str], lines: &str) -> Vec<String> {
    let mut answers = ubgi_with_info(options, lines);
    answers.retain(|line| !line.starts_with("info "));
    answers
}

/// What a session of UBGI answers.
fn ubgi_with_info(options: &[&str], lines: &str) -> Vec<String> {
    let output = run_with_input(&[&["ubgi", "--player", "fast", "--threads", "1"], options].concat(), lines.as_bytes());
    assert!(output.status.success(), "{output:?}");
    text(&output).lines().map(str::to_owned).collect()
}

#[test]
fn ubgi_answers_both_versions() {
    let handshake = ubgi(&[], "ubgi\nquit\n");
    assert_eq!(handshake.first().map(String::as_str), Some(concat!("id name tavli ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(handshake.last().map(String::as_str), Some("ubgiok"));
    assert!(handshake.iter().any(|line| line.starts_with("key engine.ply int 1..4 1")));
    assert!(handshake.iter().any(|line| line.starts_with("option name Variant type combo default backgammon")));
    // All at once: answers come in order, whatever is being thought about.
    let answers = ubgi(
        &[],
        "isready\nnewgame\nset game.variant backgammon\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo chequer\n\
         go role chequer\nsetoption name Ply value 2\ngo\ngo cube\nposition xgid \
         XGID=-b----E-C---eE---c-e----B-:0:0:1:52:2:4:0:7:10\ngo\nquit\n",
    );
    let play = "bestmove 8/5 6/5";
    let last = &answers[5];
    assert_eq!(answers[..5], ["readyok", play, play, play, "bestcube nodouble"]);
    assert!(last == "bestmove 13/8 24/22" || last.starts_with("bestmove "), "{last}");
    assert_eq!(answers.len(), 6);
}

/// The rules change, then the player.
#[test]
fn ubgi_remarks_on_a_player_that_has_not_learned_the_rules() {
    let lines = "set game.variant hypergammon\nset engine.player td80\nset engine.player sampled\nquit\n";
    let output = run_with_input(&["ubgi", "--player", "fast", "--threads", "1"], lines.as_bytes());
    let said: Vec<&str> = errors(&output).lines().collect();
    for (said, player) in said.iter().zip(["fast", "td80"]) {
        assert!(said.starts_with(&format!("remark: the player '{player}' has not learned hypergammon")), "{said}");
    }
    assert_eq!(said.len(), 2, "{said:?}");
}

/// Every option is listed in the forms of both versions, has a value, and can be set by its key and its name.
#[test]
fn ubgi_has_keys_and_names_of_all_options() {
    let handshake = ubgi(&[], "ubgi\nquit\n");
    for line in [
        "key engine.threads int 1..4096 1 ! worker threads",
        "key engine.seed int 0..18446744073709551615 1 ! seed of rollouts",
        "key engine.cubeful bool true values with the cube",
        "key game.variant enum backgammon|nackgammon|hypergammon|longgammon backgammon rules",
        "option name Threads type spin default 1 min 1 max 4096",
        "option name Cubeful type check default true",
        "option name Method type combo default plies var plies var rollout var decide",
    ] {
        assert!(handshake.iter().any(|answer| answer == line), "{line}: {handshake:#?}");
    }
    let keys: Vec<&String> = handshake.iter().filter(|line| line.starts_with("key ")).collect();
    assert_eq!(ubgi(&[], "keys\n").iter().collect::<Vec<_>>(), keys);
    assert_eq!(keys.len(), handshake.iter().filter(|line| line.starts_with("option ")).count());
    for (key, name, value) in [
        ("engine.ply", "Ply", "2"),
        ("engine.player", "Player", "strong"),
        ("engine.method", "Method", "decide"),
        ("engine.trials", "Trials", "36"),
        ("engine.truncation", "Truncation", "7"),
        ("engine.cubeful", "Cubeful", "false"),
        ("engine.threads", "Threads", "2"),
        ("engine.seed", "Seed", "77"),
        ("game.variant", "Variant", "nackgammon"),
    ] {
        assert!(keys.iter().any(|line| line.starts_with(&format!("key {key} "))), "{key}");
        let said = format!("value {key} {value}");
        assert_eq!(ubgi(&[], &format!("set {key} {value}\nget {key}\n")), [said.as_str()]);
        let lines = format!("setoption name {name} value {value}\nget {key}\n");
        assert_eq!(ubgi(&[], &lines), [said.as_str()]);
    }
    let answers = ubgi(
        &[],
        "get none\nset engine.method tree\nset engine.threads 0\nset engine.cubeful maybe\nsetoption name EvalMode value \
         cubeless\nget Cubeful\nsetoption name Deterministic value true\n",
    );
    assert_eq!(
        answers,
        [
            "error unsupported no option none",
            "error bad_value engine.method is 'tree': send one of plies, rollout, decide",
            "error bad_value engine.threads is '0': send a whole number, 1 to 4096",
            "error bad_value engine.cubeful is 'maybe': send true or false",
            "value Cubeful false",
        ]
    );
}

/// Rollouts decide if they are asked for, do not depend on threads, and report their progress.
#[test]
fn ubgi_rolls_out_and_gives_info() {
    let opening = "newgame\ndice 3 1\n";
    let answers = ubgi_with_info(&[], &format!("{opening}go\ngo cube\n"));
    let play = Regex::new(r"^info depth 1 score \+0\.\d{3} pwin 0\.\d{3} pgammon 0\.\d{3} pbg 0\.\d{3} pv 8/5 6/5$");
    assert!(play.unwrap().is_match(&answers[0]), "{answers:?}");
    assert_eq!(answers[1], "bestmove 8/5 6/5");
    assert!(answers[2].starts_with("info depth 1 score +0."), "{answers:?}");
    assert_eq!(answers[3..], ["bestcube nodouble"]);
    // An early answer before the looking ahead.
    let answers = ubgi_with_info(&[], &format!("set engine.ply 2\n{opening}go\n"));
    assert!(answers[0].starts_with("info depth 1 ") && answers[1].starts_with("info depth 2 "), "{answers:?}");
    let rolled = |options: &[&str], how: &str| {
        let answers = ubgi_with_info(options, &format!("{how}{opening}go\ngo cube\ngo turn\n"));
        let kept = |line: &&String| !line.contains("time_ms");
        answers.iter().filter(kept).cloned().collect::<Vec<String>>()
    };
    let how = "set engine.method rollout\nset engine.trials 36\nset engine.seed 3\n";
    let answers = rolled(&[], how);
    assert!(answers.iter().any(|line| line.starts_with("info nodes ")), "{answers:?}");
    let last = &answers[answers.len() - 1];
    assert!(answers.contains(&"bestmove 8/5 6/5".to_owned()), "{answers:?}");
    assert!(answers.contains(&"bestcube nodouble".to_owned()), "{answers:?}");
    assert_eq!(last, "bestturn cube=nodouble move=8/5 6/5");
    assert_eq!(rolled(&[], &format!("set engine.threads 2\n{how}")), answers);
    assert_ne!(rolled(&[], &how.replace("seed 3", "seed 4")), answers);
    let decided = ubgi(&[], &format!("set engine.method decide\n{opening}go\n"));
    assert_eq!(decided, ["bestmove 8/5 6/5"]);
    // In no time at all, too, a play is the best of all that are valued.
    for none in ["go movetime 0", "set engine.ply 3\ngo movetime 0", "go\nstop"] {
        assert_eq!(ubgi(&[], &format!("{opening}{none}\n")), ["bestmove 8/5 6/5"]);
    }
    // The limits of version 0.1.
    let answers = ubgi_with_info(
        &[],
        &format!(
            "{opening}go role chequer trials 36\ngo role chequer depth 2\ngo chequer nodes 5\ngo depth\ngo movetime x\n"
        ),
    );
    assert!(answers.iter().any(|line| line.contains("nodes ")), "{answers:?}");
    assert!(answers.iter().any(|line| line.starts_with("info depth 2 ")), "{answers:?}");
    assert_eq!(
        answers[answers.len() - 3..],
        [
            "error unsupported go nodes",
            "error bad_value go: depth without its number",
            "error bad_value go movetime is 'x': send a whole number of milliseconds, 0 to 18446744073709551615",
        ]
    );
}

/// A rollout of hours ends when it is told to, or when its time is up, with its result so far.
#[test]
fn ubgi_rollouts_end_when_they_are_told_to() {
    let long = "set engine.method rollout\nset engine.trials 2000000000\nnewgame\ndice 3 1\n";
    for end in ["go\nstop\nquit\n", "go movetime 300\n"] {
        assert_eq!(ubgi(&[], &format!("{long}{end}")), ["bestmove 8/5 6/5"]);
    }
}

/// A user who sends a second `go` would otherwise wait for hours without knowing for what.
#[test]
fn ubgi_says_what_a_line_waits_for() {
    let mut child = tavli()
        .args(["ubgi", "--player", "fast", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut lines = output.lines().map(|line| line.expect("text"));
    let mut is_said = |line: &str| lines.any(|said| said == line);
    let long = "set engine.method rollout\nset engine.trials 2000000000\nnewgame\ndice 3 1\ngo";
    let note = |work: &str, command: &str| format!("info string {work}: {command} waits for the end, and stop ends it");
    writeln!(input, "{long}\ngo cube").expect("it listens");
    assert!(is_said(&note("a search runs", "go")));
    // Each burst of lines has its note.
    writeln!(input, "position start\ngo").expect("it listens");
    assert!(is_said(&note("a search runs", "position")));
    writeln!(input, "stop").expect("it listens");
    assert!(is_said("bestmove 8/5 6/5"));
    writeln!(input, "set engine.player fast+bearoff:7x9\nisready").expect("it listens");
    assert!(is_said(&note("the tables of the player are made", "isready")));
    writeln!(input, "stop\nquit").expect("it listens");
    assert!(is_said("readyok"));
    assert!(child.wait().expect("it ends").success());
}

/// Version 0.1 names session, score, cube and turn next to the position.
#[test]
fn ubgi_takes_the_cube_and_the_score_of_a_session() {
    let board = "aB-B--CaA---dE-a-c-e----B-";
    let id = position(&format!("XGID={board}:0:0:1:00:0:0:0:0:10")).position_id().to_string();
    let ask = |lines: &str| {
        let answers = ubgi_with_info(&[], &format!("{lines}go cube\n"));
        (answers[0].clone(), answers[1].clone())
    };
    let xgid = |cube: &str, score: &str, length: u32| {
        ask(&format!("position xgid XGID={board}:{cube}:1:00:{score}:{length}:10\n"))
    };
    let ask = |before: &str| ask(&format!("{before}position gnubgid {id}\n"));
    let money = ask("newsession type money jacoby off\n");
    assert_eq!(money, xgid("0:0", "0:0:0", 0));
    assert_eq!(money, ask("newsession type money jacoby off\nsetcube value 1 owner center\n"));
    let session = "newsession type match length 5 jacoby off crawford on\nsetscore 3 1\n";
    assert_eq!(ask(session), xgid("0:0", "3:1:0", 5));
    assert_eq!(ask(&format!("{session}setturn p1\n")), xgid("0:0", "1:3:0", 5));
    let owned = format!("{session}setcube value 2 owner p1\n");
    assert_eq!(ask(&owned), xgid("1:-1", "3:1:0", 5));
    assert_eq!(ask(&format!("{owned}setturn p1\n")), xgid("1:1", "1:3:0", 5));
    // The Crawford game, the one after it, and a match without that rule.
    let crawford = "newsession type match length 5\nsetscore 4 1\n";
    assert_eq!(ask(crawford), xgid("0:0", "4:1:1", 5));
    assert_eq!(ask(&format!("{crawford}setscore 4 2\n")), xgid("0:0", "4:2:0", 5));
    let without = "newsession type match length 5 crawford off\nsetscore 4 1\n";
    assert_eq!(ask(without), xgid("0:0", "4:1:0", 5));
    let answers = ubgi(
        &[],
        "newsession type match\nnewsession type money jacoby yes\nnewsession type chouette\nnewsession length\n\
         newsession type match length 0\nnewsession crawford maybe\nnewsession beavers on\nsetscore 1\n\
         setscore 1 x\nsetcube value 3 owner p0\nsetcube value 2 owner p2\nsetturn p2\n\
         newsession type match length 5\nsetscore 7 0\nsetcube value 65536 owner p0\n\
         newsession type money length 7\nnewsession type match length 7 jacoby on\n\
         newgame\ngo cube depth 2 depth 1\ngo cube depth 2 trials 36\n",
    );
    for (answer, expected) in answers.iter().zip([
        "newsession type is match, without a length: send newsession type",
        "newsession jacoby is 'yes': send on or off",
        "newsession type is 'chouette': send money or match",
        "newsession 'length' has no value: send newsession type",
        "newsession length is '0': send 1 to 32767 points",
        "newsession crawford is 'maybe': send on or off",
        "newsession has no 'beavers': send newsession type",
        "setscore 1: send setscore P0",
        "setscore is 'x': send 0 to 32767 points",
        "setcube value is '3': send 1, 2, 4",
        "setcube owner is 'p2': send center",
        "setturn is 'p2': send p0 or p1",
        "setscore is 7 points in a match to 5: send 0 to 4",
        "setcube value is '65536': send 1, 2, 4, ... 32768",
        "newsession length is 7, and type is money",
        "newsession type is match, with jacoby on",
        "go: depth is given twice",
        "go: depth is for values, and trials are for rollouts",
    ]) {
        assert!(answer.starts_with(&format!("error bad_value {expected}")), "{answers:?}");
    }
    assert_eq!(answers.len(), 18);
}

/// Version 0.01: a position by itself, answered without the words around.
#[test]
fn ubgi_answers_bare_positions() {
    let answers = ubgi_with_info(
        &[],
        &format!(
            "{}\n{}\n{}\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n\
             XGID=aB-B--CaA---dE-a-c-e----B-:0:0:1:00:3:0:0:7:10\n\
             XGID=-------b------a-----bb-baO:0:0:1:44:0:0:0:0:10\nXGID=nonsense\nboard:You\n",
            board("3:1", 0),
            board("0:0", 0),
            board("0:0", 1)
        ),
    );
    let expected = ["8/5 6/5", "roll", "take", "roll", "double", "", "sorry", "sorry"];
    assert_eq!(answers, expected);
}

/// A checker from the bar, one borne off, and both dice where they can be played; every step by itself, without marks.
#[test]
fn ubgi_writes_every_step() {
    let answers = ubgi(
        &[],
        "position gnubgid Np7BQSCYZ/AAWA\ndice 5 3\ngo chequer\nposition gnubgid /z0AADDeaxsAAA\ndice 5 5\ngo chequer\n\
         position gnubgid t02oASACAAAAAA\ndice 5 1\ngo chequer\nposition gnubgid zQYCBgAAAPj/Aw\ndice 4 4\ngo chequer\n",
    );
    assert!(answers[0].starts_with("bestmove bar/"), "{answers:?}");
    assert!(answers[1].contains("/off") && answers[1].matches('/').count() == 4, "{answers:?}");
    assert_eq!(answers[2].matches('/').count(), 2, "{answers:?}");
    assert_eq!(answers[3], "bestmove pass");
    assert!(answers.iter().all(|answer| !answer.contains(['*', '('])));
}

/// The table of 7 points and 9 checkers takes a minute.
#[test]
fn ubgi_stops_a_table() {
    let answers = ubgi(
        &[],
        "newgame\ndice 3 1\nsetoption name Player value fast+bearoff:7x9\nstop\nset engine.player none\nubgi\n\
         set engine.player strong\ngo\nquit\n",
    );
    let stopped = "error bad_value stopped before the player's bear-off table was solved";
    assert_eq!(answers[0], stopped);
    assert!(answers[1].starts_with("error bad_value unknown evaluator 'none'"), "{answers:?}");
    let player = "key engine.player string * fast the name or the file of a player";
    assert!(answers.iter().any(|line| line == player), "{answers:?}");
    assert_eq!(answers.last().map(String::as_str), Some("bestmove 8/5 6/5"));
}

/// A player that plays games or looks ahead by its name takes minutes for a value: the default one answers in its
/// place.
#[test]
fn ubgi_stops_players_that_have_no_values_at_once() {
    for player in ["strong+4ply", "sampled:1000000000"] {
        for (end, best) in [
            ("go\nstop", "bestmove 8/5 6/5"),
            ("go movetime 50", "bestmove 8/5 6/5"),
            ("go cube movetime 50", "bestcube nodouble"),
        ] {
            let output = run_with_input(
                &["ubgi", "--player", player, "--threads", "1"],
                format!("newgame\ndice 3 1\n{end}\nquit\n").as_bytes(),
            );
            let answers: Vec<String> = text(&output).lines().map(str::to_owned).collect();
            let note = format!("info string {player} had no values yet: these are of strong");
            assert!(answers.contains(&note), "{answers:?}");
            assert_eq!(answers.last().map(String::as_str), Some(best), "{answers:?}");
        }
    }
}

#[test]
fn ubgi_refuses_and_goes_on() {
    let answers = ubgi(
        &[],
        "go chequer\nnewgame\ngo chequer\nposition gnubgid nonsense\ndice 7 1\nset engine.ply 9\nset engine.player none\n\
         set nothing 1\nbogus \u{1b}[31m\nset game.variant hypergammon\nnewgame\ngo cube\ndice 2 1\ngo\n",
    );
    for (answer, expected) in answers.iter().zip([
        "error bad_state no position",
        "error bad_state no dice",
        "error bad_value position gnubgid: ",
        "error bad_value dice: ",
        "error bad_value engine.ply is '9': send a whole number, 1 to 4",
        "error bad_value ",
        "error unsupported no option nothing",
        "error bad_command bogus ",
        "error unsupported go cube",
        "bestmove ",
    ]) {
        assert!(answer.starts_with(expected), "{answer}: {expected}");
        assert!(!answer.contains('\u{1b}'), "{answer:?}");
    }
    assert_eq!(answers.len(), 10);
}
