//! Frontends' protocols: UBGI, GNU Backgammon's command line and its external player.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use regex::Regex;
use tavli::Position;
use tavli::transcript::{Game, Match};

use crate::support::{
    OPENING, errors, json, let_worker_use, parse, run, run_with_input, scratch_file, signal, tavli, text,
};

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
    let output = run_with_input(
        &[&["ubgi", "--player", "fast", "--threads", "1"], options].concat(),
        lines.as_bytes(),
    );
    assert!(output.status.success(), "{output:?}");
    text(&output).lines().map(str::to_owned).collect()
}

#[test]
fn ubgi_answers_both_versions() {
    let handshake = ubgi(&[], "ubgi\nquit\n");
    assert_eq!(
        handshake.first().map(String::as_str),
        Some(concat!("id name tavli ", env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(handshake.last().map(String::as_str), Some("ubgiok"));
    assert!(
        handshake
            .iter()
            .any(|line| line.starts_with("key engine.ply int 1..4 1"))
    );
    assert!(
        handshake
            .iter()
            .any(|line| line.starts_with("option name Variant type combo default backgammon"))
    );
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
    assert_eq!(
        keys.len(),
        handshake.iter().filter(|line| line.starts_with("option ")).count()
    );
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
        assert!(
            keys.iter().any(|line| line.starts_with(&format!("key {key} "))),
            "{key}"
        );
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

/// Rollouts decide where they are asked for, do not depend on threads, and say how they stand.
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
    assert!(
        answers[0].starts_with("info depth 1 ") && answers[1].starts_with("info depth 2 "),
        "{answers:?}"
    );
    let rolled = |options: &[&str], how: &str| {
        let answers = ubgi_with_info(options, &format!("{how}{opening}go\ngo cube\ngo turn\n"));
        let kept = |line: &&String| !line.contains("time_ms");
        answers.iter().filter(kept).cloned().collect::<Vec<String>>()
    };
    let how = "set engine.method rollout\nset engine.trials 36\nset engine.seed 3\n";
    let answers = rolled(&[], how);
    assert!(
        answers.iter().any(|line| line.starts_with("info nodes ")),
        "{answers:?}"
    );
    let last = &answers[answers.len() - 1];
    assert!(answers.contains(&"bestmove 8/5 6/5".to_owned()), "{answers:?}");
    assert!(answers.contains(&"bestcube nodouble".to_owned()), "{answers:?}");
    assert_eq!(last, "bestturn cube=nodouble move=8/5 6/5");
    assert_eq!(rolled(&[], &format!("set engine.threads 2\n{how}")), answers);
    assert_ne!(rolled(&[], &how.replace("seed 3", "seed 4")), answers);
    let decided = ubgi(&[], &format!("set engine.method decide\n{opening}go\n"));
    assert_eq!(decided, ["bestmove 8/5 6/5"]);
    // The limits of version 0.1.
    let answers = ubgi_with_info(
        &[],
        &format!(
            "{opening}go role chequer trials 36\ngo role chequer depth 2\ngo chequer nodes 5\ngo depth\ngo movetime x\n"
        ),
    );
    assert!(answers.iter().any(|line| line.contains("nodes ")), "{answers:?}");
    assert!(
        answers.iter().any(|line| line.starts_with("info depth 2 ")),
        "{answers:?}"
    );
    assert_eq!(
        answers[answers.len() - 3..],
        [
            "error unsupported go nodes",
            "error bad_value go: depth without its number",
            "error bad_value go movetime is 'x': send a whole number of milliseconds, 0 to 18446744073709551615",
        ]
    );
}

/// A rollout of hours ends when it is told to, or when its time is up, with what it has.
#[test]
fn ubgi_rollouts_end_when_they_are_told_to() {
    let long = "set engine.method rollout\nset engine.trials 2000000000\nnewgame\ndice 3 1\n";
    for end in ["go\nstop\nquit\n", "go movetime 300\n"] {
        assert_eq!(ubgi(&[], &format!("{long}{end}")), ["bestmove 8/5 6/5"]);
    }
}

/// Version 0.1 names session, score, cube and turn beside the position.
#[test]
fn ubgi_takes_the_cube_and_the_score_of_a_session() {
    let board = "aB-B--CaA---dE-a-c-e----B-";
    let id = position(&format!("XGID={board}:0:0:1:00:0:0:0:0:10"))
        .position_id()
        .to_string();
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
    assert_eq!(
        money,
        ask("newsession type money jacoby off\nsetcube value 1 owner center\n")
    );
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
        "newsession type match\nsetscore 1\nsetcube value 3 owner p0\nsetturn p2\nnewsession type match length 5\n\
         setscore 7 0\nnewgame\ngo cube\n",
    );
    for (answer, expected) in answers
        .iter()
        .zip(["newsession type", "setscore P0", "setcube value", "setturn p0", ""])
    {
        assert!(
            answer.starts_with(&format!("error bad_value {expected}")),
            "{answers:?}"
        );
    }
    assert_eq!(answers.len(), 5);
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
    assert!(
        answers[1].contains("/off") && answers[1].matches('/').count() == 4,
        "{answers:?}"
    );
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
    assert!(
        answers[1].starts_with("error bad_value unknown evaluator 'none'"),
        "{answers:?}"
    );
    let player = "key engine.player string * fast the name or the file of a player";
    assert!(answers.iter().any(|line| line == player), "{answers:?}");
    assert_eq!(answers.last().map(String::as_str), Some("bestmove 8/5 6/5"));
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

#[test]
fn commands_of_a_file_without_end_are_refused() {
    let output = run_with_input(
        &["gnubg", "-t", "-q"],
        b"load commands /dev/zero\nset output digits 2\n",
    );
    assert_eq!(output.status.code(), Some(0));
    let message = "Error: cannot read /dev/zero: it has more than 16777216 bytes";
    assert!(text(&output).contains(message), "{}", text(&output));
}

/// What goes in and out, with its time, and nothing that a terminal would obey.
#[test]
fn lines_are_logged_when_asked() {
    let commands = b"isready\nbogus \x1b[31m\nquit\n";
    let output = run_with_input(&["ubgi", "--player", "fast", "--threads", "1", "--log=debug"], commands);
    let log = errors(&output);
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_once(" DEBUG "))
        .map(|(_, said)| said)
        .collect();
    assert_eq!(said[..3], ["< isready", "> readyok", r"< bogus \u{1b}[31m"], "{log}");
    assert!(said[3].starts_with("> error bad_command bogus "), "{log}");
    assert_eq!(said[4..], ["< quit"], "{log}");
    let quiet = run_with_input(&["ubgi", "--player", "fast", "--threads", "1"], commands);
    assert_eq!(errors(&quiet), "");
    let wrong = run_with_input(&["ubgi", "--log=loud"], b"");
    assert_eq!(wrong.status.code(), Some(2));
}

/// The recorded commands of GNU Backgammon's users: what it prints, apart from the values.
#[test]
fn hints_have_the_form_of_gnubg() {
    let session = |xgid: &str, rest: &str| {
        let commands = format!(
            "set lang en\nset threads 1\nset automatic game off\nset automatic roll off\nset xgid {xgid}\nset evaluation \
             chequerplay evaluation plies 0\nset evaluation cubedecision evaluation plies 0\nset output matchpc off\nset \
             output mwc off\n{rest}\n"
        );
        let file = scratch_file("hint.cmd");
        fs::write(&file, commands).unwrap();
        let output = tavli()
            .args(["gnubg", "-t", "-q", "--threads", "1", "-c"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        text(&output).to_owned()
    };
    let printed = session("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "hint\nhint 2");
    for part in [
        "The number of threads has been set to 1.\nWill not automatically start games.\n",
        "The dice have been set to 3 and 1.\n GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : \
         cIkFAAAAAAAE\n +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg\n | X           O    |   | O              X \
         |     0 points\n",
        "v|                  |BAR|                  |     (Cube: 1)\n",
        "`eval' and `hint' cube decisions will use 0 ply evaluation.\n",
        "    1. Cubeful 0-ply    8/5 6/5                      Eq.: +0.2",
        "   10. Cubeful 0-ply    ",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert_eq!(printed.matches(" 1. Cubeful").count(), 2);
    assert_eq!(printed.matches(" 3. Cubeful").count(), 1);
    let printed = session("XGID=aB-B--CaA---dE-a-c-e----B-:0:0:1:00:3:0:0:7:10", "hint\neval");
    for part in [
        "7 points match (Cube: 1)",
        "On roll\n",
        "\nCube analysis\n0-ply cubeless equity +0.7",
        "Cubeful equities:\n1. Double, take        +0.9",
        "\n2. Double, pass        +1.000  (+0.0",
        "\nProper cube action: Double, take\n",
        "\nstatic: 0.6",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    // With a cube at 2; in the Crawford game, and where the cube is dead, nobody may double.
    let printed = session("XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:2:4:0:7:10", "hint");
    let part = "The dice have been set to 5 and 2.\nThe cube has been set to 2.\n GNU Backgammon  Position ID: ";
    assert!(printed.contains(part), "{printed}");
    for xgid in [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:2:1:7:10",
        "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:5:2:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:2:4:0:7:10",
    ] {
        let printed = session(xgid, "hint");
        assert!(printed.ends_with("\nYou cannot double.\n"), "{xgid}: {printed}");
        assert!(!printed.contains("Cube analysis"), "{xgid}: {printed}");
    }
    let printed = session(
        "XGID=nonsense",
        "hint\nbogus\nset evaluation chequerplay evaluation plies 99",
    );
    for part in [
        "Error: ",
        "You must start a game",
        "Unknown keyword `bogus'",
        "Error: plies are 0 to 3",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

/// Positions that are set up in parts, and what is shown of them.
#[test]
fn gnubg_positions_are_set_in_parts() {
    let ask = |lines: &str| {
        let output = run_with_input(
            &["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"],
            lines.as_bytes(),
        );
        let kept = |line: &&str| !line.starts_with([' ', 'v', '^']) && !line.is_empty();
        text(&output)
            .lines()
            .skip(1)
            .filter(kept)
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let match_id = "set gnubgid 4HPwATDgc/ABMA:QYnqAEAAEAAE\n";
    assert_eq!(
        ask(&format!(
            "{match_id}show dice\nshow turn\nshow score\nshow cube\nset turn gnubg\nshow dice\nshow turn\nshow score\n\
                      show cube\nset turn nobody\nset turn 1\nshow cube\n"
        )),
        [
            "The dice have been set to 5 and 2.",
            "The cube has been set to 2.",
            "root has rolled 5 and 2.",
            "root in on move.",
            "The score (after 0 games) is: gnubg 4, root 2 (match to 7 points)",
            "The cube is at 2, and is owned by gnubg.",
            "`gnubg' is now on roll.",
            "gnubg has not yet rolled the dice.",
            "gnubg in on roll.",
            "The score (after 0 games) is: gnubg 4, root 2 (match to 7 points)",
            "The cube is at 2, and is owned by gnubg.",
            "Unknown player `nobody' (see `help set turn').",
            "`root' is now on roll.",
            "The cube is at 2, and is owned by gnubg.",
        ]
    );
    assert_eq!(
        ask("set threads x\nshow version\nhelp hint\n"),
        [
            "Error: set threads: `x' is no number",
            concat!("tavli ", env!("CARGO_PKG_VERSION")),
            "No help available for topic `hint' (try `help' for the list of commands)",
        ]
    );
    assert!(ask("help\n").contains(&"quit".to_owned()));
    // The player at the top has the play that the one at the bottom would have with his checkers.
    let plays = |before: &str| {
        let lines = ask(&format!("{before}set dice 31\nhint 1\n"));
        lines[lines.len() - 1].clone()
    };
    let hints = |lines: &str| {
        let output = run_with_input(&["gnubg", "--player", "fast", "--threads", "1"], lines.as_bytes());
        let printed = text(&output)
            .lines()
            .rev()
            .take(3)
            .map(str::to_owned)
            .collect::<Vec<String>>();
        printed.join("\n")
    };
    assert!(plays("new game\n").contains("3 and 1"));
    let owned = "set xgid XGID=aB-B--CaA---dE-a-c-e----B-:1:1:1:00:2:4:0:7:10\n";
    let turned = "set xgid XGID=aB-B--CaA---dE-a-c-e----B-:1:1:-1:42:2:4:0:7:10\n";
    assert_eq!(
        hints(&format!("{owned}set turn gnubg\nset dice 42\nhint 1\n")),
        hints(&format!("{turned}hint 1\n"))
    );
    // A board alone leaves the match as it is; numbers begin with the bar of the player on roll.
    let simple = "set board simple 0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0\n";
    assert_eq!(
        ask(&format!(
            "new match 7\nset board 4HPwATDgc/ABMA\nshow score\n{simple}show score\nset matchid QYnqAEAAEAAE\nshow cube\n\
                      new session\nshow score\nset board simple 1\nexport match html x\nnew match 0\n\
                      new match 99999999\nset jacoby off\nnew game\nshow score\n"
        )),
        [
            "A new 7 points match has been started.",
            "The score (after 0 games) is: gnubg 0, root 0 (match to 7 points)",
            "The score (after 0 games) is: gnubg 0, root 0 (match to 7 points)",
            "The dice have been set to 5 and 2.",
            "The cube has been set to 2.",
            "The cube is at 2, and is owned by gnubg.",
            "The score (after 0 games) is: gnubg 0, root 0 (money session, with Jacoby rule)",
            "Error: set board: write a Position ID, or simple and 26 numbers",
            "Error: written are `export match mat', `export match text', `export game text', `export position text' and `save match', and \
             not `export match html x'",
            "Error: new match 0: a match is at least 1 point long",
            "Error: new match 99999999: 65535 points are too many: the formats hold at most 32767",
            "Will not use the Jacoby rule for money sessions.",
            "The score (after 0 games) is: gnubg 0, root 0 (money session, without Jacoby rule)",
        ]
    );
}

/// The names, the cube, the score and the rules: what GNU Backgammon prints, where it is installed, too.
#[test]
fn gnubg_names_cube_and_score_are_set() {
    let session = "set player 0 name p_x\nset player 1 name p_o\nset player both human\nset player nobody human\nset player nobody \
                   name x\nset display off\nset xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10\nset turn p_x\nshow turn\nshow \
                   score\nshow cube\nset cube value 4\nset cube owner p_o\nshow cube\nset cube owner 0\nshow cube\nset cube owner \
                   nobody\nset cube value 3\nset cube centre\nset cube center\nset cube use on\nset cube\nset score 4 5\nset score 7 \
                   0\nset score -3 0\nset score x y\nset crawford on\nset score 6 6\nset score 6 2\nshow crawford\nset crawford \
                   on\nshow score\nshow crawford\nset cube value 2\nset cube centre\nset \
                   crawford off\nshow crawford\nset matchlength 9\nshow matchlength\nshow \
                   pipcount\nshow jacoby\nset jacoby off\nshow jacoby\nset jacoby on\nset beavers 0\nshow beavers\nset beavers \
                   1\nset beavers 2\nset beavers x\nset dice 2\nset dice 7 1\nset dice 2 1\nshow dice\nshow turn\nset output digits \
                   4\nset output digits 99\nset evaluation chequerplay evaluation cubeful off\nset analysis cubedecision evaluation \
                   plies 0\nset analysis chequerplay evaluation plies 0\nset evaluation cubedecision evaluation plies 0\n";
    // Not every line of GNU Backgammon ends.
    let flat = |printed: &str| {
        let lines = printed.lines().skip_while(|line| !line.starts_with("Player 0 is now"));
        lines
            .filter(|line| !line.starts_with([' ', 'v', '^']))
            .collect::<String>()
    };
    let output = run_with_input(
        &["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"],
        session.as_bytes(),
    );
    let printed = flat(text(&output));
    assert!(
        printed.starts_with("Player 0 is now known as `p_x'.Player 1 is now known as `p_o'."),
        "{printed}"
    );
    assert!(
        printed.contains("The score (after 0 games) is: p_x 6, p_o 2 (match to 7 points, Crawford game)"),
        "{printed}"
    );
    let hint = run_with_input(
        &["gnubg", "--player", "fast", "--threads", "1"],
        b"new game\nset dice 31\nset output digits 4\nset evaluation chequerplay evaluation cubeful off\nhint 1\neval\n",
    );
    let hint = text(&hint);
    assert!(hint.contains("    1. Cubeless 0-ply    8/5 6/5"), "{hint}");
    let row = Regex::new(r"(?m)^static: 0\.\d{4}  0\.\d{4}  0\.\d{4}  0\.\d{4}  0\.\d{4}  \+0\.\d{4}   \+0\.\d{4}   $");
    assert!(row.expect("an expression").is_match(hint), "{hint}");
    let file = scratch_file("session.gnubg");
    fs::write(&file, session).unwrap();
    // A file of commands may load one, and not itself without end.
    let nested = scratch_file("nested.gnubg");
    fs::write(&nested, format!("load commands {}\nshow version\n", nested.display())).unwrap();
    let load = format!(
        "load commands {}\nload commands nowhere\nload commands {}\nquit\n",
        file.display(),
        nested.display()
    );
    let output = run_with_input(
        &["gnubg", "-t", "-q", "--player", "fast", "--threads", "1"],
        load.as_bytes(),
    );
    let loaded = text(&output);
    assert!(flat(loaded).starts_with(&printed), "{loaded}");
    assert!(loaded.contains("Error: cannot read nowhere: "), "{loaded}");
    assert_eq!(loaded.matches("files load each other already").count(), 1, "{loaded}");
    assert_eq!(loaded.matches("\ntavli ").count(), 8, "{loaded}");
    if !Path::new("/usr/games/gnubg").exists() {
        return eprintln!("SKIPPED: GNU Backgammon is not installed");
    }
    let theirs = Command::new("/usr/games/gnubg")
        .args(["-t", "-q", "-c"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(printed, flat(text(&theirs)));
}

/// A server of the external player, ended when it is dropped.
struct External(Child, String);

impl External {
    fn start() -> External {
        let mut child = tavli()
            .args(["external", "0", "--player", "fast", "--threads", "1"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening at ")
            .expect("an address")
            .to_owned();
        External(child, address)
    }

    fn ask(&self, lines: &str) -> Vec<String> {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        stream.write_all(lines.as_bytes()).unwrap();
        stream.write_all(b"exit\n").unwrap();
        let mut answers = String::new();
        stream.read_to_string(&mut answers).unwrap();
        answers.lines().map(str::to_owned).collect()
    }
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The opening as FIBS writes it, with these dice, and whether it is doubled.
fn board(dice: &str, doubled: u8) -> String {
    format!(
        "board:You:Opp:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:{dice}:0:0:1:1:1:{doubled}:1:-1:0:25:\
         0:0:0:0:0:0:0:0"
    )
}

#[test]
fn the_external_player_answers_boards() {
    let server = External::start();
    let (play, roll, doubled) = (board("3:1", 0), board("0:0", 0), board("0:0", 1));
    let answers = server.ask(&format!(
        "version\nset debug off\nset interface new\n{play}\n{roll}\n{doubled}\n{doubled} beavers off\n{roll} resignation 1\n\
         evaluation fibsboard {roll} plies 0 cubeless\nevaluation fibsboard {roll} plies 0 cubeful jacobyrule off\nbogus\n\
         board:You\n{play}\n\0"
    ));
    assert_eq!(answers[..2], ["Interface: 2", "RFBF: 0"]);
    assert_eq!(
        answers[4..11],
        [
            "Debug output OFF",
            "New interface ON",
            "8/5 6/5",
            "roll",
            "beaver",
            "take",
            "accept"
        ]
    );
    for answer in &answers[11..13] {
        let numbers: Vec<f64> = answer.split(' ').map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 6);
        assert!(
            (0.5..0.55).contains(&numbers[0]) && (0.0..0.2).contains(&numbers[5]),
            "{answer}"
        );
    }
    assert!(answers[13].starts_with("Error: unknown command 'bogus'"), "{answers:?}");
    assert!(answers[14].starts_with("Error: "), "{answers:?}");
    assert_eq!(answers[15], "8/5 6/5");
    // An editor on Windows has saved the lines that a script sends.
    assert_eq!(server.ask(&format!("\u{feff}{play}\n")), ["8/5 6/5"]);
    // Several at a time, and clients that go away in the middle of a line.
    let hold = TcpStream::connect(&server.1).unwrap();
    (&hold).write_all(b"board:").unwrap();
    assert_eq!(server.ask(&format!("{play}\n")), ["8/5 6/5"]);
    drop(hold);
    assert_eq!(server.ask(&format!("{play}\n")), ["8/5 6/5"]);
}

/// GNU Backgammon itself plays matches and money sessions against the external player, which is either of its players,
/// where it is installed.
#[test]
fn gnubg_plays_against_the_external_player() {
    let names = ["/usr/games/gnubg", "/usr/bin/gnubg"];
    let Some(gnubg) = names.into_iter().find(|name| Path::new(name).exists()) else {
        eprintln!("SKIPPED: GNU Backgammon is not installed");
        return;
    };
    let server = External::start();
    let play = |own: usize, seed: u32, what: &str, games: usize| {
        let [commands, played] = ["match.gnubg", "match.mat"].map(scratch_file);
        let other = 1 - own;
        let mut script = format!(
            "set confirm new off\nset player {own} external {}\nset player {other} gnubg\nset player {other} chequerplay evaluation \
             plies 0\nset player {other} cubedecision evaluation plies 0\nset automatic roll on\nset automatic move on\nset display \
             off\nset seed {seed}\nnew {what}\n",
            server.1
        );
        // Later games have a score.
        script.push_str(&format!("{}new game\n", "play\n".repeat(250)).repeat(games));
        script.push_str(&format!("export match mat {}\nquit\n", played.display()));
        fs::write(&commands, script).unwrap();
        let output = Command::new(gnubg)
            .args(["-t", "-q", "-c"])
            .arg(&commands)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let record = fs::read_to_string(&played).unwrap_or_else(|error| panic!("{error}: {printed}"));
        assert!(record.contains("Wins"), "{record} {printed}");
        // The record does not say that money sessions have the Jacoby rule and beavers.
        fs::write(&played, format!("; [Jacoby \"true\"]\n; [Beaver \"true\"]\n{record}")).unwrap();
        // By its own values it made no mistake: it saw the boards, the cube and the score as they were.
        let analysis = ["analyze", "--player", "fast", "--json", &played.display().to_string()].map(str::to_owned);
        let analysis = analysis.each_ref().map(String::as_str);
        let analysis = parse(&run_with_input(&analysis, b""));
        let player = &analysis["players"][own];
        assert_eq!(player["name"], ["gnubg", "root"][own]);
        let (decisions, loss) = (player["decisions"].as_u64().unwrap(), player["loss"].as_f64().unwrap());
        assert!(
            decisions > 10 && loss < 1e-3,
            "{what} as player {own}: {player}\n{record}"
        );
        player["takes"]["decisions"].as_u64().unwrap()
    };
    play(0, 12, "match 3", 2);
    // Of these it answers doubles at scores that differ.
    assert!(play(0, 7, "match 11", 5) > 0);
    assert!(play(1, 7, "match 11", 5) > 0);
    play(0, 3, "session", 2);
    play(1, 3, "session", 2);
}

/// GNU Backgammon reads the matches that are written, where it is installed: games that end by a pass of either player,
/// and a record that ends behind a take.
#[test]
fn gnubg_reads_the_matches_that_are_written() {
    let names = ["/usr/games/gnubg", "/usr/bin/gnubg"];
    let Some(gnubg) = names.into_iter().find(|name| Path::new(name).exists()) else {
        eprintln!("SKIPPED: GNU Backgammon is not installed");
        return;
    };
    let [first, written, again, commands] = ["first.mat", "written.mat", "again.mat", "again.gnubg"].map(scratch_file);
    fs::write(
        &first,
        " 5 point match\n\n Game 1\n A : 0                          B : 0\n  1)                             31: 8/5 6/5\n  2) 52: \
         13/8 24/22                Doubles => 2\n  3)  Drops\n                                  Wins 1 point\n\n Game 2\n A : 0          \
         \x20               B : 1\n  1) 31: 8/5 6/5                 52: 13/8 24/22\n  2)  Doubles => 2                Drops\n      Wins \
         1 point\n\n Game 3\n A : 1                          B : 1\n  1)                             31: 8/5 6/5\n  2) 52: 13/8 24/22\
         \x20               Doubles => 2\n  3)  Takes\n",
    )
    .unwrap();
    let session = format!(
        "import mat {}\nexport match mat {}\n",
        first.display(),
        written.display()
    );
    let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], session.as_bytes());
    assert!(!text(&output).contains("Error"), "{output:?}");
    let session = format!(
        "set confirm new off\nimport mat {}\nexport match mat {}\nquit\n",
        written.display(),
        again.display()
    );
    fs::write(&commands, session).unwrap();
    let output = Command::new(gnubg)
        .args(["-t", "-q", "-c"])
        .arg(&commands)
        .output()
        .unwrap();
    let actions = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.join(" ")
    };
    let expected = actions(&written);
    assert!(
        actions(&again).ends_with(&expected[expected.find("Game 1").expect("a game")..]),
        "{}",
        actions(&again)
    );
}

/// A cube beyond 1024, the limit of GNU Backgammon's positions, up to what a Match ID holds.
#[test]
fn every_cube_that_is_offered_is_taken() {
    let valued = json(&format!("evaluate {OPENING} --cube 32768:own --player fast --json"));
    assert_eq!(valued["cube"]["action"], "Not available", "{valued}");
    let rolled = run(&format!(
        "rollout {OPENING} --cube 4096 --policy fast --trials 1 --layout gnubg"
    ));
    assert!(text(&rolled).contains("cube 4096 in the middle"), "{rolled:?}");
    let commands = b"new game\nset cube value 4096\nset cube value 32768\n";
    let output = run_with_input(&["gnubg", "-t", "-q"], commands);
    for value in ["4096", "32768"] {
        let said = format!("The cube has been set to {value}.");
        assert!(text(&output).contains(&said), "{output:?}");
    }
}

/// Rollouts in GNU Backgammon's rows: of the position, of hinted plays, and of the cube.
#[test]
fn gnubg_rolls_out() {
    let common = "set rollout trials 36\nset rollout seed 3\n";
    let ask = |lines: &str| {
        let commands = format!("{common}{lines}");
        let output = run_with_input(&["gnubg", "-t", "-q", "--player", "fast"], commands.as_bytes());
        assert!(output.status.success(), "{output:?}");
        text(&output).to_owned()
    };
    let printed =
        ask("rollout\nset rollout trials 0\nset rollout seed -1\nset rollout truncation plies x\nrollout =cube\n");
    for part in [
        "36 games will be played per rollout.\nRollout seed set to 3.\n",
        "No position specified and no game in progress.",
        "Error: trials are 1 to 2147483647, and not `0'",
        "Error: a seed is 0 to",
        "Error: plies are 0 to",
        "The rollout command takes no arguments",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let row = Regex::new(r"(?m)^  (\d\.\d{3} ){3}- (\d\.\d{3} ){3}CL [+-]\d\.\d{3} CF ([+-]\d\.\d{3})$").unwrap();
    let error = Regex::new(r"(?m)^ \[(\d\.\d{3} ){3}- (\d\.\d{3} ){3}CL  \d\.\d{3} CF  (\d\.\d{3})\]$").unwrap();
    let printed = ask("set rollout varredn off\nset rollout trials 1\nnew game\nrollout\n");
    assert!(
        printed.contains("\n [    -     -     - -     -     -     - CL      -"),
        "{printed}"
    );
    let printed = ask("new game\nrollout\n");
    assert!(printed.contains("\nCurrent Position:\n"), "{printed}");
    assert!(row.is_match(&printed) && error.is_match(&printed), "{printed}");
    // The same as `tavli rollout` finds, which names its results in full.
    let settings = "--policy fast --trials 36 --seed 3 --variance-reduction --evaluator fast --json";
    // GNU Backgammon begins with the Jacoby rule and beavers.
    let opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
    let expected = json(&format!("rollout {opening} {settings}"));
    let cubeful = format!("CF {:+.3}\n", expected["candidates"][0]["cubeful"].as_f64().unwrap());
    assert!(printed.contains(&cubeful), "{printed}: {cubeful}");
    let hints = ask(
        "set xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\nset evaluation chequerplay type rollout\nhint 1\n",
    );
    assert!(
        hints.contains("    1. Rollout          8/5 6/5                      Eq.: +"),
        "{hints}"
    );
    assert!(
        hints.contains("        Full cubeful rollout with var.redn.\n        36 games, dice of seed 3\n"),
        "{hints}"
    );
    let cube = ask(
        "set xgid XGID=aB-B--CaA---dE-a-c-e----B-:0:0:1:00:3:0:0:7:10\nset evaluation cubedecision type rollout\nhint\n",
    );
    for part in [
        "Rollout cubeless equity ",
        "Cubeful equities:\n1. ",
        "Proper cube action: ",
        "Rollout details:",
    ] {
        assert!(cube.contains(part), "{part}: {cube}");
    }
    // The mean after a take is beyond that of a pass, by less than chance may have made of it.
    let close = ask("set xgid XGID=aB-B--CaA---dE-a-c-e----B-:0:0:1:00:3:0:0:7:10\nset rollout seed 1\nrollout\n");
    let found = |row: &Regex, column: usize| row.captures(&close).map(|row| row[column].to_owned());
    assert_eq!(found(&row, 3).as_deref(), Some("+1.000"), "{close}");
    assert_ne!(found(&error, 3).as_deref(), Some("0.000"), "{close}");
    let cubeless = ask("set rollout cubeful off\nset rollout truncation plies 5\nnew game\nrollout\n");
    assert!(!row.is_match(&cubeless) && cubeless.contains(" CL "), "{cubeless}");
}

/// The recorded match, imported, analysed and written again by GNU Backgammon's commands.
#[test]
fn gnubg_commands_read_analyse_and_write_matches() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernel/tavli/tests/data/two_games.mat");
    let (mat, sgf) = (scratch_file("written.mat"), scratch_file("written.sgf"));
    let commands = format!(
        "analyse match\nexport match mat x\nimport mat {}\nanalyse match\nshow statistics match\nshow statistics game\nexport \
         match mat \"{}\"\nsave match {}\nimport mat nowhere.mat\nexport match mat /nowhere/x\n",
        file.display(),
        mat.display(),
        sgf.display()
    );
    let output = run_with_input(
        &["gnubg", "-t", "-q", "--player", "fast", "--threads", "2"],
        commands.as_bytes(),
    );
    assert!(output.status.success(), "{output:?}");
    let printed = text(&output);
    let played = Match::read(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(fs::read_to_string(&mat).unwrap(), played.mat());
    assert_eq!(fs::read_to_string(&sgf).unwrap(), played.sgf());
    for part in [
        "No match to analyse: import one.\nNo match to write: import one.\n",
        "7 points match\n",
        "Player                                   gnubg                   root                    \n\nChequerplay statistics\n\nTotal \
         moves                               45                      44                    \nUnforced moves                            \
         40                      32                    \n",
        "\nDoubles                                   2                       0                     \nTakes                            \
         \u{20}        0                       2                     \n",
        "\nTotal moves                               24                      23                    \n",
        "Error: cannot read nowhere.mat",
        "Error: cannot",
    ] {
        let (part, printed) = (part.replace(" \n", "\n"), printed.replace(" \n", "\n"));
        let flat = |text: &str| {
            text.split(' ')
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert!(flat(&printed).contains(&flat(&part)), "{part}: {printed}");
    }
    // Columns are where programs look for them, and sums are those of `tavli analyze`.
    let row = |name: &str| printed.lines().find(|line| line.starts_with(name)).unwrap();
    assert_eq!(row("Total moves").find("45"), Some(42));
    assert_eq!(row("Total moves").find("44"), Some(66));
    let analysis = ["analyze", "--player", "fast", "--json", &file.display().to_string()].map(str::to_owned);
    let analysis = analysis.each_ref().map(String::as_str);
    let analysis = parse(&run_with_input(&analysis, b""));
    let overall = printed.split("Overall statistics").nth(1).unwrap();
    let total = overall
        .lines()
        .find(|line| line.starts_with("Error total EMG (MWC)"))
        .unwrap();
    let first: Vec<&str> = total[41..].split_whitespace().collect();
    let losses = [0, 1].map(|player| format!("{:+.3}", -analysis["players"][player]["loss"].as_f64().unwrap()));
    assert_eq!(first[0], losses[0], "{total}");
    let second: Vec<&str> = total[65..].split_whitespace().collect();
    assert_eq!(second[0], losses[1], "{total}");
    // GNU Backgammon loads what was written, where it is installed.
    let Some(gnubg) = ["/usr/games/gnubg", "/usr/bin/gnubg"]
        .into_iter()
        .find(|name| Path::new(name).exists())
    else {
        eprintln!("SKIPPED: GNU Backgammon is not installed");
        return;
    };
    for (load, name) in [
        (format!("load match {}", sgf.display()), "sgf"),
        (format!("import mat {}", mat.display()), "mat"),
    ] {
        let (script, again) = (
            scratch_file(&format!("{name}.gnubg")),
            scratch_file(&format!("{name}.mat")),
        );
        fs::write(
            &script,
            format!("set confirm save off\n{load}\nexport match mat {}\n", again.display()),
        )
        .unwrap();
        let output = Command::new(gnubg)
            .args(["-t", "-q", "-c"])
            .arg(&script)
            .output()
            .unwrap();
        let again = fs::read_to_string(&again).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let again = Match::read(&again).unwrap();
        assert_eq!(again.games.len(), played.games.len());
        for (one, other) in again.games.iter().zip(&played.games) {
            assert_eq!((one.score, one.winner), (other.score, other.winner), "{name}");
            let steps = |game: &Game| {
                game.steps
                    .iter()
                    .map(|step| (step.player, step.action))
                    .collect::<Vec<_>>()
            };
            assert_eq!(steps(one), steps(other), "{name}");
        }
    }
}

/// What a session of the Hub protocol answers, without what it thought on the way.
fn hub(options: &[&str], lines: &str) -> Vec<String> {
    let output = run_with_input(&[&["hub", "--threads", "1"], options].concat(), lines.as_bytes());
    assert!(output.status.success(), "{output:?}");
    let lines = text(&output).lines().map(str::to_owned).collect::<Vec<_>>();
    lines.into_iter().filter(|line| !line.starts_with("info ")).collect()
}

/// The lines that pydraughts sends, in a game that it has begun.
#[test]
fn hub_plays_a_session_of_pydraughts() {
    let answers = hub(
        &[],
        "hub\nset-param name=variant value=english\ninit\nping\nnew-game\n\
         pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\nlevel depth=3\ngo think\n\
         pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 23-19 8-11 22-17\"\nlevel nodes=400\ngo think\n\
         pos pos=WeeeeebeeeeeeebeeeweeeeeeeweeeeeW\ngo think\nquit\nping\n",
    );
    assert!(answers[0].starts_with("id name=tavli version="), "{answers:?}");
    assert_eq!(
        answers[1..5],
        [
            "param name=variant value=english type=enum values=\"english\"",
            "wait",
            "ready",
            "pong"
        ]
    );
    assert!(answers[5].starts_with("done move="), "{answers:?}");
    // 11-15 23-19 8-11 22-17 15x24 28x19 is old theory; here Black may take one way only.
    assert!(answers[6].starts_with("done move="), "{answers:?}");
    // Squares of a capture, then those of the pieces taken.
    assert_eq!(answers[7], "done move=14x30x18x26");
    assert_eq!(answers.len(), 8);
}

#[test]
fn hub_refuses_and_goes_on() {
    let answers = hub(
        &[],
        "bogus\npos pos=Xee\npos pos=W\npos moves=\"1-2\"\n\
         set-param name=variant value=frisian\nlevel depth=0\nlevel time=x\ngo slowly\n\
         pos pos=WeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeW\ngo\n\
         pos moves=\"\u{1b}[31m\"\nset-param name=tt-size value=24\nstop\nping\n",
    );
    let expected = [
        "unknown command 'bogus'",
        "'Xee' is no position",
        "'W' is no position",
        "'1-2' is no play",
        "the variant is english",
        "depth=0: write a whole number from 1 on",
        "time=x: write seconds, 0 or more",
        "go is think, ponder or analyze",
        "the game is over",
        "is no move",
    ];
    for (answer, expected) in answers.iter().zip(expected) {
        assert!(
            answer.starts_with("error message=\"") && answer.contains(expected),
            "{answer}: {expected}"
        );
        assert!(!answer.contains('\u{1b}'), "{answer:?}");
    }
    assert_eq!(answers.last().map(String::as_str), Some("pong"));
    assert_eq!(answers.len(), expected.len() + 1, "{answers:?}");
}

/// Who ends an engine while it thinks has its best answer so far.
#[test]
fn a_signal_ends_a_thought_with_its_answer() {
    let turn =
        "set engine.method rollout\nset engine.trials 100000000\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo turn\n";
    for (command, lines, answer) in [
        ("hub", "level move-time=1000\ngo think\n", "done move="),
        ("ubgi", turn, "bestturn cube=nodouble move=8/5 6/5"),
    ] {
        let mut child = tavli()
            .args([command, "--threads", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(lines.as_bytes()).expect("it listens");
        let_worker_use(&mut child, Duration::from_millis(200));
        signal(&child, "TERM");
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        let last = text(&output).lines().last().unwrap_or_default();
        assert!(last.starts_with(answer), "{output:?}");
    }
}

#[test]
fn hub_thinks_until_it_is_told_to_stop() {
    let mut child = tavli()
        .args(["hub", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    writeln!(input, "level infinite\ngo analyze\nping\nstop").expect("it listens");
    while !line.starts_with("done move=") {
        line.clear();
        assert_ne!(output.read_line(&mut line).expect("an answer"), 0, "it ended");
    }
    line.clear();
    output.read_line(&mut line).expect("an answer");
    assert_eq!(line.trim(), "pong");
    // The end of the input ends a search that nobody could stop any more.
    writeln!(input, "go ponder").expect("it listens");
    drop(input);
    assert!(child.wait().expect("it ends").success());
}
